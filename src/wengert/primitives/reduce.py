"""Reductions along axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec, normalize_axes, reduced_shape
from wengert.primitives.primitive import primitive
from wengert.tensor import TENSOR_CLASSES, convert_to_tensor

__all__ = ["reduce_mean", "reduce_sum"]


def spread(xp: Any, g: Any, shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Any:
    """The cotangent of a reduction, repeated along the reduced axes: the pull-back of a sum."""
    if not keepdims:
        g = xp.reshape(g, reduced_shape(shape, axis, True))
    return xp.broadcast_to(g, shape)


def reduction_spec(x: Spec, *, axis: tuple[int, ...], keepdims: bool) -> Spec:
    """Shape rule of a reduction that keeps the dtype."""
    return Spec(reduced_shape(x.shape, axis, keepdims), x.dtype)


@primitive(linear=("x",))
def sum_(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The sum over axes, in the dtype of the input."""
    return xp.add.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype)


sum_.vjp(lambda xp, g, x_shape, axis, keepdims: spread(xp, g, x_shape, axis, keepdims))
sum_.spec(reduction_spec)


def reduce_sum(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The sum of elements over the given axes (all, by default).

    Args:
        input_tensor: tensor of any numeric dtype.
        axis: an axis, or several.
        keepdims: keep the reduced axes, with size 1.

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.

    >>> tf.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist()
    [4.0, 6.0]
    """
    x = convert_to_tensor(input_tensor) if input_tensor.__class__ not in TENSOR_CLASSES else input_tensor
    return sum_(x, axis=normalize_axes(axis, x._array.ndim), keepdims=bool(keepdims))


@primitive(linear=("x",))
def mean_(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The mean over axes."""
    total = xp.add.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
    return (total / x.dtype.type(_count(x.shape, axis))).astype(x.dtype, copy=False)


@mean_.vjp
def _mean_vjp(xp: Any, g: Any, x_shape: Any, axis: Any, keepdims: Any) -> Any:
    return spread(xp, g / _count(x_shape, axis), x_shape, axis, keepdims)


mean_.spec(reduction_spec)


def _count(shape: tuple[int, ...], axes: tuple[int, ...]) -> int:
    """The number of elements that are reduced to one."""
    return int(np.prod([shape[k] for k in axes], dtype=np.int64))


def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The mean of elements over the given axes (all, by default).

    Integers are divided without remainder, as in TensorFlow; an empty mean is NaN.

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.

    >>> float(tf.reduce_mean([[1.0, 2.0], [3.0, 4.0]]))
    2.5
    """
    x = convert_to_tensor(input_tensor) if input_tensor.__class__ not in TENSOR_CLASSES else input_tensor
    return mean_(x, axis=normalize_axes(axis, x._array.ndim), keepdims=bool(keepdims))
