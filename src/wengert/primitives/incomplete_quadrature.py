"""Derivatives of the incomplete gamma and beta functions by their shape parameters, to any order: the numerics.

Both functions are integrals of a density, and the derivatives of a density by its shape parameters are the density
times a polynomial in the derivatives of its logarithm. Those integrals are taken

- term by term over the power series, where a parameter is below 1 or the range is short, after R. J. Moore, "Algorithm
  AS 187: derivatives of the incomplete gamma integral" (1982);
- by Gauss-Legendre quadrature elsewhere, on a logarithmic scale (for beta: of the odds), where the integrand is
  log-concave and entire, on the side of the argument that holds the smaller part of the mass. So both tails are
  accurate relative to their own size. Compare R. J. Boik and J. F. Robinson-Cox, "Derivatives of the incomplete beta
  function" (1998), who differentiate a continued fraction twice.

Densities are evaluated in the saddle-point form of C. Loader, "Fast and accurate computation of binomial probabilities"
(2000), which keeps its digits for large parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import factorial
from typing import Any

import numpy as np

from wengert.arrays.lazy import scipy_special
from wengert.primitives.bell import beta_log_derivative, gamma_log_derivative, relative_derivative

__all__ = [
    "betainc_by_shapes",
    "igamma_by_shape",
    "scaled_beta_density",
    "scaled_gamma_density",
]

#: the integrand is cut off where it has dropped to exp(-_DROP) of its value at the argument
_DROP = 42.0
_NODES = 96
_SERIES_TERMS = 72
#: elements treated at once: the nodes of that many fit in the cache
_BLOCK = 1024
_HALF_LOG_TWO_PI = 0.9189385332046727

#: Stirling's series: lgamma(a) = (a - 1/2) log(a) - a + log(2 pi) / 2 + sum of these over a**(2 k + 1)
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)


def _with_factor(parameter: Any, order: int, derivative: Callable[[int], Any]) -> Any:
    """The derivative of ``parameter * f`` by the parameter, from those of ``f``.

    With it, ``1 / gamma(b)`` is ``b / gamma(b + 1)``: at a small parameter, derivatives of the former's logarithm are
    large and cancel.
    """
    whole = parameter * derivative(order)
    return whole + order * derivative(order - 1) if order else whole


def _polygamma(order: int, x: Any) -> Any:
    if order == 0:
        return scipy_special.psi(x)
    return (-1) ** (order + 1) * factorial(order) * scipy_special.zeta(order + 1.0, x)


def _stirling_error(a: Any) -> Any:
    """What Stirling's formula lacks of ``lgamma(a)``."""
    large = np.maximum(a, 10.0)
    inverse = 1 / (large * large)
    series = np.zeros_like(large)
    for coefficient in reversed(_STIRLING):
        series = series * inverse + coefficient
    small = np.minimum(a, 10.0)
    exact = scipy_special.gammaln(small) - (small - 0.5) * np.log(small) + small - _HALF_LOG_TWO_PI
    return np.where(a >= 10, series / large, exact)


def _deviance(a: Any, m: Any) -> Any:
    """``a log(a / m) + m - a``, also where ``m`` is close to ``a``."""
    r = (m - a) / a
    near = np.abs(r) < 0.125
    close = np.where(near, r, 0.0)
    series = np.zeros_like(close)
    for k in range(20, 1, -1):
        series = 1 / k - series * close
    return a * np.where(near, close * close * series, r - np.log(m / a))


def scaled_gamma_density(a: Any, x: Any) -> Any:
    """``x**a exp(-x) / gamma(a)``: ``x`` times the density of the gamma distribution."""
    return np.sqrt(a) * np.exp(-_HALF_LOG_TWO_PI - _stirling_error(a) - _deviance(a, x))


def scaled_beta_density(a: Any, b: Any, x: Any, y: Any) -> Any:
    """``x**a y**b / beta(a, b)`` with ``y = 1 - x``: ``x y`` times the density of the beta distribution."""
    s = a + b
    error = _stirling_error(s) - _stirling_error(a) - _stirling_error(b)
    exponent = error - _HALF_LOG_TWO_PI - _deviance(a, s * x) - _deviance(b, s * y)
    return np.sqrt(a) * np.sqrt(b / s) * np.exp(exponent)


