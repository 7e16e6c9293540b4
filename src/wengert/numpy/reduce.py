"""Reductions under NumPy's names."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from wengert.arrays.shapes import normalize_axes, normalize_axis
from wengert.errors import InvalidArgumentError
from wengert.numpy.basic import asarray
from wengert.numpy.dispatch import implements, method, only_defaults
from wengert.primitives import arithmetic, extremes, moments, reduce
from wengert.primitives.reduce import element_count
from wengert.primitives.shape import broadcast_to_, reshape_
from wengert.tensor import Tensor, as_operand

__all__: list[str] = []


def accumulating(a: Any, dtype: Any) -> Any:
    """The operand of a sum or product: NumPy adds booleans and small integers up in 64 bits."""
    a = asarray(a, dtype)
    kind = a._array.dtype.kind
    if dtype is None and kind in "biu":
        return arithmetic.cast(a, np.uint64 if kind == "u" else np.int64)
    return a


def averaged(a: Any, dtype: Any = None) -> Any:
    """The operand of a mean: NumPy averages booleans and integers in float64."""
    a = asarray(a, dtype)
    return arithmetic.cast(a, np.float64) if a._array.dtype.kind in "biu" else a


@implements(np.sum)
@method("sum")
def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """The sum over axes."""
    only_defaults("sum", out=out, initial=initial, where=where)
    a = accumulating(a, dtype)
    return reduce.sum_(a, axis=normalize_axes(axis, a._array.ndim, "sum"), keepdims=bool(keepdims))


@implements(np.mean)
@method("mean")
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    """The mean over axes; of integers, in float64."""
    only_defaults("mean", out=out, where=where)
    a = averaged(a, dtype)
    return reduce.mean_(a, axis=normalize_axes(axis, a._array.ndim, "mean"), keepdims=bool(keepdims))


@implements(np.prod)
@method("prod")
def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """The product over axes."""
    only_defaults("prod", out=out, initial=initial, where=where)
    a = accumulating(a, dtype)
    return reduce.prod_(a, axis=normalize_axes(axis, a._array.ndim, "prod"), keepdims=bool(keepdims))


def _not_empty(name: str, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    if not element_count(shape, axes):
        raise InvalidArgumentError(f"np.{name}: nothing to choose from in shape {shape} over axes {axes}")


@implements(np.max, np.amax)
@method("max")
def max(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """The largest element over axes."""
    only_defaults("max", out=out, initial=initial, where=where)
    a = as_operand(a)
    axes = normalize_axes(axis, a._array.ndim, "max")
    _not_empty("max", a._array.shape, axes)
    return extremes.max_(a, axis=axes, keepdims=bool(keepdims))


@implements(np.min, np.amin)
@method("min")
def min(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """The smallest element over axes."""
    only_defaults("min", out=out, initial=initial, where=where)
    a = as_operand(a)
    axes = normalize_axes(axis, a._array.ndim, "min")
    _not_empty("min", a._array.shape, axes)
    return extremes.min_(a, axis=axes, keepdims=bool(keepdims))


@implements(np.ptp)
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """The largest element less the smallest, over axes."""
    only_defaults("ptp", out=out)
    return max(a, axis, keepdims=keepdims) - min(a, axis, keepdims=keepdims)


@implements(np.any)
@method("any")
def any(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True) -> Any:
    """Whether some element over axes is not zero."""
    only_defaults("any", out=out, where=where)
    a = as_operand(a)
    return reduce.any_(a, axis=normalize_axes(axis, a._array.ndim, "any"), keepdims=bool(keepdims))


@implements(np.all)
@method("all")
def all(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True) -> Any:
    """Whether no element over axes is zero."""
    only_defaults("all", out=out, where=where)
    a = as_operand(a)
    return reduce.all_(a, axis=normalize_axes(axis, a._array.ndim, "all"), keepdims=bool(keepdims))


@implements(np.count_nonzero)
def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """The number of elements over axes that are not zero."""
    return reduce.count_nonzero(as_operand(a), axis, keepdims)


@implements(np.var)
@method("var")
def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: float | None = None,
) -> Any:
    """The variance over axes; the sum of squares is divided by the number of elements less ``ddof``."""
    only_defaults("var", out=out, where=where)
    a = averaged(a, dtype)
    axes = normalize_axes(axis, a._array.ndim, "var")
    count = element_count(a._array.shape, axes)
    left = builtins.max(count - (ddof if correction is None else correction), 0)
    if mean is not None:
        squares = arithmetic.squared_difference(a, mean)
        squares = arithmetic.real(squares) if squares._array.dtype.kind == "c" else squares
        return reduce.sum_(squares, axis=axes, keepdims=bool(keepdims)) / left
    result = moments.variance(a, axis=axes, keepdims=bool(keepdims))
    return result if left == count else result * (count / left if left else np.inf)


@implements(np.std)
@method("std")
def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: float | None = None,
) -> Any:
    """The standard deviation over axes: the root of the variance. Of constant data its derivative is 0."""
    only_defaults("std", out=out, where=where)
    a = averaged(a, dtype)
    axes = normalize_axes(axis, a._array.ndim, "std")
    count = element_count(a._array.shape, axes)
    left = builtins.max(count - (ddof if correction is None else correction), 0)
    if mean is not None:
        norm = reduce.euclidean_norm(a - mean, axis=axes, keepdims=bool(keepdims))
        return norm / math.sqrt(left)
    result = moments.standard_deviation(a, axis=axes, keepdims=bool(keepdims))
    return result if left == count else result * (math.sqrt(count / left) if left else np.inf)


@implements(np.average)
def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False) -> Any:
    """The mean over axes, each element counting as much as its weight says."""
    a = averaged(a)
    shape = a._array.shape
    axes = normalize_axes(axis, len(shape), "average")
    if weights is None:
        result = reduce.mean_(a, axis=axes, keepdims=bool(keepdims))
        total = Tensor(np.full(result._array.shape, element_count(shape, axes), result._array.dtype))
        return (result, total) if returned else result
    weights = averaged(weights)
    if weights._array.shape != shape:
        if axis is None or weights._array.shape != tuple(shape[k] for k in axes):
            raise InvalidArgumentError(
                f"np.average: weights of shape {weights._array.shape} fit neither shape {shape} nor its axes {axes}"
            )
        weights = reshape_(weights, shape=tuple(n if k in axes else 1 for k, n in enumerate(shape)))
    total = reduce.sum_(weights, axis=axes, keepdims=bool(keepdims))
    result = reduce.sum_(a * weights, axis=axes, keepdims=bool(keepdims)) / total
    return (result, broadcast_to_(total, shape=result._array.shape)) if returned else result


def _position(name: str, find: Any, a: Any, axis: Any, out: Any, keepdims: bool) -> Any:
    only_defaults(name, out=out)
    a = as_operand(a)
    ndim = a._array.ndim
    if axis is None:
        a, along = reshape_(a, shape=(a._array.size,)), 0
    else:
        along = normalize_axis(axis, ndim, name)
    _not_empty(name, a._array.shape, (along,))
    result = find(a, axis=along, dtype=np.dtype(np.intp))
    if not keepdims:
        return result
    kept = (1,) * ndim if axis is None else tuple(1 if k == along else n for k, n in enumerate(a._array.shape))
    return reshape_(result, shape=kept)


@implements(np.argmax)
@method("argmax")
def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
    """The index along an axis, or among all elements, of the largest element."""
    return _position("argmax", extremes.argmax_, a, axis, out, keepdims)


@implements(np.argmin)
@method("argmin")
def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: bool = False) -> Any:
    """The index along an axis, or among all elements, of the smallest element."""
    return _position("argmin", extremes.argmin_, a, axis, out, keepdims)


# --- leaving NaN out -------------------------------------------------------------------------------------------------


def _filled(a: Any, value: Any) -> tuple[Any, Any]:
    """``a`` with a value in place of NaN, and where NaN was."""
    a = as_operand(a)
    missing = a != a
    return arithmetic.where_(missing, value, a), missing


@implements(np.nansum)
def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """The sum over axes of what is not NaN."""
    return sum(_filled(a, 0)[0], axis, dtype, out, keepdims, initial, where)


@implements(np.nanprod)
def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    """The product over axes of what is not NaN."""
    return prod(_filled(a, 1)[0], axis, dtype, out, keepdims, initial, where)


def _present(missing: Any, axis: Any, keepdims: bool, dtype: Any) -> Any:
    """How many elements over axes are not NaN."""
    return arithmetic.cast(count_nonzero(~missing, axis, keepdims=keepdims), dtype)


@implements(np.nanmean)
def nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    """The mean over axes of what is not NaN; of nothing, NaN."""
    only_defaults("nanmean", out=out, where=where)
    filled, missing = _filled(averaged(a, dtype), 0)
    return sum(filled, axis, keepdims=keepdims) / _present(missing, axis, keepdims, filled.dtype)


def _distances(a: Any, axis: Any, dtype: Any, mean: Any) -> tuple[Any, Any]:
    """The distances from the mean of what is not NaN, 0 in place of NaN, and where NaN was."""
    filled, missing = _filled(averaged(a, dtype), 0)
    if mean is None:
        mean = sum(filled, axis, keepdims=True) / _present(missing, axis, True, filled.dtype)
    return arithmetic.where_(missing, mean, filled) - mean, missing


@implements(np.nanvar)
def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: float | None = None,
) -> Any:
    """The variance over axes of what is not NaN."""
    only_defaults("nanvar", out=out, where=where)
    distances, missing = _distances(a, axis, dtype, mean)
    squares = arithmetic.real(distances * arithmetic.conj(distances))
    count = _present(missing, axis, keepdims, squares.dtype)
    return sum(squares, axis, keepdims=keepdims) / (count - (ddof if correction is None else correction))


@implements(np.nanstd)
def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: float | None = None,
) -> Any:
    """The standard deviation over axes of what is not NaN. Of constant data its derivative is 0."""
    only_defaults("nanstd", out=out, where=where)
    distances, missing = _distances(a, axis, dtype, mean)
    axes = normalize_axes(axis, distances._array.ndim, "nanstd")
    norm = reduce.euclidean_norm(distances, axis=axes, keepdims=bool(keepdims))
    count = _present(missing, axis, keepdims, norm.dtype)
    return norm / arithmetic.pow_(count - (ddof if correction is None else correction), 0.5)


def _extreme_of_present(name: str, extreme: Any, a: Any, axis: Any, keepdims: bool, empty: float) -> Any:
    a = as_operand(a)
    if a._array.dtype.kind in "biu":
        return extreme(a, axis, keepdims=keepdims)
    filled, missing = _filled(a, empty)
    none_left = all(missing, axis, keepdims=keepdims)
    return arithmetic.where_(none_left, np.nan, extreme(filled, axis, keepdims=keepdims))


@implements(np.nanmax)
def nanmax(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """The largest element over axes that is not NaN; NaN if there is none."""
    only_defaults("nanmax", out=out, initial=initial, where=where)
    return _extreme_of_present("nanmax", max, a, axis, keepdims, -np.inf)


@implements(np.nanmin)
def nanmin(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = True
) -> Any:
    """The smallest element over axes that is not NaN; NaN if there is none."""
    only_defaults("nanmin", out=out, initial=initial, where=where)
    return _extreme_of_present("nanmin", min, a, axis, keepdims, np.inf)
