"""Rows of wengert.primitives.reduce."""

from __future__ import annotations

import numpy as np

from tests.table.case import Case, draw

X = draw(3, 4, 2)

CASES = [
    Case("sum", (X,), np.sum, {"axis": (0, 2), "keepdims": False}),
    Case("sum", (X,), np.sum, {"axis": (1,), "keepdims": True}, label="keepdims"),
    Case("mean", (X,), np.mean, {"axis": (0, 2), "keepdims": False}),
]
