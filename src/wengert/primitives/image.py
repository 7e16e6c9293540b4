"""Images: mirrored, turned, adjusted, and their differences from pixel to pixel.

Images are ``(batch, height, width, channels)`` or ``(height, width, channels)``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wengert.arrays.dtypes import DTYPES, as_numpy_dtype
from wengert.arrays.shapes import Spec
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import absolute, add, cast, divide, floordiv, maximum, multiply, subtract
from wengert.primitives.contract import matmul
from wengert.primitives.convolve import depthwise_conv2d
from wengert.primitives.index import getitem
from wengert.primitives.moments import reduce_std
from wengert.primitives.order import reverse_
from wengert.primitives.pad import pad, pad_
from wengert.primitives.primitive import primitive
from wengert.primitives.reduce import reduce_mean, reduce_sum
from wengert.primitives.shape import reshape_, transpose_
from wengert.tensor import Tensor, convert_to_tensor

__all__ = [
    "adjust_brightness",
    "adjust_contrast",
    "convert_image_dtype",
    "flip_left_right",
    "flip_up_down",
    "grayscale_to_rgb",
    "image_gradients",
    "per_image_standardization",
    "rgb_to_grayscale",
    "rot90",
    "sobel_edges",
    "total_variation",
]


def _images(operation: str, images: Any, ranks: tuple[int, ...] = (3, 4)) -> Any:
    x = convert_to_tensor(images)
    if x._array.ndim not in ranks:
        raise InvalidArgumentError(
            f"{operation}: images must have shape ({'batch, ' if ranks == (4,) else '[batch,] '}height, width, "
            f"channels), got {x._array.shape}"
        )
    return x


def flip_left_right(image: Any) -> Any:
    """The images mirrored, left to right.

    >>> tf.image.flip_left_right([[[1], [2]], [[3], [4]]]).numpy().ravel().tolist()
    [2, 1, 4, 3]
    """
    x = _images("flip_left_right", image)
    return reverse_(x, axis=(x._array.ndim - 2,))


def flip_up_down(image: Any) -> Any:
    """The images upside down.

    >>> tf.image.flip_up_down([[[1], [2]], [[3], [4]]]).numpy().ravel().tolist()
    [3, 4, 1, 2]
    """
    x = _images("flip_up_down", image)
    return reverse_(x, axis=(x._array.ndim - 3,))


def rot90(image: Any, k: Any = 1, name: str | None = None) -> Any:
    """The images turned counter-clockwise, ``k`` times by a right angle.

    >>> tf.image.rot90([[[1], [2]], [[3], [4]]]).numpy().ravel().tolist()
    [2, 4, 1, 3]
    """
    x = _images("rot90", image)
    rows, columns = x._array.ndim - 3, x._array.ndim - 2
    turns = int(k) % 4
    if turns == 2:
        return reverse_(x, axis=(rows, columns))
    if turns % 2:
        x = transpose_(x, axes=(*range(rows), columns, rows, columns + 1))
        x = reverse_(x, axis=(rows if turns == 1 else columns,))
    return x


def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False, name: str | None = None) -> Any:
    """The image in another dtype, scaled so that white stays white.

    Floats are white at 1, integers at their largest value.

    Args:
        image: of any shape, floating or integer.
        dtype: floating or integer.
        saturate: limit values to the range of the integers, rather than wrapping around.

    Raises:
        DTypeError: a dtype is neither floating nor integer.

    >>> tf.image.convert_image_dtype(np.array([0, 51, 255], np.uint8), tf.float64).numpy().round(3).tolist()
    [0.0, 0.2, 1.0]
    """
    x = convert_to_tensor(image)
    given, wanted = DTYPES[x._array.dtype], DTYPES[as_numpy_dtype(dtype)]
    for part in (given, wanted):
        if not part.is_floating and not part.is_integer:
            raise DTypeError(f"convert_image_dtype: images are floating or integer, got {part.name}")
    if given == wanted or (given.is_floating and wanted.is_floating):
        return cast(x, wanted)
    if given.is_integer and wanted.is_integer:
        if given.max > wanted.max:
            return _narrowed(floordiv(x, (given.max + 1) // (wanted.max + 1)), wanted, saturate)
        return multiply(_narrowed(x, wanted, saturate), (wanted.max + 1) // (given.max + 1))
    if given.is_integer:
        return multiply(cast(x, wanted), 1.0 / given.max)
    return _narrowed(multiply(x, wanted.max + 0.5), wanted, saturate)


def _narrowed(x: Any, dtype: Any, saturate: bool) -> Any:
    if not saturate:
        return cast(x, dtype)
    array = x._array
    low, high = max(dtype.min, DTYPES[array.dtype].min), min(dtype.max, DTYPES[array.dtype].max)
    too_high = array >= array.dtype.type(high)  # apart, for the largest integer may not have a float of its own
    limited = np.maximum(np.where(too_high, array.dtype.type(0), array), array.dtype.type(low)).astype(dtype.dtype)
    return Tensor(np.where(too_high, dtype.dtype.type(high), limited))


def _as_floating(operation: str, images: Any) -> tuple[Any, Any]:
    """The images with floating pixels, and the dtype that they had."""
    x = convert_to_tensor(images)
    dtype = DTYPES[x._array.dtype]
    return (x if dtype.is_floating else convert_image_dtype(x, np.float32)), dtype


def adjust_brightness(image: Any, delta: Any) -> Any:
    """The image with ``delta`` added to all pixels.

    Args:
        image: of any shape; integers are brought to the range from 0 to 1 for it, and limited to their range.
        delta: number.

    >>> tf.image.adjust_brightness([0.25, 0.5], 0.25).numpy().tolist()
    [0.5, 0.75]
    """
    x, dtype = _as_floating("adjust_brightness", image)
    return convert_image_dtype(add(x, cast(delta, x.dtype)), dtype, saturate=True)


@primitive()
def adjust_contrast_(xp: Any, images: Any, contrast_factor: Any) -> Any:
    """Distances from each channel's mean times a factor. It has no derivative rules, as in TensorFlow."""
    mean = images.mean(axis=(-3, -2), keepdims=True, dtype=images.dtype)
    return ((images - mean) * contrast_factor.astype(images.dtype) + mean).astype(images.dtype)


