"""Rows of wengert.primitives.sort."""

from __future__ import annotations

import numpy as np

from tests.table.case import Case, draw
from wengert.primitives.sort import top_k

X = draw(3, 4)
PLACES = np.array([[2, 0], [1, 3], [0, 1]])
TIED = np.array([[1.0, 1.0, 2.0, 3.0, 3.0, 3.0], [0.0, 1.0, 2.0, 2.0, 5.0, 6.0]])
AVERAGING = np.array(
    [
        [[0.5, 0.5, 0, 0, 0, 0], [0.5, 0.5, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], *[[0, 0, 0, 1 / 3, 1 / 3, 1 / 3]] * 3],
        [
            [1, 0, 0, 0, 0, 0],
            [0, 1, 0, 0, 0, 0],
            [0, 0, 0.5, 0.5, 0, 0],
            [0, 0, 0.5, 0.5, 0, 0],
            [0, 0, 0, 0, 1, 0],
            [0, 0, 0, 0, 0, 1],
        ],
    ]
)
INT32 = np.dtype(np.int32)
SCORES = np.array([[0.1, 0.5, 0.5, 0.2], [0.3, 0.5, 0.2, 0.9], [np.nan, 0.5, 0.2, 0.9]])


def _placed(x, indices, axis, size):
    out = np.zeros((*x.shape[:axis], size, *x.shape[axis + 1 :]))
    np.put_along_axis(out, indices, x, axis)
    return out


def _sorted(x, axis, descending):
    return -np.sort(-x, axis) if descending else np.sort(x, axis)


def _ranking(x, axis, descending, dtype):
    return np.argsort(-x if descending else x, axis, kind="stable").astype(dtype)


CASES = [
    Case("pick_along", (X, PLACES), np.take_along_axis, {"axis": 1}),
    Case("place_along", (X[:, :2].copy(), PLACES), _placed, {"axis": 1, "size": 5}),
    Case("sort", (X,), _sorted, {"axis": 1, "descending": False}),
    Case("sort", (X,), _sorted, {"axis": 0, "descending": True}, label="descending"),
    Case(
        "shared_by_ties",
        (draw(2, 6), TIED),
        lambda x, keys, axis: np.einsum("rij,rj->ri", AVERAGING, x),
        {"axis": 1},
        wrt=(0,),
    ),
    Case("shared_by_ties", (X, np.sort(X, 0)), lambda x, keys, axis: x, {"axis": 0}, label="none", wrt=(0,)),
    Case("ranking", (X,), _ranking, {"axis": 0, "descending": False, "dtype": INT32}),
    Case("ranking", (TIED,), _ranking, {"axis": 1, "descending": True, "dtype": INT32}, label="descending"),
    Case(
        "top_k_indices",
        (TIED,),
        lambda x, k, dtype: np.argsort(-x, -1, kind="stable")[..., :k],
        {"k": 4, "dtype": INT32},
    ),
    Case(
        "pick_along",
        (X,),
        lambda x: (-np.sort(-x, -1)[:, :2], np.argsort(-x, -1)[:, :2]),
        label="top_k",
        call=lambda x: top_k(x, 2),
    ),
    Case(
        "is_in_top_k",
        (np.array([2, 0, 1]), SCORES),
        lambda targets, scores, k: np.array([True, False, False]),
        {"k": 2},
        float32=None,
    ),
    Case(
        "sorted_places",
        (np.arange(5.0), X),
        lambda s, v, side, dtype: np.searchsorted(s, v, side),
        {"side": "left", "dtype": INT32},
    ),
    Case(
        "sorted_places",
        (np.arange(6.0).reshape(2, 3), np.array([[0.0, 3.0], [4.0, 9.0]])),
        lambda s, v, side, dtype: np.array([[1, 3], [2, 3]]),
        {"side": "right", "dtype": INT32},
        label="batch",
    ),
    Case(
        "distinct",
        (np.array([3, 1, 3, 2, 1, 3]),),
        lambda x, dtype: (np.array([0, 1, 3]), np.array([0, 1, 0, 2, 1, 0]), np.array([3, 2, 1])),
        {"dtype": INT32},
        static_shape=False,
    ),
]
