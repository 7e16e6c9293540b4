"""Rows of wengert.primitives.numerics."""

from __future__ import annotations

from tests.table.case import Case, draw, draw_complex

CASES = [
    Case("check_numerics", (draw(3, 4),), lambda x, message: x, {"message": "x"}),
    Case("check_numerics", (draw_complex(3),), lambda x, message: x, {"message": "z"}, label="complex"),
]
