"""Rows of wengert.primitives.exponential."""

from __future__ import annotations

import numpy as np
from scipy import special

from tests.table.case import Case, draw, draw_complex

X, Y, Z, W = draw(3, 4), draw(3, 4, seed=1), draw_complex(5), draw_complex(5, seed=3)
POSITIVE = draw(3, 4, low=0.3, high=3.0)
COUNTS = np.array([1, 2, 3, 4], np.int32)

CASES = [
    Case("exp", (X,), np.exp),
    Case("exp", (Z,), np.exp, label="complex"),
    Case("exp", (COUNTS,), np.exp, label="int", float32=None),
    Case("expm1", (X,), np.expm1),
    Case("expm1", (Z,), np.expm1, label="complex"),
    Case("exp2", (X,), np.exp2),
    Case("log", (POSITIVE,), np.log),
    Case("log", (Z,), np.log, label="complex"),
    Case("log1p", (POSITIVE - 0.9,), np.log1p),
    Case("log1p", (Z,), np.log1p, label="complex"),
    Case("log2", (POSITIVE,), np.log2),
    Case("log2", (Z,), np.log2, label="complex"),
    Case("log10", (POSITIVE,), np.log10),
    Case("log10", (Z,), np.log10, label="complex"),
    Case("logaddexp", (X, Y), np.logaddexp),
    Case("sqrt", (POSITIVE,), np.sqrt),
    Case("sqrt", (Z,), np.sqrt, label="complex"),
    Case("rsqrt", (POSITIVE,), lambda x: x**-0.5),
    Case("rsqrt", (Z,), lambda x: 1 / np.sqrt(x), label="complex"),
    Case("rsqrt", (COUNTS,), lambda x: x**-0.5, label="int", float32=None),
    Case("cbrt", (X,), np.cbrt),
    Case("hypot", (X, Y), np.hypot),
    Case("xlogy", (X, POSITIVE), special.xlogy),
    Case("xlogy", (Z, W), special.xlogy, label="complex"),
    Case("xlog1py", (X, POSITIVE), special.xlog1py),
    Case("xlog1py", (Z, W), special.xlog1py, label="complex"),
    Case("xdivy", (X, Y), np.divide),
    Case("xdivy", (Z, W), np.divide, label="complex"),
]
