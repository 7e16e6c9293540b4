"""Rows of wengert.primitives.reduce, moments, extremes and logsumexp."""

from __future__ import annotations

import numpy as np
import scipy.special

from tests.table.case import Case, draw, draw_complex

X, Z = draw(3, 4, 2), draw_complex(3, 4)
FLAGS = np.array([[True, False, False], [False, False, False], [True, True, True]])
#: zeros: none in the first row, one in the second, two in the third, three in the last
ZEROS = np.array([[1.5, -0.5, 2.0], [0.0, 3.0, -2.0], [0.0, 1.5, 0.0], [0.0, 0.0, 0.0]])
MASKED = np.array([[0.5, -np.inf, 1.0], [-np.inf, -np.inf, -np.inf]])
SHARES = np.array([[1 / (1 + np.sqrt(np.e)), 0.0, 1 / (1 + 1 / np.sqrt(np.e))], [0.0, 0.0, 0.0]])
FIRST = {"axis": (0,), "keepdims": False}
OUTER = {"axis": (0, 2), "keepdims": False}
KEPT = {"axis": (1,), "keepdims": True}
LAST = {"axis": (1,), "keepdims": False}
INT64 = np.dtype(np.int64)


def _norm(x, axis, keepdims):
    return np.sqrt(np.sum(np.abs(x) ** 2, axis=axis, keepdims=keepdims))


def _spread(x, shape, axis, keepdims):
    return np.broadcast_to(x if keepdims else np.expand_dims(x, axis), shape)


def _index_of(function):
    return lambda x, axis, dtype: function(x, axis).astype(dtype)


CASES = [
    Case("sum", (X,), np.sum, OUTER),
    Case("sum", (X,), np.sum, KEPT, label="keepdims"),
    Case("sum", (Z,), np.sum, FIRST, label="complex"),
    Case("sum", (X,), np.sum, {"axis": (), "keepdims": False}, label="no-axis"),
    Case(
        "sum",
        (np.arange(6, dtype=np.int32).reshape(2, 3),),
        lambda x, **k: np.sum(x, dtype=x.dtype, **k),
        FIRST,
        label="int",
    ),
    Case("mean", (X,), np.mean, OUTER),
    Case("mean", (Z,), np.mean, KEPT, label="complex"),
    Case(
        "mean", (np.array([[-3, 4], [0, 1]], np.int32),), lambda x, **k: np.array([-1, 2], np.int32), FIRST, label="int"
    ),
    Case("spread", (draw(4),), _spread, {"shape": (3, 4, 2), **OUTER}),
    Case("spread", (draw(3, 1, 2),), _spread, {"shape": (3, 4, 2), **KEPT}, label="keepdims"),
    Case("spread", (draw(1)[0],), _spread, {"shape": (200, 100), "axis": (0, 1), "keepdims": False}, label="large"),
    Case("prod", (X,), np.prod, OUTER),
    Case("prod", (X,), np.prod, KEPT, label="keepdims"),
    Case("prod", (X,), np.prod, {"axis": (), "keepdims": False}, label="no-axis"),
    Case("prod", (Z,), np.prod, LAST, label="complex"),
    Case("prod", (ZEROS,), np.prod, LAST, label="zeros"),
    Case("prod", (ZEROS,), np.prod, {"axis": (0, 1), "keepdims": False}, label="zeros-over-two-axes"),
    Case("euclidean_norm", (X,), _norm, OUTER),
    Case("euclidean_norm", (X,), _norm, KEPT, label="keepdims"),
    Case("euclidean_norm", (Z,), _norm, LAST, label="complex"),
    Case("any", (FLAGS,), np.any, LAST),
    Case("all", (FLAGS,), np.all, KEPT),
    Case("count_nonzero", (np.round(X),), lambda x, dtype, **k: np.count_nonzero(x, **k), {**OUTER, "dtype": INT64}),
    # moments
    Case("centered", (X,), lambda x, axis: x - x.mean(axis, keepdims=True), {"axis": (0, 2)}),
    Case("centered", (Z,), lambda x, axis: x - x.mean(axis, keepdims=True), {"axis": (1,)}, label="complex"),
    Case("variance", (X,), np.var, OUTER),
    Case("variance", (X,), np.var, KEPT, label="keepdims"),
    Case("variance", (Z,), np.var, LAST, label="complex"),
    Case("standard_deviation", (X,), np.std, OUTER),
    Case("standard_deviation", (X,), np.std, KEPT, label="keepdims"),
    Case("standard_deviation", (Z,), np.std, LAST, label="complex"),
    # extremes
    Case("max", (X,), np.max, OUTER),
    Case("max", (X,), np.max, KEPT, label="keepdims"),
    Case("min", (X,), np.min, OUTER),
    Case("min", (X,), np.min, KEPT, label="keepdims"),
    Case("argmax", (X,), _index_of(np.argmax), {"axis": 1, "dtype": INT64}),
    Case("argmin", (X,), _index_of(np.argmin), {"axis": 0, "dtype": np.dtype(np.int32)}),
    # logsumexp
    Case("logsumexp", (X,), scipy.special.logsumexp, OUTER),
    Case("logsumexp", (X,), scipy.special.logsumexp, KEPT, label="keepdims"),
    Case("logsumexp", (X + 1000.0,), scipy.special.logsumexp, LAST, label="large", float32=None),
    Case("logsumexp", (MASKED,), scipy.special.logsumexp, LAST, label="masked", wrt=()),
    Case("exponential_share", (X,), scipy.special.softmax, {"axis": (0, 2)}),
    Case("exponential_share", (MASKED,), lambda x, axis: SHARES, {"axis": (1,)}, "masked", wrt=()),
]
