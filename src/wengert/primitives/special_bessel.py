"""Bessel functions of integer order.

Each kind is one primitive whose order is a parameter. The derivative combines the two neighbouring orders (DLMF 10.6.1
and 10.29.1), which is exact at 0 as well, where the textbook's ``I_0 - I_1 / x`` is 0 / 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.lazy import scipy_special
from wengert.primitives.floating import from_float64, gives_floats
from wengert.primitives.primitive import Primitive, primitive

__all__ = [
    "bessel_i0",
    "bessel_i0e",
    "bessel_i1",
    "bessel_i1e",
    "bessel_j0",
    "bessel_j1",
    "bessel_k0",
    "bessel_k0e",
    "bessel_k1",
    "bessel_k1e",
    "bessel_y0",
    "bessel_y1",
]


def _bessel(letter: str, x: Any, order: int, scaled: str = "") -> Any:
    """SciPy's function of that order: the fast one of orders 0 and 1, or the general one."""
    wide = x.astype(np.float64)
    if order <= 1:
        return from_float64(getattr(scipy_special, f"{letter}{order}{scaled}")(wide), x.dtype)
    return from_float64(getattr(scipy_special, f"{letter}v{scaled}")(order, wide), x.dtype)


@gives_floats
@primitive(elementwise=True)
def bessel_i(xp: Any, x: Any, *, order: int) -> Any:
    """The modified Bessel function of the first kind."""
    return _bessel("i", x, order)


@gives_floats
@primitive(elementwise=True)
def bessel_ie(xp: Any, x: Any, *, order: int) -> Any:
    """The modified Bessel function of the first kind, times ``exp(-|x|)``."""
    return _bessel("i", x, order, "e")


@gives_floats
@primitive(elementwise=True)
def bessel_k(xp: Any, x: Any, *, order: int) -> Any:
    """The modified Bessel function of the second kind."""
    return _bessel("k", x, order)


@gives_floats
@primitive(elementwise=True)
def bessel_ke(xp: Any, x: Any, *, order: int) -> Any:
    """The modified Bessel function of the second kind, times ``exp(x)``."""
    return _bessel("k", x, order, "e")


@gives_floats
@primitive(elementwise=True)
def bessel_j(xp: Any, x: Any, *, order: int) -> Any:
    """The Bessel function of the first kind."""
    return _bessel("j", x, order)


@gives_floats
@primitive(elementwise=True)
def bessel_y(xp: Any, x: Any, *, order: int) -> Any:
    """The Bessel function of the second kind."""
    return _bessel("y", x, order)


def _neighbours(function: Any, x: Any, order: int, sign: int) -> Any:
    """Half of the function of the order below plus ``sign`` times that of the order above."""
    if not order:  # the order -1 is the order 1, up to the same sign
        return sign * function(x, order=1)
    return 0.5 * (function(x, order=order - 1) + sign * function(x, order=order + 1))


bessel_i.vjp(lambda xp, g, x, order: g * _neighbours(xp.bessel_i, x, order, 1))
bessel_k.vjp(lambda xp, g, x, order: -g * _neighbours(xp.bessel_k, x, order, 1))
bessel_j.vjp(lambda xp, g, x, order: g * _neighbours(xp.bessel_j, x, order, -1))
bessel_y.vjp(lambda xp, g, x, order: g * _neighbours(xp.bessel_y, x, order, -1))
bessel_ie.vjp(lambda xp, g, x, out, order: g * (_neighbours(xp.bessel_ie, x, order, 1) - xp.sign(x) * out))
bessel_ke.vjp(lambda xp, g, x, out, order: g * (out - _neighbours(xp.bessel_ke, x, order, 1)))


def _of_order(rule: Primitive, name: str, order: int, example: str) -> Any:
    """The public function of one order."""

    def function(x: Any, name: str | None = None) -> Any:
        return rule.function(x, order=order)

    function.__name__ = function.__qualname__ = name
    kind = str(rule.__doc__).rstrip(".")
    function.__doc__ = f"{kind}, of order {order}, element-wise.\n\n    >>> {example}\n    "
    return function


bessel_i0 = _of_order(bessel_i, "bessel_i0", 0, "float(tf.math.bessel_i0(0.0))\n    1.0")
bessel_i1 = _of_order(bessel_i, "bessel_i1", 1, "float(tf.math.bessel_i1(0.0))\n    0.0")
bessel_i0e = _of_order(bessel_ie, "bessel_i0e", 0, "float(tf.math.bessel_i0e(0.0))\n    1.0")
bessel_i1e = _of_order(bessel_ie, "bessel_i1e", 1, "float(tf.math.bessel_i1e(0.0))\n    0.0")
bessel_k0 = _of_order(bessel_k, "bessel_k0", 0, "round(float(tf.math.special.bessel_k0(1.0)), 4)\n    0.421")
bessel_k1 = _of_order(bessel_k, "bessel_k1", 1, "round(float(tf.math.special.bessel_k1(1.0)), 4)\n    0.6019")
bessel_k0e = _of_order(bessel_ke, "bessel_k0e", 0, "round(float(tf.math.special.bessel_k0e(1.0)), 4)\n    1.1445")
bessel_k1e = _of_order(bessel_ke, "bessel_k1e", 1, "round(float(tf.math.special.bessel_k1e(1.0)), 4)\n    1.6362")
bessel_j0 = _of_order(bessel_j, "bessel_j0", 0, "float(tf.math.special.bessel_j0(0.0))\n    1.0")
bessel_j1 = _of_order(bessel_j, "bessel_j1", 1, "float(tf.math.special.bessel_j1(0.0))\n    0.0")
bessel_y0 = _of_order(bessel_y, "bessel_y0", 0, "round(float(tf.math.special.bessel_y0(1.0)), 4)\n    0.0883")
bessel_y1 = _of_order(bessel_y, "bessel_y1", 1, "round(float(tf.math.special.bessel_y1(1.0)), 4)\n    -0.7812")
