"""Element-wise mathematics under NumPy's names, where they differ from the primitives'."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.errors import InvalidArgumentError
from wengert.numpy.basic import where
from wengert.numpy.dispatch import implements, method, only_defaults
from wengert.primitives import arithmetic, compositions, rounding, trigonometric
from wengert.primitives.exponential import logaddexp as log_add_exp
from wengert.primitives.floating import floating_dtype
from wengert.primitives.index import getitem
from wengert.primitives.join import concat
from wengert.primitives.sort import sorted_places
from wengert.primitives.special_bessel import bessel_i0
from wengert.tensor import as_operand, convert_to_tensor

__all__: list[str] = []

_LOG_2 = 0.6931471805599453


def _floats(x: Any) -> Any:
    """``x`` as a tensor, integers as float64."""
    x = as_operand(x)
    return arithmetic.cast(x, np.float64) if x._array.dtype.kind in "iub" else x


for _ufunc, _primitive in {
    np.arcsin: trigonometric.asin,
    np.arccos: trigonometric.acos,
    np.arctan: trigonometric.atan,
    np.arctan2: trigonometric.atan2,
    np.arcsinh: trigonometric.asinh,
    np.arccosh: trigonometric.acosh,
    np.arctanh: trigonometric.atanh,
    np.degrees: trigonometric.rad2deg,
    np.radians: trigonometric.deg2rad,
    np.fabs: arithmetic.absolute,
    np.fmod: rounding.truncatemod,
    np.isfinite: rounding.is_finite,
    np.isinf: rounding.is_inf,
    np.isnan: rounding.is_nan,
    np.sinc: trigonometric.sinc,
    np.fix: rounding.trunc,
}.items():
    implements(_ufunc)(_primitive.function)


@implements(np.logaddexp2)
def logaddexp2(x: Any, y: Any) -> Any:
    """The logarithm to base 2 of the sum of two powers of 2."""
    x, y = log_add_exp.align((x, y))
    return log_add_exp(x * _LOG_2, y * _LOG_2) / _LOG_2


@implements(np.float_power)
def float_power(x: Any, y: Any) -> Any:
    """``x`` to the power ``y``, in float64 or complex128."""
    x, y = arithmetic.power.align((x, y))
    wide = np.result_type(x._array.dtype, np.float64)
    return arithmetic.pow_(arithmetic.cast(x, wide), arithmetic.cast(y, wide))


@implements(np.copysign)
def copysign(x1: Any, x2: Any) -> Any:
    """The magnitude of ``x1`` with the sign of ``x2``."""
    size = arithmetic.absolute(_floats(x1))
    return arithmetic.where_(rounding.signbit(x2), -size, size)


@implements(np.heaviside)
def heaviside(x1: Any, x2: Any) -> Any:
    """0 for negative ``x1``, 1 for positive, and ``x2`` for 0."""
    x1, x2 = arithmetic.add.align((x1, x2))
    x1, x2 = _floats(x1), _floats(x2)
    return arithmetic.where_(x1 == 0, x2, 0.5 * (arithmetic.sign(x1) + 1))


def _ignoring_nan(rule: Any, x: Any, y: Any) -> Any:
    x, y = rule.align((x, y))
    return arithmetic.where_(rounding.is_nan(x), y, arithmetic.where_(rounding.is_nan(y), x, rule(x, y)))


@implements(np.fmax)
def fmax(x1: Any, x2: Any) -> Any:
    """The larger of two numbers, or the one that is a number."""
    return _ignoring_nan(arithmetic.maximum, x1, x2)


@implements(np.fmin)
def fmin(x1: Any, x2: Any) -> Any:
    """The smaller of two numbers, or the one that is a number."""
    return _ignoring_nan(arithmetic.minimum, x1, x2)


@implements(np.divmod)
def divmod(x1: Any, x2: Any) -> tuple[Any, Any]:
    """The quotient, rounded down, and the remainder."""
    return arithmetic.floordiv(x1, x2), arithmetic.floormod(x1, x2)


@implements(np.angle)
def angle(z: Any, deg: bool = False) -> Any:
    """The argument of complex numbers, in radians or degrees."""
    radians = trigonometric.angle(_floats(z))
    return trigonometric.rad2deg(radians) if deg else radians


@implements(np.i0)
def i0(x: Any) -> Any:
    """The modified Bessel function of the first kind, of order 0."""
    return bessel_i0(x)


@implements(np.isposinf)
def isposinf(x: Any, out: Any = None) -> Any:
    """Whether ``x`` is positive infinity."""
    only_defaults("isposinf", out=out)
    return as_operand(x) == np.inf


@implements(np.isneginf)
def isneginf(x: Any, out: Any = None) -> Any:
    """Whether ``x`` is negative infinity."""
    only_defaults("isneginf", out=out)
    return as_operand(x) == -np.inf


@implements(np.isclose)
def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether two tensors are equal up to tolerances, element-wise."""
    return rounding.isclose(a, b, rtol=float(rtol), atol=float(atol), equal_nan=bool(equal_nan))


