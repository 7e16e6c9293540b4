"""Reductions along axes: sums, means, products and counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import Spec, normalize_axes, reduced_shape
from wengert.errors import DTypeError
from wengert.primitives.arithmetic import cast
from wengert.primitives.primitive import primitive
from wengert.tensor import as_operand, convert_to_tensor

__all__ = [
    "count_nonzero",
    "element_count",
    "reduce_all",
    "reduce_any",
    "reduce_euclidean_norm",
    "reduce_mean",
    "reduce_prod",
    "reduce_sum",
    "reduction_spec",
    "spread",
]

#: up to this many elements a cotangent is repeated in memory, which is sooner done than arranged with strides
_SMALL = 1 << 14


def element_count(shape: tuple[int, ...], axes: tuple[int, ...]) -> int:
    """The number of elements that are reduced to one."""
    return math.prod([shape[k] for k in axes])


def reduction_spec(x: Spec, *, axis: tuple[int, ...], keepdims: bool) -> Spec:
    """Shape rule of a reduction that keeps the dtype."""
    return Spec(reduced_shape(x.shape, axis, keepdims), x.dtype)


@primitive(linear=("x",))
def spread_(xp: Any, x: Any, *, shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Any:
    """What a reduction of ``shape`` over ``axis`` gave, repeated along these axes: the transpose of a sum."""
    if x.ndim and not keepdims:
        x = xp.reshape(x, reduced_shape(shape, axis, True))
    return xp.full(shape, x, x.dtype) if math.prod(shape) <= _SMALL else xp.broadcast_to(x, shape)


spread_.vjp(lambda xp, g, axis, keepdims: xp.sum(g, axis=axis, keepdims=keepdims))


@spread_.spec
def _spread_spec(x: Spec, *, shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Spec:
    return Spec(tuple(shape), x.dtype)


def spread(xp: Any, g: Any, shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Any:
    """The cotangent of a reduction, repeated along the reduced axes: the pull-back of a sum."""
    return xp.spread(g, shape=shape, axis=axis, keepdims=keepdims)


def _operand(operation: str, input_tensor: Any, axis: Any) -> tuple[Any, tuple[int, ...]]:
    """The tensor to reduce, checked to be of numbers, and the axes."""
    x: Any = as_operand(input_tensor)
    if x._array.dtype.kind == "b":
        raise DTypeError(
            f"{operation}: takes numbers, got bool{list(x._array.shape)}. Convert it with tf.cast, count with "
            "tf.math.count_nonzero, or use tf.reduce_any or tf.reduce_all."
        )
    return x, normalize_axes(axis, x._array.ndim, operation)


# --- sum and mean ----------------------------------------------------------------------------------------------------


@primitive(linear=("x",))
def sum_(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The sum over axes, in the dtype of the input."""
    return xp.add.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype)


sum_.vjp(lambda xp, g, x_shape, axis, keepdims: xp.spread(g, shape=x_shape, axis=axis, keepdims=keepdims))
sum_.spec(reduction_spec)