@cache
def _nodes() -> tuple[Any, Any]:
    """Nodes and weights of the Gauss-Legendre rule on (0, 1)."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2


def _range(start: Any, drop: Callable[[Any], Any], slope: Callable[[Any], Any]) -> Any:
    """Where the convex function ``drop`` reaches ``_DROP``: Newton's method from ``start``, to the right of it."""
    end = start
    for _ in range(40):
        step = (drop(end) - _DROP) / slope(end)
        step = np.where(step > 0, step, 0.0)
        end = end - step
        if not np.any(step > 0.02 * end):
            break
    return end


def igamma_by_shape(a: Any, x: Any, order: int) -> Any:
    """The derivative of that order, at least 1, of the regularised lower incomplete gamma function by ``a``.

    Args:
        a: float64 array of positive parameters.
        x: float64 array of arguments, broadcastable with ``a``.

    Returns:
        A float64 array: NaN where a parameter is not positive or an argument is negative.
    """
    return _in_blocks(lambda a, x: _igamma_block(a, x, order), a, x)


def _igamma_block(a: Any, x: Any, order: int) -> Any:
    out = np.full(a.shape, np.nan)
    valid = (a > 0) & (x >= 0) & np.isfinite(a)
    inside = valid & (x > 0) & np.isfinite(x)
    out[valid & ~inside] = 0.0
    for chosen, rule in (
        (inside & (x <= 1.5), _igamma_series),
        (inside & (x > 1.5) & (x < a), _igamma_below),
        (inside & (x > 1.5) & (x >= a), _igamma_above),
    ):
        if chosen.any():
            out[chosen] = rule(a[chosen, None], x[chosen, None], order)
    return out


def _igamma_series(a: Any, x: Any, order: int) -> Any:
    """Term by term: the sum of ``x**(a + n) exp(-x) / gamma(a + n + 1)``."""
    shifted = a + 1 + np.arange(32.0)
    steps = np.concatenate([np.ones_like(a), x / shifted[:, :-1]], axis=1)
    terms = scaled_gamma_density(a, x) / a * np.multiply.accumulate(steps, axis=1)
    factor = relative_derivative((order, 0), gamma_log_derivative(_polygamma, np.log(x), shifted))
    return np.sum(terms * factor, axis=1)


def _igamma_below(a: Any, x: Any, order: int) -> Any:
    """The integral over ``t = x exp(-s)`` for ``s > 0``, where ``x < a``."""
    end = _range((_DROP + x) / a, lambda s: a * s + x * np.expm1(-s), lambda s: a - x * np.exp(-s))
    nodes, weights = _nodes()
    s = end * nodes
    factor = relative_derivative((order, 0), gamma_log_derivative(_polygamma, np.log(x) - s, a))
    integral = np.sum(np.exp(-(a * s + x * np.expm1(-s))) * factor * weights, axis=1, keepdims=True)
    return (scaled_gamma_density(a, x) * end * integral)[:, 0]


def _igamma_above(a: Any, x: Any, order: int) -> Any:
    """Minus the integral over ``t = x exp(s)`` for ``s > 0``, where ``x >= a``: the whole integral is constant."""
    end = _range(np.sqrt(2 * _DROP / x), lambda s: x * np.expm1(s) - a * s, lambda s: x * np.exp(s) - a)
    nodes, weights = _nodes()
    s = end * nodes
    logs = gamma_log_derivative(_polygamma, np.log(x) + s, a + 1)
    factor = _with_factor(a, order, lambda k: relative_derivative((k, 0), logs))
    integral = np.sum(np.exp(-(x * np.expm1(s) - a * s)) * factor * weights, axis=1, keepdims=True)
    return -(scaled_gamma_density(a, x) / a * end * integral)[:, 0]


def betainc_by_shapes(a: Any, b: Any, x: Any, orders: tuple[int, int]) -> Any:
    """The mixed derivative of the regularised incomplete beta function by ``a`` and ``b``.

    Args:
        a: float64 array of positive parameters.
        b: likewise, broadcastable.
        x: float64 array of arguments between 0 and 1, broadcastable.
        orders: how often to differentiate by ``a`` and by ``b``, at least once in all.

    Returns:
        A float64 array: NaN where a parameter is not positive or an argument lies outside.
    """
    return _in_blocks(lambda a, b, x: _betainc_block(a, b, x, orders), a, b, x)


