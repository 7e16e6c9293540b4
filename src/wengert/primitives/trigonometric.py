"""Trigonometric and hyperbolic functions, and their inverses."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from wengert.arrays.lazy import scipy_special
from wengert.arrays.shapes import Spec
from wengert.primitives.floating import from_float64, gives_floats
from wengert.primitives.primitive import primitive

__all__ = [
    "acos",
    "acosh",
    "angle",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "deg2rad",
    "rad2deg",
    "sin",
    "sinc",
    "sinh",
    "spherical_bessel_j",
    "tan",
    "tanh",
]


@gives_floats
@primitive(elementwise=True)
def sin(xp: Any, x: Any) -> Any:
    """The sine, element-wise.

    >>> tf.sin([0.0]).numpy().tolist()
    [0.0]
    """
    return xp.sin(x)


sin.vjp(lambda xp, g, x: g * xp.cos(x))


@gives_floats
@primitive(elementwise=True)
def cos(xp: Any, x: Any) -> Any:
    """The cosine, element-wise.

    >>> tf.cos([0.0]).numpy().tolist()
    [1.0]
    """
    return xp.cos(x)


cos.vjp(lambda xp, g, x: -g * xp.sin(x))


@gives_floats
@primitive(elementwise=True)
def tan(xp: Any, x: Any) -> Any:
    """The tangent, element-wise.

    >>> tf.tan([0.0]).numpy().tolist()
    [0.0]
    """
    return xp.tan(x)


tan.vjp(lambda xp, g, out: g * (1 + out * out))


@gives_floats
@primitive(elementwise=True)
def asin(xp: Any, x: Any) -> Any:
    """The inverse of the sine, element-wise; its derivative at -1 and 1 is infinite.

    >>> tf.asin([0.0]).numpy().tolist()
    [0.0]
    """
    return xp.asin(x)


asin.vjp(lambda xp, g, x: g / xp.sqrt((1 - x) * (1 + x)))


@gives_floats
@primitive(elementwise=True)
def acos(xp: Any, x: Any) -> Any:
    """The inverse of the cosine, element-wise; its derivative at -1 and 1 is infinite.

    >>> tf.acos([1.0]).numpy().tolist()
    [0.0]
    """
    return xp.acos(x)


acos.vjp(lambda xp, g, x: -g / xp.sqrt((1 - x) * (1 + x)))


@gives_floats
@primitive(elementwise=True)
def atan(xp: Any, x: Any) -> Any:
    """The inverse of the tangent, element-wise.

    >>> tf.atan([0.0]).numpy().tolist()
    [0.0]
    """
    return xp.atan(x)


atan.vjp(lambda xp, g, x: g / (1 + x * x))


@gives_floats
@primitive(elementwise=True)
def atan2(xp: Any, y: Any, x: Any) -> Any:
    """The angle of the point ``(x, y)``, element-wise with broadcasting; its derivatives at the origin are taken as 0.

    >>> tf.atan2([0.0], [-1.0]).numpy().tolist()
    [3.1415927410125732]
    """
    return xp.atan2(y, x)


def _over_square(xp: Any, side: Any, y: Any, x: Any) -> Any:
    """``side / (x**2 + y**2)``, without overflow, and 0 at the origin."""
    radius = xp.hypot(x, y)
    return xp.divide_no_nan(xp.divide_no_nan(side, radius), radius)


atan2.vjp(
    lambda xp, g, y, x: g * _over_square(xp, x, y, x),
    lambda xp, g, y, x: -g * _over_square(xp, y, y, x),
)


@gives_floats
@primitive(elementwise=True)
def sinh(xp: Any, x: Any) -> Any:
    """The hyperbolic sine, element-wise.

    >>> tf.sinh([0.0]).numpy().tolist()
    [0.0]
    """
    return xp.sinh(x)


sinh.vjp(lambda xp, g, x: g * xp.cosh(x))


@gives_floats
@primitive(elementwise=True)
def cosh(xp: Any, x: Any) -> Any:
    """The hyperbolic cosine, element-wise.

    >>> tf.cosh([0.0]).numpy().tolist()
    [1.0]
    """
    return xp.cosh(x)


cosh.vjp(lambda xp, g, x: g * xp.sinh(x))


@gives_floats
@primitive(elementwise=True)
def tanh(xp: Any, x: Any) -> Any:
    """The hyperbolic tangent, element-wise.

    >>> tf.tanh([0.0]).numpy().tolist()
    [0.0]
    """
    return xp.tanh(x)


tanh.vjp(lambda xp, g, out: g * xp.one_minus_square(out))


def _one_minus_square_in_place(x: Any) -> Any:
    """With one temporary array instead of two.

    For 256 x 512 elements that are not in the cache the pull-back of tanh takes 0.30 ms this way, 0.41 ms otherwise.
    """
    y = x * x
    return np.subtract(1, y, out=y) if y.ndim else 1 - y


@primitive(elementwise=True, eager=_one_minus_square_in_place)
def one_minus_square(xp: Any, x: Any) -> Any:
    """``1 - x**2``, element-wise: the slope of tanh by its value."""
    return 1 - x * x


one_minus_square.vjp(lambda xp, g, x: g * (-2 * x))


@gives_floats
@primitive(elementwise=True)
def asinh(xp: Any, x: Any) -> Any:
    """The inverse of the hyperbolic sine, element-wise.

    >>> tf.asinh([0.0]).numpy().tolist()
    [0.0]
    """
    return xp.asinh(x)


@asinh.vjp
def _asinh_vjp(xp: Any, g: Any, x: Any) -> Any:
    return g / (xp.sqrt(1 + x * x) if x.dtype.kind == "c" else xp.hypot(x, xp.ones_like(x)))


@gives_floats
@primitive(elementwise=True)
def acosh(xp: Any, x: Any) -> Any:
    """The inverse of the hyperbolic cosine, element-wise; its derivative at 1 is infinite.

    >>> tf.acosh([1.0]).numpy().tolist()
    [0.0]
    """
    return xp.acosh(x)


acosh.vjp(lambda xp, g, x: g / (xp.sqrt(x - 1) * xp.sqrt(x + 1)))


@gives_floats
@primitive(elementwise=True)
def atanh(xp: Any, x: Any) -> Any:
    """The inverse of the hyperbolic tangent, element-wise; its derivative at -1 and 1 is infinite.

    >>> tf.atanh([0.0]).numpy().tolist()
    [0.0]
    """
    return xp.atanh(x)


atanh.vjp(lambda xp, g, x: g / ((1 - x) * (1 + x)))


@gives_floats
@primitive(elementwise=True, linear=("x",))
def deg2rad(xp: Any, x: Any) -> Any:
    """Degrees as radians, element-wise."""
    return xp.deg2rad(x)


deg2rad.vjp(lambda xp, g: xp.deg2rad(g))


@gives_floats
@primitive(elementwise=True, linear=("x",))
def rad2deg(xp: Any, x: Any) -> Any:
    """Radians as degrees, element-wise."""
    return xp.rad2deg(x)


rad2deg.vjp(lambda xp, g: xp.rad2deg(g))


@gives_floats
@primitive(elementwise=True)
def sinc(xp: Any, x: Any) -> Any:
    """``sin(pi x) / (pi x)``, and 1 at 0, element-wise."""
    return xp.sinc(x)


# sin(z) / z is the spherical Bessel function of order 0
sinc.vjp(lambda xp, g, x: g * (-pi * xp.spherical_bessel_j(pi * x, order=1)))


@gives_floats
@primitive(elementwise=True)
def spherical_bessel_j(xp: Any, x: Any, *, order: int) -> Any:
    """The spherical Bessel function of the first kind; exact at 0 with all its derivatives."""
    if x.dtype.kind == "c":
        return scipy_special.spherical_jn(order, x).astype(x.dtype)
    values = scipy_special.spherical_jn(order, np.abs(x).astype(np.float64))
    return from_float64(np.where(x < 0, -values, values) if order % 2 else values, x.dtype)


@spherical_bessel_j.vjp
def _spherical_bessel_j_vjp(xp: Any, g: Any, x: Any, order: int) -> Any:
    # DLMF 10.51.2: (2 n + 1) j_n' = n j_(n-1) - (n + 1) j_(n+1), which has no pole
    above = (order + 1) / (2 * order + 1) * xp.spherical_bessel_j(x, order=order + 1)
    return g * (order / (2 * order + 1) * xp.spherical_bessel_j(x, order=order - 1) - above) if order else -g * above


@primitive(elementwise=True)
def angle(xp: Any, x: Any) -> Any:
    """The argument of complex numbers, element-wise, between -pi and pi; its derivative at 0 is taken as 0.

    Real numbers have argument 0 or, if they are negative, pi, and no derivative but 0.

    >>> tf.math.angle([1j, -2.0 + 0j]).numpy().tolist()
    [1.5707963267948966, 3.141592653589793]
    """
    return xp.angle(x)


@angle.vjp
def _angle_vjp(xp: Any, g: Any, x: Any) -> Any:
    if x.dtype.kind != "c":
        return xp.zeros_like(g)
    return xp.divide_no_nan(g * -1j, x)


@angle.jvp
def _angle_jvp(xp: Any, t: Any, x: Any) -> Any:
    if x.dtype.kind != "c":
        return xp.zeros_like(t)
    return xp.imag(xp.divide_no_nan(t, x))


@angle.spec
def _angle_spec(x: Spec) -> Spec:
    return Spec(x.shape, np.angle(np.empty(0, x.dtype)).dtype)
