"""Rows of wengert.primitives.join and pad."""

from __future__ import annotations

import numpy as np

import wengert as tf
from tests.table.case import Case, draw, draw_complex

X = draw(3, 4)
Z = draw_complex(2, 3)
CUBE = draw(2, 3, 4)


def _pad(x: np.ndarray, paddings: tuple[tuple[int, int], ...], mode: str = "constant") -> np.ndarray:
    return np.pad(x, paddings, mode=mode)


def _fold(x: np.ndarray, paddings: tuple[tuple[int, int], ...], mode: str) -> np.ndarray:
    """Each element added to the one that np.pad would have copied it from."""
    shape = tuple(n - a - b for n, (a, b) in zip(x.shape, paddings))
    origin = np.pad(np.arange(np.prod(shape)).reshape(shape), paddings, mode=mode)
    out = np.zeros(int(np.prod(shape)), x.dtype)
    np.add.at(out, origin.ravel(), x.ravel())
    return out.reshape(shape)


CASES = [
    Case("concat", (X, draw(2, 4), X[:1] + 1), lambda *xs, axis: np.concatenate(xs, axis), {"axis": 0}),
    Case(
        "concat",
        (CUBE, draw(2, 0, 4), draw(2, 1, 4)),
        lambda *xs, axis: np.concatenate(xs, axis),
        {"axis": 1},
        label="empty",
    ),
    Case("concat", (Z, draw_complex(2, 1)), lambda *xs, axis: np.concatenate(xs, axis), {"axis": 1}, label="complex"),
    Case("split_sizes", (X,), lambda x, sizes, axis: np.split(x, [1, 1], axis), {"sizes": (1, 0, 3), "axis": 1}),
    Case("split_sizes", (X,), lambda x, sizes, axis: x, {"sizes": (4,), "axis": 1}, label="whole"),
    Case(
        "split_sizes", (Z,), lambda x: np.split(x, [1], 1), label="complex", call=lambda x: tf.split(x, [1, -1], axis=1)
    ),
    Case("stack", (X, X + 1, X + 2), lambda *xs, axis: np.stack(xs, axis), {"axis": 1}),
    Case("stack", (X[0, 0], X[0, 1]), lambda *xs, axis: np.stack(xs, axis), {"axis": 0}, label="0d"),
    Case("stack", (Z,), lambda *xs, axis: np.stack(xs, axis), {"axis": 2}, label="single"),
    Case("unstack", (CUBE,), lambda x, axis: tuple(np.moveaxis(x, axis, 0)), {"axis": 2}),
    Case("unstack", (X[0],), lambda x, axis: tuple(x), {"axis": 0}, label="vector"),
    Case("unstack", (draw_complex(1, 3),), lambda x, axis: tuple(x), {"axis": 0}, label="single"),
    Case("tile", (X,), np.tile, {"reps": (2, 3)}),
    Case("tile", (CUBE,), np.tile, {"reps": (1, 0, 2)}, label="empty"),
    Case("tile", (X[0, 0],), np.tile, {"reps": ()}, label="0d"),
    Case("tile", (Z,), np.tile, {"reps": (3, 1)}, label="complex"),
    Case("repeat", (CUBE,), np.repeat, {"repeats": 3, "axis": 1}),
    Case("repeat", (Z,), np.repeat, {"repeats": 2, "axis": 0}, label="complex"),
    Case("repeat", (X,), lambda x: np.repeat(x, 2), label="flattened", call=lambda x: tf.repeat(x, 2)),
    Case(
        "getitem",
        (X,),
        lambda x: np.repeat(x, [2, 0, 1, 3], 1),
        label="repeat",
        call=lambda x: tf.repeat(x, [2, 0, 1, 3], 1),
    ),
    Case("pad", (X,), _pad, {"paddings": ((1, 2), (0, 3))}),
    Case("pad", (Z,), _pad, {"paddings": ((0, 0), (2, 0))}, label="complex"),
    Case(
        "where",
        (X, X[0, 0] + 5),
        lambda x, v: np.pad(x, ((1, 0), (2, 1)), constant_values=v),
        label="pad-constant",
        call=lambda x, v: tf.pad(x, [[1, 0], [2, 1]], constant_values=v),
        broadcasts=False,
    ),
    Case("extend", (X,), _pad, {"paddings": ((2, 1), (0, 3)), "mode": "reflect"}, label="reflect"),
    Case("extend", (X,), _pad, {"paddings": ((3, 0), (1, 2)), "mode": "symmetric"}, label="symmetric"),
    Case("extend", (X,), _pad, {"paddings": ((2, 1), (0, 3)), "mode": "edge"}, label="edge"),
    Case("extend", (Z,), _pad, {"paddings": ((2, 1), (5, 8)), "mode": "wrap"}, label="wrap-around-twice"),
    Case("extend", (draw(3),), _pad, {"paddings": ((7, 9),), "mode": "reflect"}, label="reflect-to-and-fro"),
    Case("fold", (draw(6, 7),), _fold, {"paddings": ((2, 1), (0, 3)), "mode": "reflect"}, label="reflect"),
    Case("fold", (draw(3, 19),), _fold, {"paddings": ((1, 1), (7, 9)), "mode": "edge"}, label="edge"),
    Case("fold", (draw_complex(19),), _fold, {"paddings": ((7, 9),), "mode": "wrap"}, label="complex"),
]
