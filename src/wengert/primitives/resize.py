"""Images in another size.

Along each axis a resized image is a matrix times the image, so its derivatives are matrix products as well. The rows of
the matrix are a filter's weights, centred at the output pixel's place in the input and normalised.

Source: P. Heckbert, "Fundamentals of texture mapping and image warping" (1989), chapter 3, for the filter that widens
as the image shrinks (``antialias``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from wengert.arrays.dtypes import DTYPES
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import cast
from wengert.primitives.contract import matmul
from wengert.primitives.gather import gather
from wengert.primitives.shape import reshape_, static_shape
from wengert.tensor import Tensor, convert_to_tensor

__all__ = ["ResizeMethod", "resize"]


class ResizeMethod:
    """The names of the methods of :func:`tf.image.resize`.

    >>> tf.image.ResizeMethod.BILINEAR
    'bilinear'
    """

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


def _triangle(x: Any) -> Any:
    return np.maximum(1 - x, 0)


def _gaussian(x: Any) -> Any:
    return np.where(x < 1.5, np.exp(-2 * x**2), 0)


def _keys(x: Any) -> Any:
    """Source: R. Keys, "Cubic convolution interpolation for digital image processing" (1981)."""
    near = ((1.5 * x - 2.5) * x) * x + 1
    far = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x >= 2, 0, np.where(x >= 1, far, near))


def _mitchell(x: Any) -> Any:
    """Source: D. Mitchell and A. Netravali, "Reconstruction filters in computer graphics" (1988)."""
    near = ((7 * x - 12) * x) * x + 16 / 3
    far = ((-7 / 3 * x + 12) * x - 20) * x + 32 / 3
    return np.where(x >= 2, 0, np.where(x >= 1, far, near)) / 6


def _lanczos(radius: int) -> Callable[[Any], Any]:
    return lambda x: np.where(x <= radius, np.sinc(x) * np.sinc(x / radius), 0)


_FILTERS: Final[dict[str, Callable[[Any], Any]]] = {
    ResizeMethod.BILINEAR: _triangle,
    ResizeMethod.BICUBIC: _keys,
    ResizeMethod.LANCZOS3: _lanczos(3),
    ResizeMethod.LANCZOS5: _lanczos(5),
    ResizeMethod.GAUSSIAN: _gaussian,
    ResizeMethod.MITCHELLCUBIC: _mitchell,
}


def _weights(method: str, size: int, wanted: int, antialias: bool) -> np.ndarray[Any, Any]:
    """The matrix ``(wanted, size)`` that resizes an axis."""
    step = size / wanted
    if method == ResizeMethod.AREA:
        start = np.arange(wanted)[:, None] * step
        pixel = np.arange(size)
        overlap = np.minimum(start + step, pixel + 1) - np.maximum(start, pixel)
        return np.asarray(np.maximum(overlap, 0) / step)
    widening = max(step, 1.0) if antialias else 1.0
    distance = np.abs((np.arange(wanted)[:, None] + 0.5) * step - (np.arange(size) + 0.5))
    weights = _FILTERS[method](distance / widening)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def resize(
    images: Any,
    size: Any,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Any:
    """Images in another size.

    Args:
        images: ``(batch, height, width, channels)`` or ``(height, width, channels)``.
        size: the new height and width.
        method: ``"bilinear"``, ``"nearest"``, ``"bicubic"``, ``"area"``, ``"lanczos3"``, ``"lanczos5"``, ``"gaussian"``
            or ``"mitchellcubic"``.
        preserve_aspect_ratio: make the image as large as fits into ``size`` without distortion.
        antialias: widen the filter when the image shrinks; of no effect on ``"nearest"`` and ``"area"``.

    Returns:
        The images, unchanged if they have that size already. Otherwise integers become float32, unless the method is
        ``"nearest"``; float64 stays float64.

    Raises:
        InvalidArgumentError: an unknown method, a size that is not two positive numbers, or no images.

    >>> tf.image.resize([[[0.0], [4.0]]], [1, 4]).numpy().ravel().tolist()
    [0.0, 1.0, 3.0, 4.0]
    >>> tf.image.resize([[[0], [4]]], [1, 4], method="nearest").numpy().ravel().tolist()
    [0, 0, 4, 4]
    """
    x = convert_to_tensor(images)
    if x._array.ndim not in (3, 4) or 0 in x._array.shape[-3:-1]:
        raise InvalidArgumentError(
            "resize: images must have shape (batch, height, width, channels) or (height, width, channels), and pixels; "
            f"got {x._array.shape}"
        )
    if method != ResizeMethod.NEAREST_NEIGHBOR and method != ResizeMethod.AREA and method not in _FILTERS:
        raise InvalidArgumentError(
            f"resize: method must be 'nearest', 'area' or one of {list(_FILTERS)}, got {method!r}"
        )
    wanted = static_shape(size, "resize")
    if len(wanted) != 2 or min(wanted) < 1:
        raise InvalidArgumentError(f"resize: size must be a positive height and width, got {list(wanted)}")
    height, width, channels = x._array.shape[-3:]
    if preserve_aspect_ratio:
        scale = min(wanted[0] / height, wanted[1] / width)
        wanted = (max(round(scale * height), 1), max(round(scale * width), 1))
    if wanted == (height, width):
        return x
    rows, columns = wanted
    if method == ResizeMethod.NEAREST_NEIGHBOR:
        axis = x._array.ndim - 3
        return gather(gather(x, _nearest(height, rows), axis=axis), _nearest(width, columns), axis=axis + 1)
    if not DTYPES[x._array.dtype].is_floating:
        x = cast(x, np.float32)
    batch = x._array.shape[:-3]
    vertical, horizontal = (
        Tensor(_weights(method, n, m, antialias).astype(x._array.dtype)) for n, m in ((height, rows), (width, columns))
    )
    x = matmul(vertical, reshape_(x, shape=(*batch, height, width * channels)))
    x = matmul(horizontal, reshape_(x, shape=(*batch, rows, width, channels)))
    return x


def _nearest(size: int, wanted: int) -> Tensor:
    """The pixel of the input in which the middle of each pixel of the output lies."""
    return Tensor((2 * np.arange(wanted) + 1) * size // (2 * wanted))
