"""Rows of wengert.primitives.trigonometric."""

from __future__ import annotations

import numpy as np
from scipy import special

from tests.table.case import Case, draw, draw_complex

X, Y, Z = draw(3, 4), draw(3, 4, seed=1), draw_complex(5)
WITHIN = draw(3, 4, low=-0.9, high=0.9)

CASES = [
    Case(name, (x,), getattr(np, name), label=label)
    for name in ("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh")
    for x, label in ((X, ""), (Z, "complex"))
]
CASES += [
    Case(name, (x,), getattr(np, name), label=label)
    for name in ("asin", "acos", "atanh")
    for x, label in ((WITHIN, ""), (Z, "complex"))
]
CASES += [
    Case("acosh", (draw(3, 4, low=1.1, high=3.0),), np.acosh),
    Case("acosh", (Z,), np.acosh, label="complex"),
    Case("tan", (np.array([1, 2, 3], np.int32),), np.tan, label="int", float32=None),
    Case("one_minus_square", (X,), lambda x: 1 - x**2),
    Case("one_minus_square", (Z,), lambda x: 1 - x**2, label="complex"),
    Case("atan2", (X, Y), np.atan2),
    Case("deg2rad", (X,), np.deg2rad),
    Case("rad2deg", (X,), np.rad2deg),
    Case("sinc", (3 * X,), np.sinc),
    Case("sinc", (np.array([-2e-3, 0.0, 1e-9, 1.0, 5.0]),), np.sinc, label="near-0"),
    Case("sinc", (Z,), np.sinc, label="complex", float32=1e-4),
    Case("spherical_bessel_j", (3 * X,), lambda x, order: np.sin(x) / x, {"order": 0}),
    Case("spherical_bessel_j", (X,), lambda x, order: np.sin(x) / x**2 - np.cos(x) / x, {"order": 1}, label="order-1"),
    Case("spherical_bessel_j", (Z,), lambda z, order: special.spherical_jn(order, z), {"order": 2}, label="complex"),
    Case("angle", (Z,), np.angle),
    Case("angle", (X,), np.angle, label="real"),
]