def reduce_sum(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The sum of elements over the given axes (all, by default); an empty sum is 0.

    Args:
        input_tensor: tensor of any numeric dtype, which the sum keeps.
        axis: an axis, or several.
        keepdims: keep the reduced axes, with size 1.

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.
        DTypeError: the tensor is boolean.

    >>> tf.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist()
    [4.0, 6.0]
    """
    x, axes = _operand("reduce_sum", input_tensor, axis)
    return sum_.function(x, axis=axes, keepdims=bool(keepdims))


@primitive(linear=("x",))
def mean_(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The mean over axes, in the dtype of the input: for integers, rounded towards zero."""
    total = xp.add.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype)
    count = x.size // (total.size or 1)
    if x.dtype.kind in "iu":
        return xp.sign(total) * (xp.abs(total) // max(count, 1))
    # 0 * NaN rather than 0 / 0, which would warn
    return total / x.dtype.type(count) if count else total * x.dtype.type("nan")


@mean_.vjp
def _mean_vjp(xp: Any, g: Any, x_shape: Any, axis: Any, keepdims: Any) -> Any:
    # where there is nothing to average there is nothing to pull back to
    count = element_count(x_shape, axis) or 1
    return xp.spread(g / count, shape=x_shape, axis=axis, keepdims=keepdims)


mean_.spec(reduction_spec)


def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The mean of elements over the given axes (all, by default).

    The mean of integers is an integer, rounded towards zero as in TensorFlow; cast them to a floating dtype first for
    the exact one. An empty mean is NaN (for integers, 0).

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.
        DTypeError: the tensor is boolean.

    >>> float(tf.reduce_mean([[1.0, 2.0], [3.0, 4.0]]))
    2.5
    >>> int(tf.reduce_mean([1, 0, 1, 0]))
    0
    """
    x, axes = _operand("reduce_mean", input_tensor, axis)
    return mean_.function(x, axis=axes, keepdims=bool(keepdims))


# --- product ---------------------------------------------------------------------------------------------------------


@primitive()
def prod_(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The product over axes, in the dtype of the input."""
    return xp.multiply.reduce(x, axis=axis, keepdims=keepdims, dtype=x.dtype)


@prod_.vjp
def _prod_vjp(xp: Any, g: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    return xp.spread(g, shape=tuple(x.shape), axis=axis, keepdims=keepdims) * _product_of_others(xp, x, axis)


@prod_.jvp
def _prod_jvp(xp: Any, t: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    return xp.sum(t * _product_of_others(xp, x, axis), axis=axis, keepdims=keepdims)


prod_.spec(reduction_spec)


def _product_of_others(xp: Any, x: Any, axis: tuple[int, ...]) -> Any:
    """For each element the product of all others that are reduced with it; exact with any number of zeros.

    It is the product of those before times the product of those after, so nothing is divided by.
    """
    shape = tuple(x.shape)
    kept = tuple(k for k in range(len(shape)) if k not in axis)
    order = (*kept, *axis)
    if len(axis) != 1:
        x = xp.transpose(x, order)
        moved = tuple(x.shape)
        x = xp.reshape(x, (*(shape[k] for k in kept), element_count(shape, axis)))
    along = axis[0] if len(axis) == 1 else len(kept)
    before = xp.shifted(xp.running_product(x, axis=along, reverse=False), axis=along, steps=1, fill=1.0)
    after = xp.shifted(xp.running_product(x, axis=along, reverse=True), axis=along, steps=-1, fill=1.0)
    others = before * after
    if len(axis) != 1:
        others = xp.transpose(xp.reshape(others, moved), tuple(int(k) for k in np.argsort(order)))
    return others


def reduce_prod(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The product of elements over the given axes (all, by default); an empty product is 1.

    The gradient divides by nothing, so it is exact where elements are zero.

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.
        DTypeError: the tensor is boolean.

    >>> x = tf.Variable([2.0, 0.0, 3.0])
    >>> with tf.GradientTape() as tape:
    ...     y = tf.reduce_prod(x)
    >>> tape.gradient(y, x).numpy().tolist()
    [0.0, 6.0, 0.0]
    """
    x, axes = _operand("reduce_prod", input_tensor, axis)
    return prod_(x, axis=axes, keepdims=bool(keepdims))


# --- norm ------------------------------------------------------------------------------------------------------------


@primitive()
def euclidean_norm(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The root of the sum of squared absolute values over axes, a real number. At the origin its derivative is 0."""
    squares = x.real * x.real + x.imag * x.imag if x.dtype.kind == "c" else x * x
    return xp.sqrt(xp.add.reduce(squares, axis=axis, keepdims=keepdims, dtype=squares.dtype))


@euclidean_norm.vjp
def _euclidean_norm_vjp(xp: Any, g: Any, x: Any, out: Any, axis: Any, keepdims: Any) -> Any:
    along = xp.divide_no_nan(g, out)
    return xp.spread(along, shape=tuple(x.shape), axis=axis, keepdims=keepdims) * xp.conj(x)


@euclidean_norm.jvp
def _euclidean_norm_jvp(xp: Any, t: Any, x: Any, out: Any, axis: Any, keepdims: Any) -> Any:
    product = xp.real(xp.conj(x) * t)
    return xp.divide_no_nan(xp.sum(product, axis=axis, keepdims=keepdims), out)


@euclidean_norm.spec
def _euclidean_norm_spec(x: Spec, *, axis: tuple[int, ...], keepdims: bool) -> Spec:
    return Spec(reduced_shape(x.shape, axis, keepdims), np.empty(0, x.dtype).real.dtype)


def reduce_euclidean_norm(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The Euclidean norm over the given axes (all, by default), in the dtype of the input: integers are rounded down.

    At the origin, where a norm has no derivative, the subgradient 0 is taken.

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.
        DTypeError: the tensor is boolean.

    >>> float(tf.math.reduce_euclidean_norm([3.0, 4.0]))
    5.0
    """
    x, axes = _operand("reduce_euclidean_norm", input_tensor, axis)
    dtype = x._array.dtype
    floating = cast(x, np.float64) if dtype.kind in "iu" else x
    return cast(euclidean_norm(floating, axis=axes, keepdims=bool(keepdims)), dtype)


# --- truth values and counts: no derivatives -------------------------------------------------------------------------


@primitive(differentiable=False)
def any_(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """Whether some element over axes is true (not zero)."""
    return xp.logical_or.reduce(x, axis=axis, keepdims=keepdims)


@primitive(differentiable=False)
def all_(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """Whether every element over axes is true (not zero)."""
    return xp.logical_and.reduce(x, axis=axis, keepdims=keepdims)


@any_.spec
@all_.spec
def _truth_spec(x: Spec, *, axis: tuple[int, ...], keepdims: bool) -> Spec:
    return Spec(reduced_shape(x.shape, axis, keepdims), np.dtype(np.bool_))


def _truth_operand(operation: str, input_tensor: Any) -> Any:
    x = convert_to_tensor(input_tensor)
    if x._array.dtype.kind != "b":
        raise DTypeError(f"{operation}: takes booleans, got {x._array.dtype}{list(x._array.shape)}; compare it with 0")
    return x


def reduce_any(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Whether some element over the given axes (all, by default) is true; of none, False.

    Raises:
        DTypeError: the tensor is not boolean.
        InvalidArgumentError: an axis is out of range or named twice.

    >>> tf.reduce_any([[True, False], [False, False]], axis=1).numpy().tolist()
    [True, False]
    """
    x = _truth_operand("reduce_any", input_tensor)
    return any_(x, axis=normalize_axes(axis, x._array.ndim, "reduce_any"), keepdims=bool(keepdims))


def reduce_all(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Whether every element over the given axes (all, by default) is true; of none, True.

    Raises:
        DTypeError: the tensor is not boolean.
        InvalidArgumentError: an axis is out of range or named twice.

    >>> tf.reduce_all([[True, False], [True, True]], axis=1).numpy().tolist()
    [False, True]
    """
    x = _truth_operand("reduce_all", input_tensor)
    return all_(x, axis=normalize_axes(axis, x._array.ndim, "reduce_all"), keepdims=bool(keepdims))


@primitive(differentiable=False)
def count_nonzero_(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool, dtype: Any) -> Any:
    """The number of elements over axes that are not zero."""
    return xp.add.reduce(x != 0, axis=axis, keepdims=keepdims, dtype=dtype)


@count_nonzero_.spec
def _count_nonzero_spec(x: Spec, *, axis: tuple[int, ...], keepdims: bool, dtype: Any) -> Spec:
    return Spec(reduced_shape(x.shape, axis, keepdims), dtype)


def count_nonzero(
    input: Any, axis: Any = None, keepdims: bool | None = None, dtype: Any = np.int64, name: str | None = None
) -> Any:
    """The number of elements over the given axes (all, by default) that are not zero.

    Args:
        input: tensor of any dtype.
        axis: an axis, or several.
        keepdims: keep the reduced axes, with size 1.
        dtype: of the result.

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.

    >>> tf.math.count_nonzero([[0.0, 1.0], [2.0, 3.0]], axis=0).numpy().tolist()
    [1, 2]
    """
    x = convert_to_tensor(input)
    axes = normalize_axes(axis, x._array.ndim, "count_nonzero")
    return count_nonzero_(x, axis=axes, keepdims=bool(keepdims), dtype=as_numpy_dtype(dtype))
