"""Rows of wengert.primitives.contract."""

from __future__ import annotations

import numpy as np

import wengert as tf
from tests.table.case import Case, draw, draw_complex


def _contraction(x, y, labels):
    return np.einsum(x, list(labels[0]), y, list(labels[1]), list(labels[2]))


def _row(label, x, y, labels):
    return Case("contraction", (x, y), _contraction, {"labels": labels}, label=label)


X, Y = draw(2, 3, 4), draw(4, 3, 5, seed=1)

CASES = [
    Case("matmul", (draw(3, 4), draw(4, 2)), np.matmul),
    Case("matmul", (draw(5, 3, 4), draw(5, 4, 2)), np.matmul, label="batch"),
    Case("matmul", (draw_complex(2, 3), draw_complex(3, 2)), np.matmul, label="complex"),
    Case("matmul", (np.arange(6).reshape(2, 3), np.arange(12).reshape(3, 4)), np.matmul, label="integers"),
    Case("matmul", (draw(5, 1, 3, 4), draw(2, 4, 2)), np.matmul, label="broadcast", call=tf.matmul),
    Case("matmul", (draw(5, 3, 4), draw(4, 2)), np.matmul, label="batch-matrix", call=tf.matmul),
    Case("matmul", (draw(3, 4), draw(5, 4, 2)), np.matmul, label="matrix-batch", call=tf.matmul),
    Case("matmul", (draw(4), draw(4, seed=1)), np.matmul, label="vectors", call=tf.matmul),
    Case("matmul", (draw(3, 4), draw(4)), np.matmul, label="matrix-vector", call=tf.matmul),
    Case("matmul", (draw(4), draw(2, 4, 3)), np.matmul, label="vector-batch", call=tf.matmul),
    Case("matmul", (draw(2, 3, 4), draw(4)), np.matmul, label="batch-vector", call=tf.matmul),
    Case(
        "matmul",
        (draw_complex(4, 3), draw_complex(5, 4)),
        lambda x, y: x.conj().T @ y.T,
        label="adjoint-transpose",
        call=lambda x, y: tf.matmul(x, y, adjoint_a=True, transpose_b=True),
    ),
    Case(
        "matmul",
        (draw(2, 1, 4, 3), draw(5, 4)),
        lambda x, y: np.einsum("abij,ci->acj", x, y),
        label="matvec",
        call=lambda x, y: tf.linalg.matvec(x, y, transpose_a=True),
    ),
    _row("outer", draw(3), draw(2), ((0,), (1,), (0, 1))),
    _row("diagonal-scaling", draw(3, 4), draw(4), ((0, 1), (1,), (1, 0))),
    _row("batch", X, Y, ((0, 1, 2), (2, 1, 3), (1, 3, 0))),
    _row("two axes", X, Y, ((0, 1, 2), (2, 1, 3), (0, 3))),
    _row("full", X, draw(4, 3, 2, seed=2), ((0, 1, 2), (2, 1, 0), ())),
    _row("turned", draw(4, 3), draw(4, 2), ((0, 1), (0, 2), (1, 2))),
    _row("complex", draw_complex(2, 3), draw_complex(4, 3), ((0, 1), (2, 1), (2, 0))),
    Case(
        "contraction",
        (X, Y),
        lambda x, y: np.tensordot(x, y, ([1, 2], [1, 0])),
        label="tensordot",
        call=lambda x, y: tf.tensordot(x, y, [[1, -1], [1, 0]]),
    ),
    Case("contraction", (draw(2, 3), draw(3, 2, 2)), np.kron, label="kron", call=np.kron),
    Case("cross_product", (draw(2, 3), draw(2, 3, seed=1)), np.cross),
    Case("cross_product", (draw(2, 1, 3), draw(4, 3, seed=1)), np.cross, label="broadcast"),
    Case("cross_product", (draw_complex(3), draw_complex(3, seed=2)), np.cross, label="complex"),
]
