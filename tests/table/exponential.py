"""Rows of wengert.primitives.exponential."""

from __future__ import annotations

import numpy as np

from tests.table.case import Case, draw, draw_complex

X, Z = draw(3, 4), draw_complex(5)
POSITIVE = draw(3, 4, low=0.3, high=3.0)

CASES = [
    Case("exp", (X,), np.exp),
    Case("exp", (Z,), np.exp, label="complex"),
    Case("log", (POSITIVE,), np.log),
    Case("log", (Z,), np.log, label="complex"),
]
