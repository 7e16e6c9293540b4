"""Normalisation, and the moments that it needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import normalize_axes
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import add, cast, multiply, pow_, square
from wengert.primitives.contract import matmul
from wengert.primitives.moments import reduce_variance
from wengert.primitives.primitive import PRIMITIVES
from wengert.primitives.reduce import reduce_mean, reduce_sum
from wengert.primitives.shape import reshape
from wengert.tensor import Tensor, as_operand, convert_to_tensor

__all__ = [
    "batch_normalization",
    "bias_add",
    "local_response_normalization",
    "moments",
    "normalize_moments",
    "sufficient_statistics",
    "weighted_moments",
    "zero_fraction",
]


def _floating(operation: str, x: Any) -> Any:
    """``x`` as a tensor, which must be real or complex floating."""
    x = as_operand(x)
    if x._array.dtype.kind in "biu":
        raise DTypeError(
            f"{operation} needs a floating dtype, got {x._array.dtype}; convert with tf.cast(x, tf.float32)"
        )
    return x


def zero_fraction(value: Any, name: str | None = None) -> Any:
    """The fraction of elements that are 0, in float32; NaN if there are none.

    >>> float(tf.nn.zero_fraction([0.0, 1.0, 0.0, 2.0]))
    0.5
    """
    zeros = convert_to_tensor(value) == 0
    return reduce_mean(cast(zeros, np.float32))


def moments(x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """Mean and variance over axes, the variance being the mean square of the distance from the mean.

    Args:
        x: floating tensor.
        axes: the axes to reduce, such as ``[0, 1, 2]`` for images ``(batch, height, width, channels)``.
        shift: accepted and not needed, as in TensorFlow.
        keepdims: keep the reduced axes, with size 1.

    Returns:
        The mean and the variance.

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.
        DTypeError: integers or booleans.

    >>> mean, variance = tf.nn.moments([1.0, 2.0, 6.0], axes=[0])
    >>> float(mean), round(float(variance), 4)
    (3.0, 4.6667)
    """
    x = _floating("moments", x)
    axis = normalize_axes(axes, x._array.ndim)
    narrow = x._array.dtype.itemsize == 2
    y = cast(x, np.float32) if narrow else x  # squares of 16-bit floats overflow
    mean, variance = reduce_mean(y, axis, keepdims), reduce_variance(y, axis, keepdims)
    return (cast(mean, x.dtype), cast(variance, x.dtype)) if narrow else (mean, variance)


def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> tuple[Any, Any]:
    """Mean and variance over axes, each element counted as often as its weight says.

    Args:
        x: floating tensor.
        axes: the axes to reduce.
        frequency_weights: non-negative, broadcasts with ``x``.
        keepdims: keep the reduced axes, with size 1.

    Returns:
        The mean and the variance; NaN where the weights sum to 0.

    >>> mean, variance = tf.nn.weighted_moments([1.0, 2.0, 3.0], [0], [1.0, 0.0, 1.0])
    >>> float(mean), float(variance)
    (2.0, 1.0)
    """
    x, weights = multiply.align((_floating("weighted_moments", x), frequency_weights))
    axis = normalize_axes(axes, x._array.ndim)
    spread = add(weights, Tensor(np.zeros_like(x._array)))  # weights along axes of size 1 count once an element
    total = reduce_sum(spread, axis, keepdims=True)
    mean = reduce_sum(weights * x, axis, keepdims=True) / total
    variance = reduce_sum(weights * square(x - mean), axis, keepdims=True) / total
    if keepdims:
        return mean, variance
    shape = tuple(n for k, n in enumerate(mean._array.shape) if k not in axis)
    return reshape(mean, shape), reshape(variance, shape)


def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Any, Any, Any, Any]:
    """What :func:`normalize_moments` needs of a part of the data: count, sum and sum of squares over axes.

    Args:
        x: floating tensor.
        axes: the axes to reduce.
        shift: is subtracted from ``x`` first; a value near the mean keeps the variance accurate.
        keepdims: keep the reduced axes, with size 1.

    Returns:
        The count, the sum, the sum of squares, and the shift (None if there was none).

    >>> [None if s is None else float(s) for s in tf.nn.sufficient_statistics([1.0, 2.0, 3.0], [0])]
    [3.0, 6.0, 14.0, None]
    """
    x = _floating("sufficient_statistics", x)
    axis = normalize_axes(axes, x._array.ndim)
    count = Tensor(np.asarray(np.prod([x._array.shape[k] for k in axis], dtype=np.float64), x._array.dtype))
    if shift is not None:
        shift = convert_to_tensor(shift, dtype=x.dtype)
        x = x - shift
    return count, reduce_sum(x, axis, keepdims), reduce_sum(square(x), axis, keepdims), shift


def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Any, Any]:
    """Mean and variance from the (possibly added up) results of :func:`sufficient_statistics`.

    Args:
        counts: the number of elements.
        mean_ss: their sum, less the shift each.
        variance_ss: the sum of squares.
        shift: what was subtracted, or None.

    >>> mean, variance = tf.nn.normalize_moments(*tf.nn.sufficient_statistics([1.0, 2.0, 3.0], [0]))
    >>> float(mean), round(float(variance), 4)
    (2.0, 0.6667)
    """
    shifted = mean_ss / convert_to_tensor(counts)
    mean = shifted if shift is None else shifted + shift
    return mean, variance_ss / convert_to_tensor(counts) - square(shifted)


def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any, name: str | None = None
) -> Any:
    """``scale * (x - mean) / sqrt(variance + variance_epsilon) + offset``, with broadcasting.

    Args:
        x: floating tensor of any shape.
        mean: of ``x``, for instance from :func:`moments`; broadcasts with ``x``, as the next ones do.
        variance: of ``x``.
        offset: is added in the end, or None.
        scale: multiplies, or None.
        variance_epsilon: a small number that keeps the root away from 0.

    Source: S. Ioffe and C. Szegedy, "Batch normalization" (2015).

    >>> tf.nn.batch_normalization([1.0, 3.0], 2.0, 1.0, offset=10.0, scale=2.0, variance_epsilon=0.0).numpy().tolist()
    [8.0, 12.0]
    """
    x = _floating("batch_normalization", x)
    mean, variance = (convert_to_tensor(moment, dtype_hint=x.dtype) for moment in (mean, variance))
    factor = PRIMITIVES["rsqrt"](variance + variance_epsilon)
    if scale is not None:
        factor = factor * scale
    factor = cast(factor, x.dtype)
    shift = -mean * factor if offset is None else offset - mean * factor
    return x * factor + cast(shift, x.dtype)


def local_response_normalization(
    input: Any, depth_radius: int = 5, bias: float = 1, alpha: float = 1, beta: float = 0.5, name: str | None = None
) -> Any:
    """Each channel divided by a power of the energy of the channels around it.

    Args:
        input: floating tensor of shape ``(batch, height, width, channels)``.
        depth_radius: how many channels on either side count.
        bias: is added to the energy.
        alpha: multiplies the energy.
        beta: the exponent.

    Returns:
        ``input / (bias + alpha * energy) ** beta``, where the energy of a channel is the sum of squares of the channels
        not more than ``depth_radius`` away.

    Raises:
        InvalidArgumentError: the input does not have four axes.

    Source: A. Krizhevsky et al., "ImageNet classification with deep convolutional neural networks" (2012), section 3.3.

    >>> tf.nn.local_response_normalization(tf.ones([1, 1, 1, 3]), depth_radius=1, beta=1.0).numpy().ravel().tolist()
    [0.3333..., 0.25, 0.3333...]
    """
    x = _floating("local_response_normalization", input)
    if x._array.ndim != 4:
        raise InvalidArgumentError(
            f"local_response_normalization takes (batch, height, width, channels), got shape {x._array.shape}"
        )
    channel = np.arange(x._array.shape[-1])
    near = abs(channel[:, None] - channel) <= depth_radius
    energy = matmul(square(x), Tensor(near.astype(x._array.dtype)))
    return x / pow_(bias + alpha * energy, float(beta))


def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Any:
    """``value`` with a number added to each channel.

    Args:
        value: tensor of shape ``(batch, ..., channels)``, or ``(batch, channels, ...)``.
        bias: tensor of shape ``(channels,)``, of the same dtype.
        data_format: starts with ``"NC"`` if the channels come second; by default they come last.

    Raises:
        InvalidArgumentError: the shapes do not fit, or the format is unknown.

    >>> tf.nn.bias_add([[1.0, 2.0]], [10.0, 20.0]).numpy().tolist()
    [[11.0, 22.0]]
    """
    x, b = add.align((value, bias))
    shape = x._array.shape
    if (
        data_format is not None
        and not data_format.startswith("NC")
        and not (data_format.startswith("N") and data_format.endswith("C"))
    ):
        raise InvalidArgumentError(f'bias_add: data_format is "N...C" or "NC...", got {data_format!r}')
    second = data_format is not None and data_format.startswith("NC")
    if len(shape) < 2 or b._array.shape != (shape[1 if second else -1],):
        raise InvalidArgumentError(
            f"bias_add: value of shape {shape} needs at least two axes, and one bias for each channel, which is axis "
            f"{1 if second else len(shape) - 1}; got bias of shape {b._array.shape}"
        )
    return add(x, reshape(b, (-1, *[1] * (len(shape) - 2))) if second else b)
