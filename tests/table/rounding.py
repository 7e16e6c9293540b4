"""Rows of wengert.primitives.rounding."""

from __future__ import annotations

import numpy as np

from tests.table.case import Case, draw

X, Y = 3 * draw(3, 4), draw(3, 4, seed=1)
HALVES = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5])
INTS, COUNTS = np.array([7, -7, 3, -12], np.int32), np.array([2, 3, -2, 4], np.int32)
STRANGE = np.array([1.0, -0.0, np.inf, -np.inf, np.nan, -2.0])

CASES = [
    *(Case(name, (X,), getattr(np, name)) for name in ("floor", "ceil", "trunc", "rint", "round", "signbit")),
    *(Case(name, (HALVES,), np.rint, label="halves") for name in ("rint", "round")),
    Case("round", (INTS,), np.round, label="int"),
    Case("truncatediv", (X, Y), lambda x, y: np.trunc(x / y)),
    Case("truncatediv", (INTS, COUNTS), lambda x, y: np.trunc(x / y), label="int"),
    Case("truncatemod", (X, Y), np.fmod),
    Case("truncatemod", (INTS, COUNTS), np.fmod, label="int"),
    Case("nextafter", (X, Y), np.nextafter, float32=None),
    Case("is_finite", (STRANGE,), np.isfinite),
    Case("is_inf", (STRANGE,), np.isinf),
    Case("is_nan", (STRANGE,), np.isnan),
    Case("signbit", (STRANGE,), np.signbit, label="strange"),
    Case("isclose", (X, X + 1e-6 * Y), np.isclose, {"rtol": 1e-6, "atol": 1e-7, "equal_nan": False}, float32=None),
    Case("isclose", (STRANGE, STRANGE), np.isclose, {"rtol": 0.0, "atol": 0.0, "equal_nan": True}, label="equal-nan"),
]