@implements(np.allclose)
def allclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether two tensors are equal up to tolerances."""
    return bool(isclose(a, b, rtol, atol, equal_nan)._array.all())


# --- limiting and rounding -------------------------------------------------------------------------------------------


@implements(np.clip)
def clip(
    a: Any,
    a_min: Any = np._NoValue,
    a_max: Any = np._NoValue,
    out: Any = None,
    *,
    min: Any = np._NoValue,
    max: Any = np._NoValue,
) -> Any:
    """The elements limited to a range; a bound that is None is no bound. On a bound, the gradient belongs to ``a``."""
    only_defaults("clip", out=out)
    low, high = (new if old is np._NoValue else old for old, new in ((a_min, min), (a_max, max)))
    a = as_operand(a)
    return arithmetic.clip(a, _bound(low, a._array.dtype, -1), _bound(high, a._array.dtype, 1))


def _bound(bound: Any, dtype: np.dtype[Any], sign: int) -> Any:
    if bound is not None and bound is not np._NoValue:
        return bound
    if dtype.kind not in "iu":
        return sign * np.inf
    return dtype.type(np.iinfo(dtype).max if sign > 0 else np.iinfo(dtype).min)


@method("clip")
def _clip(self: Any, min: Any = None, max: Any = None, out: Any = None) -> Any:
    """The elements limited to a range."""
    return clip(self, min, max, out)


@implements(np.round, np.around)
@method("round")
def round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    """The elements rounded to that number of decimals, halves to even; no gradient passes."""
    only_defaults("round", out=out)
    a = as_operand(a)
    if decimals == 0:
        return rounding.round_(a)
    if decimals > 0 and a._array.dtype.kind in "iub":
        return a
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return rounding.round_(a * scale) / scale
    rounded = rounding.round_(_floats(a) / scale) * scale
    return arithmetic.cast(rounded, a._array.dtype)


@implements(np.nan_to_num)
def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """NaN and the infinities replaced by numbers: by default 0 and the largest ones of the dtype."""
    x = as_operand(x)
    if x._array.dtype.kind in "iub":
        return x
    limit = float(x.dtype.max)
    x = where(rounding.is_nan(x), nan, x)
    x = where(x == np.inf, limit if posinf is None else posinf, x)
    return where(x == -np.inf, -limit if neginf is None else neginf, x)


@implements(np.polyval)
def polyval(p: Any, x: Any) -> Any:
    """The polynomial with the coefficients ``p``, of shape ``(n,)`` and the highest power's first, at ``x``."""
    p, x = arithmetic.add.align((p, x))
    return compositions.polyval([p[k] for k in range(len(p))], x)


# --- interpolation ---------------------------------------------------------------------------------------------------


@implements(np.interp)
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """Piecewise linear interpolation, differentiable by ``x``, ``xp`` and ``fp``.

    Args:
        x: where to evaluate, of any shape.
        xp: increasing points, of shape ``(n,)``; with a period, in any order.
        fp: values at them, of shape ``(n,)``.
        left: the value below ``xp[0]``, by default ``fp[0]``.
        right: the value above ``xp[-1]``, by default ``fp[-1]``.
        period: of the function, in which case ``left`` and ``right`` do not matter.

    Raises:
        InvalidArgumentError: ``xp`` and ``fp`` are not of one shape ``(n,)`` with ``n > 0``, or the period is 0.
    """
    x, points, values = _of_one_precision(x, xp, fp)
    if points._array.ndim != 1 or points._array.shape != values._array.shape or not points._array.size:
        raise InvalidArgumentError(
            f"interp: xp and fp must have one shape (n,) with n > 0, got {points._array.shape} and "
            f"{values._array.shape}"
        )
    if period is not None:
        if period == 0:
            raise InvalidArgumentError("interp: the period must not be 0")
        x, points, values = _unrolled(x, points, values, abs(period))
        left = right = None
    last = points._array.size - 1
    place = sorted_places(points, x, side="right", dtype=np.dtype(np.intp)) - 1
    below = arithmetic.clip(place, 0, max(last - 1, 0))
    above = arithmetic.minimum(below + 1, last)
    start, height = getitem(points, below), getitem(values, below)
    weight = arithmetic.divide_no_nan(x - start, getitem(points, above) - start)
    inside = height + weight * (getitem(values, above) - height)
    inside = arithmetic.where_(x < points[0], values[0] if left is None else left, inside)
    return arithmetic.where_(x > points[last], values[last] if right is None else right, inside)


def _of_one_precision(*values: Any) -> tuple[Any, ...]:
    """Tensors of the widest floating dtype among the arrays and tensors, which Python's numbers and lists adopt."""
    known = [floating_dtype(np.dtype(v.dtype)) for v in values if hasattr(v, "dtype")]
    wide = np.result_type(*known)
    real = np.empty(0, wide).real.dtype
    tensors = [as_operand(v) if hasattr(v, "dtype") else convert_to_tensor(v, dtype=wide) for v in values]
    return tuple(t if t._array.dtype.kind == "c" else arithmetic.cast(t, real) for t in tensors)


def _unrolled(x: Any, points: Any, values: Any, period: float) -> tuple[Any, Any, Any]:
    """Everything within one period, and the outermost points repeated beyond both of its ends."""
    x, points = x % period, points % period
    order = np.argsort(points._array, stable=True)
    points, values = getitem(points, order), getitem(values, order)
    around = concat([points[-1:] - period, points, points[:1] + period], 0)
    return x, around, concat([values[-1:], values, values[:1]], 0)
