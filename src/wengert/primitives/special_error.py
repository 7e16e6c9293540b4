"""The error function and other integrals of elementary functions: Dawson's, Fresnel's, exponential, dilogarithm."""

from __future__ import annotations

from math import factorial, pi, sqrt
from typing import Any

import numpy as np

from wengert.arrays.lazy import scipy_special
from wengert.primitives.floating import floating_dtype, from_float64, from_scipy, gives_floats
from wengert.primitives.primitive import primitive

__all__ = [
    "dawsn",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "expint",
    "fresnel_cos",
    "fresnel_sin",
    "ndtri",
    "spence",
]

_TWO_OVER_SQRT_PI = 2 / sqrt(pi)
_HALF_SQRT_PI = sqrt(pi) / 2
_SQRT_TWO_PI = sqrt(2 * pi)


@gives_floats
@primitive(elementwise=True)
def erf(xp: Any, x: Any) -> Any:
    """The error function, element-wise: the integral of ``2 / sqrt(pi) exp(-t**2)`` from 0 to ``x``.

    >>> tf.math.erf([0.0, 10.0]).numpy().tolist()
    [0.0, 1.0]
    """
    return from_scipy("erf", x)


erf.vjp(lambda xp, g, x: g * (_TWO_OVER_SQRT_PI * xp.exp(-x * x)))


@gives_floats
@primitive(elementwise=True)
def erfc(xp: Any, x: Any) -> Any:
    """``1 - erf(x)``, element-wise, exact also where it is small.

    >>> tf.math.erfc([0.0]).numpy().tolist()
    [1.0]
    """
    return from_scipy("erfc", x)


erfc.vjp(lambda xp, g, x: g * (-_TWO_OVER_SQRT_PI * xp.exp(-x * x)))


@gives_floats
@primitive(elementwise=True)
def erfinv(xp: Any, x: Any) -> Any:
    """The inverse of :func:`erf`, element-wise.

    >>> tf.math.erfinv([0.0]).numpy().tolist()
    [0.0]
    """
    return from_scipy("erfinv", x)


erfinv.vjp(lambda xp, g, out: g * (_HALF_SQRT_PI * xp.exp(out * out)))


@gives_floats
@primitive(elementwise=True)
def erfcinv(xp: Any, x: Any) -> Any:
    """The inverse of :func:`erfc`, element-wise.

    >>> round(float(tf.math.erfcinv(0.5)), 4)
    0.4769
    """
    return from_scipy("erfcinv", x)


erfcinv.vjp(lambda xp, g, out: g * (-_HALF_SQRT_PI * xp.exp(out * out)))


@gives_floats
@primitive(elementwise=True)
def ndtri(xp: Any, x: Any) -> Any:
    """The inverse of the standard normal distribution function, element-wise.

    >>> tf.math.ndtri([0.5]).numpy().tolist()
    [0.0]
    """
    return from_scipy("ndtri", x)


ndtri.vjp(lambda xp, g, out: g * (_SQRT_TWO_PI * xp.exp(0.5 * out * out)))


@gives_floats
@primitive(elementwise=True)
def dawsn(xp: Any, x: Any) -> Any:
    """Dawson's integral ``exp(-x**2)`` times the integral of ``exp(t**2)`` from 0 to ``x``, element-wise.

    >>> tf.math.special.dawsn([0.0]).numpy().tolist()
    [0.0]
    """
    return from_scipy("dawsn", x)


dawsn.vjp(lambda xp, g, x, out: g * (1 - 2 * x * out))


@gives_floats
@primitive(elementwise=True)
def expint(xp: Any, x: Any) -> Any:
    """The exponential integral Ei, element-wise: the integral of ``exp(t) / t`` from minus infinity to ``x``.

    >>> round(float(tf.math.special.expint(1.0)), 4)
    1.8951
    """
    return from_scipy("expi", x)


expint.vjp(lambda xp, g, x: g * xp.exp(x) / x)


def _fresnel(which: int, x: Any) -> Any:
    wide = x.astype(np.float64) if x.dtype.kind != "c" else x
    return scipy_special.fresnel(wide)[which].astype(floating_dtype(x.dtype), copy=False)


@gives_floats
@primitive(elementwise=True)
def fresnel_cos(xp: Any, x: Any) -> Any:
    """Fresnel's integral of ``cos(pi / 2 t**2)`` from 0 to ``x``, element-wise.

    >>> tf.math.special.fresnel_cos([0.0]).numpy().tolist()
    [0.0]
    """
    return _fresnel(1, x)


fresnel_cos.vjp(lambda xp, g, x: g * xp.cos(pi / 2 * (x * x)))


@gives_floats
@primitive(elementwise=True)
def fresnel_sin(xp: Any, x: Any) -> Any:
    """Fresnel's integral of ``sin(pi / 2 t**2)`` from 0 to ``x``, element-wise.

    >>> tf.math.special.fresnel_sin([0.0]).numpy().tolist()
    [0.0]
    """
    return _fresnel(0, x)


fresnel_sin.vjp(lambda xp, g, x: g * xp.sin(pi / 2 * (x * x)))


@gives_floats
@primitive(elementwise=True)
def spence(xp: Any, x: Any) -> Any:
    """Spence's integral of ``log(t) / (1 - t)`` from 1 to ``x``, element-wise: the dilogarithm of ``1 - x``.

    >>> tf.math.special.spence([1.0]).numpy().tolist()
    [0.0]
    """
    return from_scipy("spence", x)


spence.vjp(lambda xp, g, x: g * xp.logarithm_over_complement(x, order=0))


@gives_floats
@primitive(elementwise=True)
def logarithm_over_complement(xp: Any, x: Any, *, order: int) -> Any:
    """The derivative of that order of ``log(x) / (1 - x)``, whose singularity at 1 is removable."""
    wide = x.astype(np.float64)
    y = wide - 1
    near = np.abs(y) < 0.25
    # the series of -log(1 + y) / y, differentiated term by term
    close = np.where(near, y, 0.0)
    series = np.zeros_like(close)
    for n in range(32, -1, -1):
        coefficient = (-1) ** (n + order + 1) * factorial(n + order) / factorial(n) / (n + order + 1)
        series = series * close + coefficient
    # f (1 - x) = log(x), differentiated
    far = np.where(near, 0.5, wide)
    with np.errstate(all="ignore"):
        value = np.log(far) / (1 - far)
        for k in range(1, order + 1):
            value = (k * value + (-1) ** (k - 1) * factorial(k - 1) / far**k) / (1 - far)
    return from_float64(np.where(near, series, value), x.dtype)


@logarithm_over_complement.vjp
def _logarithm_over_complement_vjp(xp: Any, g: Any, x: Any, order: int) -> Any:
    return g * xp.logarithm_over_complement(x, order=order + 1)