@adjust_contrast_.spec
def _adjust_contrast_spec(images: Spec, contrast_factor: Spec) -> Spec:
    return images


def adjust_contrast(images: Any, contrast_factor: Any) -> Any:
    """The images with all distances from each channel's mean multiplied by a factor.

    As in TensorFlow it has no gradient: a tape that is asked for one raises ``LookupError``. Written with
    ``tf.reduce_mean``, the same function has one.

    Args:
        images: ``(..., height, width, channels)``; integers are brought to the range from 0 to 1 for it, and limited to
            their range.
        contrast_factor: number.

    Raises:
        InvalidArgumentError: the images have fewer than three axes.

    >>> tf.image.adjust_contrast([[[1.0], [3.0]]], 2.0).numpy().ravel().tolist()
    [0.0, 4.0]
    """
    x, dtype = _as_floating("adjust_contrast", images)
    if x._array.ndim < 3:
        raise InvalidArgumentError(
            f"adjust_contrast: images must have shape (..., height, width, channels), got {x._array.shape}"
        )
    return convert_image_dtype(adjust_contrast_(x, cast(contrast_factor, np.float32)), dtype, saturate=True)


def per_image_standardization(image: Any) -> Any:
    """Each image minus its mean, divided by its standard deviation.

    The deviation counts as at least one over the square root of the number of elements, for uniform images. Integers
    become float32.

    >>> tf.image.per_image_standardization([[[1.0], [3.0]]]).numpy().ravel().tolist()
    [-1.0, 1.0]
    """
    x = _images("per_image_standardization", image)
    if not DTYPES[x._array.dtype].is_floating:
        x = cast(x, np.float32)
    axes = (-3, -2, -1)
    least = 1 / math.sqrt(max(math.prod(x._array.shape[-3:]), 1))
    deviation = maximum(reduce_std(x, axis=axes, keepdims=True), least)
    return divide(subtract(x, reduce_mean(x, axis=axes, keepdims=True)), deviation)


