"""The gamma function's logarithm, its derivatives, and the zeta function."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.lazy import scipy_special
from wengert.errors import InvalidArgumentError
from wengert.primitives.bell import relative_derivative
from wengert.primitives.floating import from_float64, from_scipy, gives_floats
from wengert.primitives.primitive import primitive
from wengert.primitives.reduce import reduce_sum
from wengert.tensor import as_operand

__all__ = ["digamma", "lbeta", "lgamma", "polygamma", "zeta"]


@gives_floats
@primitive(elementwise=True)
def lgamma(xp: Any, x: Any) -> Any:
    """The logarithm of the absolute value of the gamma function, element-wise.

    >>> tf.math.lgamma([1.0, 2.0]).numpy().tolist()
    [0.0, 0.0]
    """
    return from_scipy("gammaln", x)


lgamma.vjp(lambda xp, g, x: g * xp.digamma(x))


@gives_floats
@primitive(elementwise=True)
def digamma(xp: Any, x: Any) -> Any:
    """The derivative of ``lgamma``, element-wise.

    >>> round(float(tf.math.digamma(1.0)), 4)  # minus Euler's constant
    -0.5772
    """
    return from_scipy("psi", x)


digamma.vjp(lambda xp, g, x: g * xp.polygamma(xp.ones_like(x), x))


@gives_floats
@primitive(elementwise=True)
def polygamma(xp: Any, a: Any, x: Any) -> Any:
    """The derivative of order ``a`` of the digamma function at ``x``, element-wise with broadcasting.

    Args:
        a: orders, as floats of whole value that are not negative; no gradient passes to them.
        x: arguments.

    >>> round(float(tf.math.polygamma(1.0, 1.0)), 4)  # pi**2 / 6
    1.6449
    """
    return from_scipy("polygamma", a, x)


polygamma.vjp(None, lambda xp, g, a, x: g * xp.polygamma(a + 1, x))


def lbeta(x: Any, name: str | None = None) -> Any:
    """The logarithm of the multivariate beta function along the last axis.

    Args:
        x: shape ``(..., n)``, floating; the function is ``prod(gamma(x)) / gamma(sum(x))``.

    Returns:
        A tensor of shape ``(...)``; minus infinity if ``n`` is 0.

    Raises:
        InvalidArgumentError: ``x`` has no axis.

    >>> round(float(tf.math.lbeta([1.0, 2.0])), 4)  # log(1 / 2)
    -0.6931
    """
    x = as_operand(x)
    if not x._array.ndim:
        raise InvalidArgumentError("lbeta: x needs at least one axis, along which the function is taken; got shape ()")
    return reduce_sum(lgamma(x), axis=-1) - lgamma(reduce_sum(x, axis=-1))


# --- zeta ------------------------------------------------------------------------------------------------------------


@gives_floats
@primitive(elementwise=True)
def zeta(xp: Any, x: Any, q: Any) -> Any:
    """Hurwitz's zeta function, the sum of ``(q + n) ** -x`` over ``n = 0, 1, 2, ...``; element-wise with broadcasting.

    Args:
        x: exponents above 1.
        q: shifts.

    The derivative by ``x`` is there for positive ``q``, unlike TensorFlow's.

    >>> round(float(tf.math.zeta(2.0, 1.0)), 4)  # pi**2 / 6
    1.6449
    """
    return from_scipy("zeta", x, q)


zeta.vjp(
    lambda xp, g, x, q: g * xp.zeta_by_exponent(x, q, order=1),
    lambda xp, g, x, q: -g * x * xp.zeta(x + 1, q),
)


@gives_floats
@primitive(elementwise=True)
def zeta_by_exponent(xp: Any, x: Any, q: Any, *, order: int) -> Any:
    """The derivative of that order, at least 1, of :func:`zeta` by ``x``; NaN where ``x <= 1`` or ``q <= 0``."""
    dtype = x.dtype
    x, q = np.broadcast_arrays(x.astype(np.float64), q.astype(np.float64))
    with np.errstate(all="ignore"):
        return from_float64(np.where((x > 1) & (q > 0), _zeta_by_exponent(x, q, order), np.nan), dtype)


@zeta_by_exponent.vjp_of("x")
def _zeta_by_exponent_vjp_x(xp: Any, g: Any, x: Any, q: Any, order: int) -> Any:
    return g * xp.zeta_by_exponent(x, q, order=order + 1)


@zeta_by_exponent.vjp_of("q")
def _zeta_by_exponent_vjp_q(xp: Any, g: Any, x: Any, q: Any, order: int) -> Any:
    # Leibniz's rule for the derivative -x zeta(x + 1, q) by q
    lower = xp.zeta(x + 1, q) if order == 1 else xp.zeta_by_exponent(x + 1, q, order=order - 1)
    return -g * (x * xp.zeta_by_exponent(x + 1, q, order=order) + order * lower)


def _zeta_by_exponent(x: Any, q: Any, order: int) -> Any:
    """Euler and Maclaurin's formula, every term differentiated by the exponent.

    Source: F. Johansson, "Rigorous high-precision computation of the Hurwitz zeta function and its derivatives" (2015).
    """
    terms, corrections = 14, 9
    total = np.sum([(-np.log(q + n)) ** order * (q + n) ** -x for n in range(terms)], axis=0)
    w = q + terms
    log_w, power = np.log(w), w**-x

    def term(log_derivative: Any) -> Any:
        return power * relative_derivative((order, 0), lambda m, n: log_derivative(m) - (log_w if m == 1 else 0.0))

    # the integral of the rest, w**(1 - x) / (x - 1), and half of its first term
    total = total + w / (x - 1) * term(lambda m: _logarithm_derivative(x - 1, m, -1))
    total = total + 0.5 * (-log_w) ** order * power
    rising, scale = x, 1 / w
    for j in range(1, corrections + 1):
        # B_2j / (2 j)! x (x + 1) ... (x + 2 j - 2) w**(-x - 2 j + 1)
        factors = [x + i for i in range(2 * j - 1)]
        coefficient = -((-1) ** j) * 2 * scipy_special.zeta(2.0 * j) / (2 * np.pi) ** (2 * j)
        derivative = term(lambda m, factors=factors: sum(_logarithm_derivative(f, m, 1) for f in factors))
        total = total + coefficient * rising * scale * derivative
        rising, scale = rising * (x + 2 * j - 1) * (x + 2 * j), scale / (w * w)
    return total


def _logarithm_derivative(f: Any, m: int, sign: int) -> Any:
    """The derivative of order ``m`` of ``sign * log(f)`` by ``f``."""
    return sign * (-1) ** (m - 1) * float(np.prod(np.arange(1, m))) / f**m
