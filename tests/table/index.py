"""Rows of wengert.primitives.index."""

from __future__ import annotations

import numpy as np

from tests.table.case import Case, draw
from wengert.primitives.index import HOLE

X = draw(4, 3)


def _put(x, *indices, key, shape):
    out = np.zeros(shape)
    remaining = iter(indices)
    np.add.at(out, tuple(next(remaining) if k is HOLE else k for k in key), x)
    return out


CASES = [
    Case("getitem", (X,), lambda x, key: x[key], {"key": (slice(1, None, 2), None, -1)}),
    Case("getitem", (X, np.array([0, 0, 2])), lambda x, i, key: x[i], {"key": (HOLE,)}, label="array"),
    Case("putitem", (X[0], np.array([1, 1, 2])), _put, {"key": (HOLE,), "shape": (5,)}),
    Case("scatter_rows", (X, np.array([1, 1, 0, 4])), lambda v, i, rows: _put(v, i, key=(HOLE,), shape=(rows, 3)), {"rows": 5}),
]
