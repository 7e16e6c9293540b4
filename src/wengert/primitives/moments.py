"""Variance and standard deviation."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec, normalize_axes, reduced_shape
from wengert.errors import DTypeError
from wengert.primitives.primitive import primitive
from wengert.primitives.reduce import element_count
from wengert.tensor import convert_to_tensor

__all__ = ["reduce_std", "reduce_variance"]


@primitive(linear=("x",))
def centered(xp: Any, x: Any, *, axis: tuple[int, ...]) -> Any:
    """``x`` minus its mean over axes: a symmetric projection.

    The mean is corrected by the mean of the residuals, so that constant data gives exact zeros. Source: T. F. Chan,
    G. H. Golub and R. J. LeVeque, "Algorithms for computing the sample variance" (1983), section 3.
    """
    count = x.dtype.type(element_count(x.shape, axis) or 1)
    center = xp.add.reduce(x, axis=axis, keepdims=True, dtype=x.dtype) / count
    center = center + xp.add.reduce(x - center, axis=axis, keepdims=True, dtype=x.dtype) / count
    return x - center


centered.vjp(lambda xp, g, axis: xp.centered(g, axis=axis))
centered.spec(lambda x, axis: x)


@primitive()
def variance(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The mean over axes of the squared absolute distance from the mean; real for complex input."""
    distance = xp.centered(x, axis=axis)
    squares = distance * distance if x.dtype.kind != "c" else xp.square(distance.real) + xp.square(distance.imag)
    total = xp.add.reduce(squares, axis=axis, keepdims=keepdims, dtype=squares.dtype)
    count = x.size // (total.size or 1)
    return total / squares.dtype.type(count) if count else total * squares.dtype.type("nan")


@variance.vjp
def _variance_vjp(xp: Any, g: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    shape = tuple(x.shape)
    scaled = g * (2 / (element_count(shape, axis) or 1))
    return xp.spread(scaled, shape=shape, axis=axis, keepdims=keepdims) * xp.conj(xp.centered(x, axis=axis))


@variance.jvp
def _variance_jvp(xp: Any, t: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    products = xp.real(xp.conj(xp.centered(x, axis=axis)) * t)
    return xp.mean(products, axis=axis, keepdims=keepdims) * 2


@primitive()
def standard_deviation(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The root of the variance. For constant data its derivative is taken as 0."""
    return xp.sqrt(xp.variance(x, axis=axis, keepdims=keepdims))


@standard_deviation.vjp
def _standard_deviation_vjp(xp: Any, g: Any, x: Any, out: Any, axis: Any, keepdims: Any) -> Any:
    shape = tuple(x.shape)
    scaled = xp.divide_no_nan(g, out * (element_count(shape, axis) or 1))
    return xp.spread(scaled, shape=shape, axis=axis, keepdims=keepdims) * xp.conj(xp.centered(x, axis=axis))


@standard_deviation.jvp
def _standard_deviation_jvp(xp: Any, t: Any, x: Any, out: Any, axis: Any, keepdims: Any) -> Any:
    products = xp.real(xp.conj(xp.centered(x, axis=axis)) * t)
    return xp.divide_no_nan(xp.mean(products, axis=axis, keepdims=keepdims), out)


@variance.spec
@standard_deviation.spec
def _moment_spec(x: Spec, *, axis: tuple[int, ...], keepdims: bool) -> Spec:
    return Spec(reduced_shape(x.shape, axis, keepdims), np.empty(0, x.dtype).real.dtype)


def _operand(operation: str, input_tensor: Any, axis: Any) -> tuple[Any, tuple[int, ...]]:
    x = convert_to_tensor(input_tensor)
    if x._array.dtype.kind in "biu":
        raise DTypeError(
            f"{operation}: takes floating or complex numbers, got {x._array.dtype}{list(x._array.shape)}; convert "
            "it with tf.cast"
        )
    return x, normalize_axes(axis, x._array.ndim, operation)


def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The variance over the given axes (all, by default): the mean squared distance from the mean.

    Args:
        input_tensor: floating or complex tensor; of complex numbers the variance is real.
        axis: an axis, or several.
        keepdims: keep the reduced axes, with size 1.

    Raises:
        DTypeError: the tensor holds integers or booleans.
        InvalidArgumentError: an axis is out of range or named twice.

    >>> tf.math.reduce_variance([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist()
    [1.0, 1.0]
    """
    x, axes = _operand("reduce_variance", input_tensor, axis)
    return variance(x, axis=axes, keepdims=bool(keepdims))


def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """The standard deviation over the given axes (all, by default): the root of the variance.

    For constant data, where it has no derivative, the subgradient 0 is taken.

    Args:
        input_tensor: floating or complex tensor; of complex numbers the deviation is real.
        axis: an axis, or several.
        keepdims: keep the reduced axes, with size 1.

    Raises:
        DTypeError: the tensor holds integers or booleans.
        InvalidArgumentError: an axis is out of range or named twice.

    >>> tf.math.reduce_std([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy().tolist()
    [1.0, 1.0]
    """
    x, axes = _operand("reduce_std", input_tensor, axis)
    return standard_deviation(x, axis=axes, keepdims=bool(keepdims))
