"""Order statistics and correlation under NumPy's names."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from wengert.arrays.shapes import normalize_axes, reduced_shape
from wengert.errors import InvalidArgumentError, UnimplementedError
from wengert.numpy.dispatch import implements, only_defaults
from wengert.numpy.reduce import average, averaged
from wengert.primitives.arithmetic import cast, clip_by_value, conj, pow_, real, where_
from wengert.primitives.contract import matmul
from wengert.primitives.join import concat
from wengert.primitives.reduce import element_count
from wengert.primitives.shape import reshape_, transpose_
from wengert.primitives.sort import sort_
from wengert.tensor import Tensor, TensorLike, as_operand

__all__: list[str] = []

#: alpha and beta of the methods that interpolate; source: R. J. Hyndman and Y. Fan, "Sample quantiles in statistical
#: packages" (1996)
_INTERPOLATING: Final = {
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "linear": (1.0, 1.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
#: methods that choose an element, or two, by rounding the place of the method "linear"
_ROUNDING: Final = {"lower": np.floor, "higher": np.ceil, "nearest": np.rint}


@implements(np.quantile)
def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
    interpolation: Any = None,
) -> Any:
    """The quantiles ``q``, from 0 to 1, over axes; differentiable by ``a``, and by ``q`` if that is a tensor."""
    only_defaults("quantile", out=out, weights=weights, interpolation=interpolation)
    return _quantile("quantile", a, q, axis, method, keepdims)


@implements(np.percentile)
def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
    interpolation: Any = None,
) -> Any:
    """The percentiles ``q``, from 0 to 100, over axes; differentiable by ``a``, and by ``q`` if that is a tensor."""
    only_defaults("percentile", out=out, weights=weights, interpolation=interpolation)
    q = q / 100 if isinstance(q, TensorLike) else np.true_divide(q, 100)
    return _quantile("percentile", a, q, axis, method, keepdims)


@implements(np.median)
def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    """The median over axes: the middle element, or the mean of the two in the middle."""
    only_defaults("median", out=out)
    return _quantile("median", a, 0.5, axis, "linear", keepdims)


def _quantile(name: str, a: Any, q: Any, axis: Any, method: str, keepdims: bool) -> Any:
    a = averaged(a)
    shape = a._array.shape
    axes = normalize_axes(axis, len(shape), name)
    count = element_count(shape, axes)
    levels = np.asarray(q._array if isinstance(q, TensorLike) else q)
    if not np.all((levels >= 0) & (levels <= 1)):
        raise InvalidArgumentError(f"np.{name}: quantiles must be between 0 and 1 (percentiles, 0 and 100)")
    if not count:
        raise InvalidArgumentError(f"np.{name}: shape {shape} has no elements over axes {axes}")
    kept = tuple(k for k in range(len(shape)) if k not in axes)
    lines = reshape_(transpose_(a, axes=(*kept, *axes)), shape=(*(shape[k] for k in kept), count))
    ordered = sort_(lines, axis=len(kept), descending=False)
    result = _interpolated(name, ordered, q if isinstance(q, TensorLike) else levels, count, method)
    last = ordered[..., -1]
    extra = (None,) * levels.ndim
    result = where_((last != last)[(..., *extra)], np.nan, result)
    # the axes of q come first
    ndim = len(kept)
    result = transpose_(result, axes=(*range(ndim, ndim + levels.ndim), *range(ndim)))
    if keepdims:
        result = reshape_(result, shape=(*levels.shape, *reduced_shape(shape, axes, True)))
    return result


def _interpolated(name: str, ordered: Any, q: Any, count: int, method: str) -> Any:
    """The elements of sorted lines at the places that the quantiles name, interpolated as the method says."""
    alpha, beta = _INTERPOLATING.get(method, (1.0, 1.0))
    place = q * (count - alpha - beta + 1) + (alpha - 1)
    known = np.clip(np.asarray(place._array if isinstance(place, TensorLike) else place), 0, count - 1)
    if method in _ROUNDING:
        return ordered[..., _ROUNDING[method](known).astype(np.intp)]
    below, above = np.floor(known).astype(np.intp), np.ceil(known).astype(np.intp)
    low, high = ordered[..., below], ordered[..., above]
    if method == "midpoint":
        return (low + high) / 2
    if method not in _INTERPOLATING:
        names = ", ".join((*_INTERPOLATING, *_ROUNDING, "midpoint"))
        raise UnimplementedError(f"np.{name}: method {method!r} is not available for tensors; use one of {names}")
    if isinstance(q, TensorLike):
        fraction = cast(clip_by_value(place, 0, count - 1) - Tensor(below.astype(place._array.dtype)), ordered.dtype)
    else:
        fraction = Tensor((known - below).astype(ordered._array.dtype))
    return low + (high - low) * fraction


@implements(np.cov)
def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    """The covariance matrix of variables, which are the rows (or columns) of ``m`` and ``y``."""
    variables = _variables(m, rowvar, dtype)
    if y is not None:
        variables = concat([variables, _variables(y, rowvar, dtype)], 0)
    count = variables._array.shape[1]
    ddof = (0 if bias else 1) if ddof is None else ddof
    weights, divisor = None, float(count - ddof)
    if fweights is not None or aweights is not None:
        frequency = np.ones(count) if fweights is None else np.asarray(fweights, np.float64)
        importance = np.ones(count) if aweights is None else np.asarray(aweights, np.float64)
        w = frequency * importance
        weights = Tensor(w.astype(np.empty(0, variables._array.dtype).real.dtype))
        spread = ddof if aweights is None else ddof * float(np.sum(w * importance)) / float(np.sum(w))
        divisor = float(np.sum(w)) - spread
    centered = variables - average(variables, 1, weights, keepdims=True)
    weighted = centered if weights is None else centered * weights
    product = matmul(weighted, transpose_(conj(centered), axes=(1, 0))) * (1 / divisor if divisor > 0 else np.inf)
    return reshape_(product, shape=()) if product._array.size == 1 else product


def _variables(m: Any, rowvar: bool, dtype: Any) -> Any:
    m = averaged(m, dtype)
    if m._array.ndim > 2:
        raise InvalidArgumentError(f"np.cov: takes at most two axes, got shape {m._array.shape}")
    if m._array.ndim < 2:
        return reshape_(m, shape=(1, m._array.size))
    return m if rowvar or m._array.shape[0] == 1 else transpose_(m, axes=(1, 0))


@implements(np.corrcoef)
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    """The correlation matrix of variables, which are the rows (or columns) of ``x`` and ``y``."""
    c = cov(x, y, rowvar, dtype=dtype)
    if not c._array.ndim:
        return c / c
    diagonal = np.arange(c._array.shape[0])
    deviation = pow_(real(as_operand(c)[diagonal, diagonal]), 0.5)
    result = c / deviation[:, None] / deviation[None, :]
    return result if result._array.dtype.kind == "c" else clip_by_value(result, -1.0, 1.0)
