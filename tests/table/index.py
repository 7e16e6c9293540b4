"""Rows of wengert.primitives.{index, gather, scatter, slice, partition, segment}."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import wengert as tf
from tests.table.case import Case, draw, draw_complex
from wengert.primitives.index import HOLE

X, Z = draw(4, 3), draw_complex(4, 3)
CUBE = draw(2, 4, 3)
ALL = slice(None)
MASK = np.array([True, False, True, True])
ROWS = np.array([1, 1, 0, 4])
IDS, ANY_IDS = np.array([0, 0, 0, 2, 2]), np.array([2, 0, 2, 2, -1])
DATA = draw(5, 3)


def filled(key: Any, indices: Any) -> Any:
    remaining = iter(indices)
    return tuple(next(remaining) if k is HOLE else k for k in key)


def got(x: Any, *indices: Any, key: Any) -> Any:
    return x[filled(key, indices)]


def put(x: Any, *indices: Any, key: Any, shape: Any) -> Any:
    out = np.zeros(shape, x.dtype)
    np.add.at(out, filled(key, indices), x)
    return out


def written(x: Any, values: Any, *indices: Any, key: Any) -> Any:
    out = x.copy()
    out[filled(key, indices)] = values
    return out


def folded(ufunc: Any) -> Any:
    def reference(x: Any, updates: Any, *indices: Any, key: Any) -> Any:
        out = x.copy()
        ufunc.at(out, indices, updates)
        return out

    return reference


def by_segment(reduce: Any, empty: float) -> Any:
    def reference(data: Any, ids: Any, *, segments: int, **_: Any) -> Any:
        parts = [data[ids == k] for k in range(segments)]
        return np.stack([reduce(p) if len(p) else np.full(data.shape[1:], empty, data.dtype) for p in parts])

    return reference


def segments_row(name: str, reduce: Any, empty: float, x: Any = DATA, label: str = "") -> list[Case]:
    """The function of sorted ids and the one of any ids, against a loop over the segments."""
    reference = by_segment(reduce, empty)
    rows = [
        Case(
            "getitem",
            (x,),
            lambda d: reference(d, ANY_IDS, segments=4),
            label=f"unsorted_segment_{name}{label}",
            call=lambda d: getattr(tf.math, f"unsorted_segment_{name}")(d, ANY_IDS, 4),
        )
    ]
    if name != "sqrt_n":
        rows.append(
            Case(
                "getitem",
                (x,),
                lambda d: reference(d, IDS, segments=3),
                label=f"segment_{name}{label}",
                call=lambda d: getattr(tf.math, f"segment_{name}")(d, IDS),
            )
        )
    return rows


def product(rows: Any) -> Any:
    return rows.prod(0)


WITH_ZEROS = DATA * (np.arange(15).reshape(5, 3) % 4 != 0)
PAIRS = np.array([[0, 1], [3, 2], [0, 1]])

CASES = [
    Case("getitem", (X,), got, {"key": (slice(1, None, 2), None, -1)}),
    Case("getitem", (X,), got, {"key": (slice(None, None, -2), ..., 1)}, label="negative-step"),
    Case("getitem", (Z, np.array([0, 0, 2])), got, {"key": (HOLE,)}, label="array"),
    Case(
        "getitem",
        (CUBE, np.array([[0], [1]]), np.array([0, 2, 2])),
        got,
        {"key": (HOLE, ALL, HOLE)},
        label="arrays-apart",
    ),
    Case("getitem", (CUBE, np.array([3, 0, 3])), got, {"key": (1, HOLE)}, label="array-and-number"),
    Case("getitem", (X, MASK), got, {"key": (HOLE, 1)}, label="mask", static_shape=False),
    Case("getitem", (CUBE, CUBE[..., 0] > 0), got, {"key": (HOLE,)}, label="mask-2d", static_shape=False),
    Case("putitem", (X[0], np.array([1, 1, 2])), put, {"key": (HOLE,), "shape": (5,)}),
    Case("putitem", (X, ROWS), put, {"key": (HOLE,), "shape": (5, 3)}, label="rows"),
    Case(
        "putitem", (CUBE, np.array([1, 0, -1, 1])), put, {"key": (ALL, HOLE), "shape": (2, 5, 3)}, label="middle-axis"
    ),
    Case("putitem", (CUBE, np.array([1, 0, -1])), put, {"key": (..., HOLE), "shape": (2, 4, 3)}, label="last-axis"),
    Case("putitem", (X, ROWS, np.array([0, 0, 1, 1])), put, {"key": (HOLE, HOLE), "shape": (5, 2, 3)}, label="arrays"),
    Case("putitem", (X[:3], MASK), put, {"key": (HOLE,), "shape": (4, 3)}, label="mask"),
    Case("putitem", (X,), put, {"key": (slice(None, None, -1), 0), "shape": (4, 2, 3)}, label="basic"),
    Case("setitem", (X, draw(2, 3, seed=3), np.array([3, 0])), written, {"key": (HOLE,)}),
    Case("setitem", (Z, draw_complex(4, 2)), written, {"key": (ALL, slice(1, None))}, label="basic"),
    Case("scatter_rows", (X, ROWS), lambda v, i, rows: put(v, i, key=(HOLE,), shape=(rows, 3)), {"rows": 5}),
    Case("gather", (X, ROWS[:3]), lambda x, i, axis: np.take(x, i, axis), {"axis": 0}),
    Case(
        "gather", (CUBE, np.array([[3, 0], [0, 0]])), lambda x, i, axis: np.take(x, i, axis), {"axis": 1}, label="axis"
    ),
    Case("scatter_max", (X, draw(3, 3, seed=2), np.array([1, 1, 0])), folded(np.maximum), {"key": (HOLE,)}),
    Case("scatter_min", (X, draw(3, seed=2), *PAIRS.T), folded(np.minimum), {"key": (HOLE, HOLE)}),
    Case(
        "largest_of_segments",
        (DATA, IDS),
        by_segment(lambda p: p.max(0), -5.0),
        {"segments": 4, "empty": -5.0},
    ),
    Case(
        "smallest_of_segments",
        (DATA, IDS[::-1].copy()),
        by_segment(lambda p: p.min(0), 0),
        {"segments": 4, "empty": 0},
    ),
    # public functions that compose these
    Case(
        "gather",
        (CUBE,),
        lambda x: np.stack([x[k][i] for k, i in enumerate(PAIRS[:2])]),
        label="batch",
        call=lambda x: tf.gather(x, PAIRS[:2], batch_dims=1),
    ),
    Case(
        "gather",
        (draw(2, 3, 4, 2),),
        lambda x: np.stack([np.take(x[k], [[i, 3], [0, i]], 1) for k, i in enumerate((1, 2))]),
        label="batch-and-axis",
        call=lambda x: tf.gather(x, [[[1, 3], [0, 1]], [[2, 3], [0, 2]]], axis=2, batch_dims=1),
    ),
    Case(
        "getitem", (X,), lambda x: x[PAIRS[:, 0], PAIRS[:, 1]], label="gather_nd", call=lambda x: tf.gather_nd(x, PAIRS)
    ),
    Case(
        "getitem",
        (CUBE,),
        lambda x: np.stack([x[0][[0, 3], [1, 2]], x[1][[2, 2], [0, 0]]]),
        label="gather_nd-batch",
        call=lambda x: tf.gather_nd(x, [[[0, 1], [3, 2]], [[2, 0], [2, 0]]], batch_dims=1),
    ),
    Case(
        "getitem",
        (X,),
        lambda x: np.broadcast_to(x, (2, 4, 3)),
        label="gather_nd-whole",
        call=lambda x: tf.gather_nd(x, np.zeros((2, 0), np.int32)),
    ),
    Case(
        "putitem",
        (draw(3),),
        lambda u: put(u, *PAIRS.T, key=(HOLE, HOLE), shape=(4, 3)),
        label="scatter_nd",
        call=lambda u: tf.scatter_nd(PAIRS, u, (4, 3)),
    ),
    Case(
        "setitem",
        (X, draw(3, seed=3)),
        lambda x, u: written(x, u, *PAIRS.T, key=(HOLE, HOLE)),
        label="tensor_scatter_nd_update-repeated",
        call=lambda x, u: tf.tensor_scatter_nd_update(x, PAIRS, u),
    ),
    Case(
        "putitem",
        (X, draw(3, seed=3)),
        lambda x, u: x + put(u, *PAIRS.T, key=(HOLE, HOLE), shape=(4, 3)),
        label="tensor_scatter_nd_add",
        call=lambda x, u: tf.tensor_scatter_nd_add(x, PAIRS, u),
    ),
    Case(
        "putitem",
        (Z, draw_complex(2, 3, seed=3)),
        lambda x, u: x - put(u, np.array([2, 2]), key=(HOLE,), shape=(4, 3)),
        label="tensor_scatter_nd_sub",
        call=lambda x, u: tf.tensor_scatter_nd_sub(x, [[2], [2]], u),
    ),
    Case(
        "gather",
        (X,),
        lambda x: (lambda r: r * np.minimum(1, 1.5 / np.linalg.norm(r, axis=-1, keepdims=True)))(x[[[0, 1], [2, 2]]]),
        label="embedding_lookup-max_norm",
        call=lambda x: tf.nn.embedding_lookup(x, [[0, 1], [2, 2]], max_norm=1.5),
    ),
    Case(
        "gather",
        (X, draw(2, 3, seed=1)),
        lambda x, y: np.concatenate([x, y])[[0, 5, 4, 3]],
        label="embedding_lookup-list",
        call=lambda x, y: tf.nn.embedding_lookup([x, y], [0, 5, 4, 3]),
    ),
    Case(
        "getitem",
        (CUBE,),
        lambda x: x[:, MASK],
        label="boolean_mask",
        call=lambda x: tf.boolean_mask(x, MASK, axis=1),
    ),
    Case(
        "getitem",
        (CUBE,),
        lambda x: np.take_along_axis(x, np.array([[[2, 0, 0]], [[1, -1, 3]]]), 1),
        label="take_along_axis",
        call=lambda x: np.take_along_axis(x, tf.constant([[[2, 0, 0]], [[1, -1, 3]]]), 1),
    ),
    Case(
        "getitem",
        (CUBE,),
        lambda x: tuple(x.reshape(8, 3)[np.array([0, 1, 0, 2, 2, 0, 1, 0]) == k] for k in range(3)),
        label="dynamic_partition",
        call=lambda x: tf.dynamic_partition(x, [[0, 1, 0, 2], [2, 0, 1, 0]], 3),
    ),
    Case(
        "putitem",
        (X, CUBE[:, 0]),
        lambda x, y: np.stack([y[1], x[1], x[2], 0 * x[0], x[3], y[0]]),
        label="dynamic_stitch",
        call=lambda x, y: tf.dynamic_stitch([[0, 1, 2, 4], [5, 0]], [x, y]),
    ),
    Case(
        "where",
        (draw(1)[0], draw(1, seed=4)[0]),
        lambda on, off: np.where(np.array([[0, 1, 0], [0, 0, 0]]), on, off),
        label="one_hot",
        call=lambda on, off: tf.one_hot([1, 5], 3, on, off),
        broadcasts=False,
    ),
    Case(
        "getitem",
        (CUBE,),
        lambda x: x[1:2, 1:, :2],
        label="slice",
        call=lambda x: tf.slice(x, [1, 1, 0], [1, -1, 2]),
    ),
    Case(
        "getitem",
        (CUBE,),
        lambda x: x[None, 1, ::-2, ..., :2],
        label="strided_slice",
        call=lambda x: tf.strided_slice(
            x,
            [9, 1, 9, 9, 0],
            [9, 9, 9, 9, 2],
            [1, 1, -2, 1, 1],
            begin_mask=4,
            end_mask=4,
            ellipsis_mask=8,
            new_axis_mask=1,
            shrink_axis_mask=2,
        ),
    ),
    *segments_row("sum", lambda p: p.sum(0), 0),
    *segments_row("sum", lambda p: p.sum(0), 0, draw_complex(5, 2), "-complex"),
    *segments_row("mean", lambda p: p.mean(0), 0),
    *segments_row("prod", product, 1),
    *segments_row("prod", product, 1, WITH_ZEROS, "-zeros"),
    *segments_row("prod", product, 1, draw_complex(5, 2), "-complex"),
    *segments_row("sqrt_n", lambda p: p.sum(0) / np.sqrt(len(p)), 0),
    *segments_row("max", lambda p: p.max(0), 0)[1:],
    *segments_row("min", lambda p: p.min(0), 0)[1:],
    # what stands for an empty segment depends on the dtype
    replace(segments_row("max", lambda p: p.max(0), -np.finfo(np.float64).max)[0], float32=None),
    replace(segments_row("min", lambda p: p.min(0), np.finfo(np.float64).max)[0], float32=None),
]