def rgb_to_grayscale(images: Any, name: str | None = None) -> Any:
    """The luminance of images with channels red, green and blue.

    Args:
        images: ``(..., 3)``.

    Returns:
        ``(..., 1)`` of the same dtype.

    Raises:
        InvalidArgumentError: the last axis does not have size 3.

    Source: recommendation ITU-R BT.601 (1982).

    >>> tf.image.rgb_to_grayscale(np.array([[[1.0, 0.0, 0.0]]])).numpy().ravel().tolist()
    [0.2989]
    """
    x, dtype = _as_floating("rgb_to_grayscale", images)
    if not x._array.ndim or x._array.shape[-1] != 3:
        raise InvalidArgumentError(f"rgb_to_grayscale: the last axis must have size 3, got shape {x._array.shape}")
    weights = Tensor(np.array([[0.2989], [0.587], [0.114]], x._array.dtype))
    flat = reshape_(x, shape=(x._array.size // 3, 3))
    gray = reshape_(matmul(flat, weights), shape=(*x._array.shape[:-1], 1))
    return convert_image_dtype(gray, dtype)


def grayscale_to_rgb(images: Any, name: str | None = None) -> Any:
    """Images of one channel with that channel three times.

    Raises:
        InvalidArgumentError: the last axis does not have size 1.

    >>> tf.image.grayscale_to_rgb([[[0.5]]]).numpy().ravel().tolist()
    [0.5, 0.5, 0.5]
    """
    x = convert_to_tensor(images)
    if not x._array.ndim or x._array.shape[-1] != 1:
        raise InvalidArgumentError(f"grayscale_to_rgb: the last axis must have size 1, got shape {x._array.shape}")
    return getitem(x, (..., [0, 0, 0]))


def image_gradients(image: Any) -> tuple[Any, Any]:
    """The differences to the next pixel, downwards and to the right; zero at the last row and column.

    Args:
        image: ``(batch, height, width, channels)``.

    Returns:
        ``(dy, dx)``, both in the shape of the image.

    Raises:
        InvalidArgumentError: the image does not have four axes.

    >>> dy, dx = tf.image.image_gradients([[[[1.0], [2.0]], [[4.0], [8.0]]]])
    >>> dy.numpy().ravel().tolist(), dx.numpy().ravel().tolist()
    ([3.0, 6.0, 0.0, 0.0], [1.0, 0.0, 4.0, 0.0])
    """
    x = _images("image_gradients", image, (4,))
    down, right = _differences(x)
    none = (0, 0)
    return (
        pad_(down, paddings=(none, (0, min(x._array.shape[1], 1)), none, none)),
        pad_(right, paddings=(none, none, (0, min(x._array.shape[2], 1)), none)),
    )


def _differences(x: Any) -> tuple[Any, Any]:
    """From each pixel to the one below, and to the one to the right."""
    later, earlier, whole = slice(1, None), slice(None, -1), slice(None)
    down = subtract(getitem(x, (..., later, whole, whole)), getitem(x, (..., earlier, whole, whole)))
    right = subtract(getitem(x, (..., later, whole)), getitem(x, (..., earlier, whole)))
    return down, right


def sobel_edges(image: Any) -> Any:
    """Sobel's estimates of the derivatives, downwards and to the right, of images that are mirrored at their borders.

    Args:
        image: floating, ``(batch, height, width, channels)``.

    Returns:
        ``(batch, height, width, channels, 2)``.

    Raises:
        InvalidArgumentError: the image does not have four axes, or fewer than two rows or columns.

    Source: I. Sobel and G. Feldman, "A 3x3 isotropic gradient operator for image processing" (1968).

    >>> ramp = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.image.sobel_edges(ramp)[0, 1, 1, 0].numpy().tolist()
    [24.0, 8.0]
    """
    x = _images("sobel_edges", image, (4,))
    down = np.outer([-1, 0, 1], [1, 2, 1])
    filters = np.broadcast_to(np.stack([down, down.T], axis=-1)[:, :, None], (3, 3, x._array.shape[-1], 2))
    mirrored = pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="REFLECT")
    edges = depthwise_conv2d(mirrored, Tensor(filters.astype(x._array.dtype)), 1, "VALID")
    return reshape_(edges, shape=(*x._array.shape, 2))


def total_variation(images: Any, name: str | None = None) -> Any:
    """The sum of the absolute differences of neighbouring pixels: how noisy an image is.

    Args:
        images: ``(batch, height, width, channels)``, which gives one number an image, or ``(height, width, channels)``.

    Raises:
        InvalidArgumentError: the images have another number of axes.

    Source: L. Rudin, S. Osher and E. Fatemi, "Nonlinear total variation based noise removal algorithms" (1992).

    >>> float(tf.image.total_variation([[[1.0], [2.0]], [[4.0], [8.0]]]))
    14.0
    """
    x = _images("total_variation", images)
    down, right = (reduce_sum(absolute(d), axis=(-3, -2, -1)) for d in _differences(x))
    return add(down, right)
