"""Rows of wengert.primitives.shape."""

from __future__ import annotations

import numpy as np

from tests.table.case import Case, draw

X = draw(3, 4)

CASES = [
    Case("reshape", (X,), np.reshape, {"shape": (2, -1)}),
    Case("broadcast_to", (X[:, :1],), np.broadcast_to, {"shape": (2, 3, 5)}),
    Case("transpose", (draw(2, 3, 4),), np.transpose, {"axes": (2, 0, 1)}),
    Case("stack", (X, X + 1, X + 2), lambda *xs, axis: np.stack(xs, axis), {"axis": 1}),
]
