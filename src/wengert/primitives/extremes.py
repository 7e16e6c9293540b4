"""The largest and smallest elements along axes, and where they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import Spec, normalize_axes, normalize_axis, reduced_shape
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.primitive import Primitive, primitive
from wengert.primitives.reduce import element_count, reduction_spec
from wengert.tensor import as_operand, convert_to_tensor

__all__ = ["argmax", "argmin", "reduce_max", "reduce_min"]


@primitive()
def max_(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The largest element over axes; of none, the least value that there is. Ties share the derivative equally."""
    if not element_count(x.shape, axis):
        return xp.full(reduced_shape(x.shape, axis, keepdims), _least(x.dtype), x.dtype)
    return xp.maximum.reduce(x, axis=axis, keepdims=keepdims)


@primitive()
def min_(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The smallest element over axes; of none, the greatest value that there is. Ties share the derivative equally."""
    if not element_count(x.shape, axis):
        return xp.full(reduced_shape(x.shape, axis, keepdims), _greatest(x.dtype), x.dtype)
    return xp.minimum.reduce(x, axis=axis, keepdims=keepdims)


def _least(dtype: np.dtype[Any]) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min if dtype.kind in "iu" else False


def _greatest(dtype: np.dtype[Any]) -> Any:
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max if dtype.kind in "iu" else True


def _chosen(xp: Any, x: Any, out: Any, x_dtype: Any, axis: Any, keepdims: Any) -> tuple[Any, Any]:
    """Which elements are the extreme one (where it is NaN, those that are NaN), and how many they are."""
    if not keepdims:
        out = xp.reshape(out, reduced_shape(tuple(x.shape), axis, True))
    chosen = (x == out) | (x != x)
    return chosen, xp.sum(xp.cast(chosen, dtype=x_dtype), axis=axis, keepdims=keepdims)


def _extreme_vjp(xp: Any, g: Any, x: Any, out: Any, x_dtype: Any, axis: Any, keepdims: Any) -> Any:
    shape = tuple(x.shape)
    if not element_count(shape, axis):
        return xp.spread(g, shape=shape, axis=axis, keepdims=keepdims)
    chosen, count = _chosen(xp, x, out, x_dtype, axis, keepdims)
    return xp.where(chosen, xp.spread(g / count, shape=shape, axis=axis, keepdims=keepdims), 0)


def _extreme_jvp(xp: Any, t: Any, x: Any, out: Any, x_dtype: Any, axis: Any, keepdims: Any) -> Any:
    if not element_count(tuple(x.shape), axis):
        return xp.sum(t, axis=axis, keepdims=keepdims)
    chosen, count = _chosen(xp, x, out, x_dtype, axis, keepdims)
    return xp.sum(xp.where(chosen, t, 0), axis=axis, keepdims=keepdims) / count


_extreme: Primitive
for _extreme in (max_, min_):
    _extreme.vjp(_extreme_vjp)
    _extreme.jvp(_extreme_jvp)
    _extreme.spec(reduction_spec)


def _reduced(operation: str, extreme: Primitive, input_tensor: Any, axis: Any, keepdims: Any) -> Any:
    x: Any = as_operand(input_tensor)
    if x._array.dtype.kind in "bc":
        raise DTypeError(f"{operation}: takes real numbers, got {x._array.dtype}{list(x._array.shape)}")
    return extreme(x, axis=normalize_axes(axis, x._array.ndim, operation), keepdims=bool(keepdims))


def reduce_max(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The largest element over the given axes (all, by default); of none, -inf or the dtype's least integer.

    Elements that share the maximum share its gradient equally.

    Args:
        input_tensor: tensor of real numbers.
        axis: an axis, or several.
        keepdims: keep the reduced axes, with size 1.

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.
        DTypeError: the tensor is complex or boolean.

    >>> tf.reduce_max([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist()
    [3.0, 4.0]
    """
    return _reduced("reduce_max", max_, input_tensor, axis, keepdims)


def reduce_min(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The smallest element over the given axes (all, by default); of none, inf or the dtype's greatest integer.

    Elements that share the minimum share its gradient equally.

    Args:
        input_tensor: tensor of real numbers.
        axis: an axis, or several.
        keepdims: keep the reduced axes, with size 1.

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.
        DTypeError: the tensor is complex or boolean.

    >>> tf.reduce_min([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist()
    [1.0, 2.0]
    """
    return _reduced("reduce_min", min_, input_tensor, axis, keepdims)


# --- where they are: no derivatives ----------------------------------------------------------------------------------


@primitive(differentiable=False)
def argmax_(xp: Any, x: Any, *, axis: int, dtype: Any) -> Any:
    """The index along an axis of the largest element, the first of several."""
    return xp.argmax(x, axis=axis).astype(dtype)


@primitive(differentiable=False)
def argmin_(xp: Any, x: Any, *, axis: int, dtype: Any) -> Any:
    """The index along an axis of the smallest element, the first of several."""
    return xp.argmin(x, axis=axis).astype(dtype)


@argmax_.spec
@argmin_.spec
def _index_spec(x: Spec, *, axis: int, dtype: Any) -> Spec:
    return Spec(reduced_shape(x.shape, (axis,), False), dtype)


def _position(operation: str, find: Primitive, input: Any, axis: Any, output_type: Any) -> Any:
    x = convert_to_tensor(input)
    along = normalize_axis(0 if axis is None else axis, x._array.ndim, operation)
    if not x._array.shape[along]:
        raise InvalidArgumentError(f"{operation}: axis {along} of shape {x._array.shape} is empty")
    return find(x, axis=along, dtype=as_numpy_dtype(output_type))


def argmax(input: Any, axis: Any = None, output_type: Any = np.int64, name: str | None = None) -> Any:
    """The index along an axis (0 by default) of the largest element, the first of several. It has no gradient.

    NaN counts as the largest element, as in NumPy.

    Raises:
        InvalidArgumentError: the axis is out of range or empty.

    >>> tf.argmax([[1, 5], [7, 2]], axis=1).numpy().tolist()
    [1, 0]
    """
    return _position("argmax", argmax_, input, axis, output_type)


def argmin(input: Any, axis: Any = None, output_type: Any = np.int64, name: str | None = None) -> Any:
    """The index along an axis (0 by default) of the smallest element, the first of several. It has no gradient.

    NaN counts as the smallest element, as in NumPy.

    Raises:
        InvalidArgumentError: the axis is out of range or empty.

    >>> tf.argmin([[1, 5], [7, 2]], axis=1).numpy().tolist()
    [0, 1]
    """
    return _position("argmin", argmin_, input, axis, output_type)