def _betainc_block(a: Any, b: Any, x: Any, orders: tuple[int, int]) -> Any:
    out = np.full(a.shape, np.nan)
    valid = (a > 0) & (b > 0) & (x >= 0) & (x <= 1) & np.isfinite(a + b)
    inside = valid & (x > 0) & (x < 1)
    out[valid & ~inside] = 0.0
    y = 1 - x
    below = np.where((a < 1) & (b < 1), x <= 0.5, x <= a / (a + b))
    for chosen, sign, (p, q, u, v), (i, j) in (
        (inside & below, 1, (a, b, x, y), orders),
        (inside & ~below, -1, (b, a, y, x), orders[::-1]),
    ):
        for rows, rule in ((chosen & (p < 1), _betainc_series), (chosen & (p >= 1), _betainc_below)):
            if rows.any():
                p_, q_, u_, v_ = (k[rows, None] for k in (p, q, u, v))
                out[rows] = sign * rule(p_, q_, u_, v_, (i, j))
    return out


def _betainc_series(a: Any, b: Any, x: Any, y: Any, orders: tuple[int, int]) -> Any:
    """Term by term: the sum of ``x**(a + n) y**b gamma(a + b + n) / (gamma(a + 1 + n) gamma(b))``."""
    n = np.arange(float(_SERIES_TERMS))
    total, shifted = a + b + n, a + 1 + n
    steps = np.concatenate([np.ones_like(a), x * total[:, :-1] / shifted[:, :-1]], axis=1)
    terms = scaled_beta_density(a, b, x, y) / a * np.multiply.accumulate(steps, axis=1)
    logs = beta_log_derivative(_polygamma, np.log(x), _log_complement(x, y), shifted, b + 1, total)
    factor = _with_factor(b, orders[1], lambda j: relative_derivative((orders[0], j), logs))
    return np.sum(terms / b * factor, axis=1)


def _betainc_below(a: Any, b: Any, x: Any, y: Any, orders: tuple[int, int]) -> Any:
    """The integral over ``t / (1 - t) = x / y exp(-s)`` for ``s > 0``, where ``x`` is below the mean."""
    log_y = _log_complement(x, y)

    def logs_of(s: Any) -> tuple[Any, Any]:
        """The logarithms of ``t / x`` and ``(1 - t) / y``."""
        return -np.log1p(y * np.expm1(s)), -np.log1p(x * np.expm1(-s))

    def drop(s: Any) -> Any:
        low, high = logs_of(s)
        return -a * low - b * high

    # the softplus of log(x / y) is -log(y)
    end = _range((_DROP - (a + b) * log_y) / a, drop, lambda s: a - (a + b) * x / (1 + y * np.expm1(s)))
    nodes, weights = _nodes()
    low, high = logs_of(end * nodes)
    logs = beta_log_derivative(_polygamma, np.log(x) + low, log_y + high, a, b + 1, a + b)
    factor = _with_factor(b, orders[1], lambda j: relative_derivative((orders[0], j), logs))
    integral = np.sum(np.exp(a * low + b * high) * factor * weights, axis=1, keepdims=True)
    return (scaled_beta_density(a, b, x, y) / b * end * integral)[:, 0]


def _log_complement(x: Any, y: Any) -> Any:
    """``log(y)`` for ``y = 1 - x``, also where ``x`` is so small that ``y`` has lost its digits."""
    return np.where(x < 0.5, np.log1p(-x), np.log(y))


def _in_blocks(function: Callable[..., Any], *arrays: Any) -> Any:
    """The function over the broadcast arrays, flattened, a block of elements at a time."""
    arrays = tuple(np.broadcast_arrays(*(np.asarray(k, np.float64) for k in arrays)))
    flat = [k.reshape(-1) for k in arrays]
    with np.errstate(all="ignore"):
        blocks = [function(*(k[start : start + _BLOCK] for k in flat)) for start in range(0, flat[0].size, _BLOCK)]
    return np.concatenate([np.empty(0), *blocks]).reshape(arrays[0].shape)
