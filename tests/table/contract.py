"""Rows of wengert.primitives.contract."""

from __future__ import annotations

import numpy as np

from tests.table.case import Case, draw, draw_complex

CASES = [
    Case("matmul", (draw(3, 4), draw(4, 2)), np.matmul),
    Case("matmul", (draw(5, 1, 3, 4), draw(2, 4, 2)), np.matmul, label="batch"),
    Case("matmul", (draw(4), draw(4)), np.matmul, label="vectors"),
    Case("matmul", (draw(3, 4), draw(4)), np.matmul, label="matrix-vector"),
    Case("matmul", (draw(4), draw(2, 4, 3)), np.matmul, label="vector-batch"),
    Case("matmul", (draw_complex(2, 3), draw_complex(3, 2)), np.matmul, label="complex"),
]
