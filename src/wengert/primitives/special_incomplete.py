"""Incomplete gamma and beta functions, with exact derivatives by every argument, of every order.

What a derivative is made of is closed under differentiation: the functions, their densities, and their derivatives by
the shape parameters, whose order is a parameter of the primitive.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.primitives import incomplete_quadrature as quadrature
from wengert.primitives.bell import beta_log_derivative, gamma_log_derivative, relative_derivative
from wengert.primitives.floating import from_float64, from_scipy, gives_floats
from wengert.primitives.primitive import primitive

__all__ = ["betainc", "igamma", "igammac"]


@gives_floats
@primitive(elementwise=True)
def igamma(xp: Any, a: Any, x: Any) -> Any:
    """The regularised lower incomplete gamma function P(a, x), element-wise with broadcasting.

    Args:
        a: positive shape parameters.
        x: arguments that are not negative.

    Returns:
        The distribution function of the gamma distribution: the integral of ``t**(a - 1) exp(-t) / gamma(a)`` from 0 to
        ``x``. Derivatives by both arguments are exact, of any order.

    >>> round(float(tf.math.igamma(1.0, 2.0)), 4)  # 1 - exp(-2)
    0.8647
    """
    return from_scipy("gammainc", a, x)


@gives_floats
@primitive(elementwise=True)
def igammac(xp: Any, a: Any, x: Any) -> Any:
    """The regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x), element-wise with broadcasting.

    Args:
        a: positive shape parameters.
        x: arguments that are not negative.

    >>> round(float(tf.math.igammac(1.0, 2.0)), 4)  # exp(-2)
    0.1353
    """
    return from_scipy("gammaincc", a, x)


@gives_floats
@primitive(elementwise=True)
def igamma_by_shape(xp: Any, a: Any, x: Any, *, order: int) -> Any:
    """The derivative of that order, at least 1, of :func:`igamma` by ``a``."""
    return from_float64(quadrature.igamma_by_shape(a, x, order), a.dtype)


@gives_floats
@primitive(elementwise=True)
def gamma_density(xp: Any, a: Any, x: Any) -> Any:
    """``x**(a - 1) exp(-x) / gamma(a)``, the derivative of :func:`igamma` by ``x``."""
    shape, argument = a.astype(np.float64), x.astype(np.float64)
    with np.errstate(all="ignore"):
        at_zero = np.where(shape < 1, np.inf, np.where(shape == 1, 1.0, 0.0))
        inside = quadrature.scaled_gamma_density(shape, argument) / argument
        inside = np.where(argument == np.inf, 0.0, inside)
        return from_float64(np.where(argument == 0, at_zero, inside), a.dtype)


igamma.vjp(
    lambda xp, g, a, x: g * xp.igamma_by_shape(a, x, order=1),
    lambda xp, g, a, x: g * xp.gamma_density(a, x),
)
igammac.vjp(
    lambda xp, g, a, x: -g * xp.igamma_by_shape(a, x, order=1),
    lambda xp, g, a, x: -g * xp.gamma_density(a, x),
)
# no product with an infinite logarithm where the density is 0
gamma_density.vjp(
    lambda xp, g, a, x, out: g * xp.multiply_no_nan(xp.log(x) - xp.digamma(a), out),
    lambda xp, g, a, x, out: g * xp.multiply_no_nan(xp.divide_no_nan(a - 1, x) - 1, out),
)


@igamma_by_shape.vjp_of("a")
def _igamma_by_shape_vjp_a(xp: Any, g: Any, a: Any, x: Any, order: int) -> Any:
    return g * xp.igamma_by_shape(a, x, order=order + 1)


@igamma_by_shape.vjp_of("x")
def _igamma_by_shape_vjp_x(xp: Any, g: Any, a: Any, x: Any, order: int) -> Any:
    logs = gamma_log_derivative(_polygamma_in(xp), xp.log(x), a)
    return g * xp.multiply_no_nan(relative_derivative((order, 0), logs), xp.gamma_density(a, x))


@gives_floats
@primitive(elementwise=True)
def betainc(xp: Any, a: Any, b: Any, x: Any) -> Any:
    """The regularised incomplete beta function I_x(a, b), element-wise with broadcasting.

    Args:
        a: positive shape parameters.
        b: positive shape parameters.
        x: arguments between 0 and 1.

    Returns:
        The distribution function of the beta distribution: the integral of ``t**(a - 1) (1 - t)**(b - 1) / beta(a, b)``
        from 0 to ``x``. Derivatives by all three are exact, of any order; TensorFlow's, by ``a`` and ``b``, are None.

    >>> round(float(tf.math.betainc(2.0, 2.0, 0.5)), 4)
    0.5
    """
    return from_scipy("betainc", a, b, x)


@gives_floats
@primitive(elementwise=True)
def betainc_by_shapes(xp: Any, a: Any, b: Any, x: Any, *, orders: tuple[int, int]) -> Any:
    """The derivative of those orders, at least 1 in all, of :func:`betainc` by ``a`` and ``b``."""
    return from_float64(quadrature.betainc_by_shapes(a, b, x, orders), a.dtype)


@gives_floats
@primitive(elementwise=True)
def beta_density(xp: Any, a: Any, b: Any, x: Any) -> Any:
    """``x**(a - 1) (1 - x)**(b - 1) / beta(a, b)``, the derivative of :func:`betainc` by ``x``."""
    p, q, u = (k.astype(np.float64) for k in (a, b, x))
    v = 1 - u
    with np.errstate(all="ignore"):
        inside = quadrature.scaled_beta_density(p, q, u, v) / (u * v)
        # at an end the density is the parameter 1's total mass, 0 or infinite
        low = np.where(p < 1, np.inf, np.where(p == 1, q, 0.0))
        high = np.where(q < 1, np.inf, np.where(q == 1, p, 0.0))
        return from_float64(np.where(u == 0, low, np.where(v == 0, high, inside)), a.dtype)


betainc.vjp(
    lambda xp, g, a, b, x: g * xp.betainc_by_shapes(a, b, x, orders=(1, 0)),
    lambda xp, g, a, b, x: g * xp.betainc_by_shapes(a, b, x, orders=(0, 1)),
    lambda xp, g, a, b, x: g * xp.beta_density(a, b, x),
)
beta_density.vjp(
    lambda xp, g, a, b, x, out: g * xp.multiply_no_nan(xp.log(x) - (xp.digamma(a) - xp.digamma(a + b)), out),
    lambda xp, g, a, b, x, out: g * xp.multiply_no_nan(xp.log1p(-x) - (xp.digamma(b) - xp.digamma(a + b)), out),
    lambda xp, g, a, b, x, out: (
        g * xp.multiply_no_nan(xp.divide_no_nan(a - 1, x) - xp.divide_no_nan(b - 1, 1 - x), out)
    ),
)


@betainc_by_shapes.vjp_of("a")
def _betainc_by_shapes_vjp_a(xp: Any, g: Any, a: Any, b: Any, x: Any, orders: tuple[int, int]) -> Any:
    return g * xp.betainc_by_shapes(a, b, x, orders=(orders[0] + 1, orders[1]))


@betainc_by_shapes.vjp_of("b")
def _betainc_by_shapes_vjp_b(xp: Any, g: Any, a: Any, b: Any, x: Any, orders: tuple[int, int]) -> Any:
    return g * xp.betainc_by_shapes(a, b, x, orders=(orders[0], orders[1] + 1))


@betainc_by_shapes.vjp_of("x")
def _betainc_by_shapes_vjp_x(xp: Any, g: Any, a: Any, b: Any, x: Any, orders: tuple[int, int]) -> Any:
    logs = beta_log_derivative(_polygamma_in(xp), xp.log(x), xp.log1p(-x), a, b, a + b)
    return g * xp.multiply_no_nan(relative_derivative(orders, logs), xp.beta_density(a, b, x))


def _polygamma_in(xp: Any) -> Any:
    """The polygamma functions of the namespace, by an order that is a Python number."""
    return lambda order, x: xp.polygamma(order * xp.ones_like(x), x) if order else xp.digamma(x)
