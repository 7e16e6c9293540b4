"""Rows of the files wengert.primitives.linalg_*."""

from __future__ import annotations

import numpy as np
import scipy.linalg

import wengert as tf
from tests.table.case import Case, draw, draw_complex

HALF = 0.5


def _h(x):
    return np.conj(np.swapaxes(x, -1, -2))


def square(*batch, n=3, seed=0, complex_=False):
    """Well-conditioned matrices, with eigenvalues apart."""
    x = (draw_complex if complex_ else draw)(*batch, n, n, seed=seed)
    return x + 3 * np.diag(np.arange(1, n + 1))


SQUARE, BATCH, COMPLEX = square(), square(2, seed=1), square(complex_=True)
TALL, WIDE = draw(4, 3, seed=3), draw(2, 4, seed=4)
CTALL, CWIDE = draw_complex(4, 2, seed=3), draw_complex(2, 3, seed=4)
LOW, CLOW = np.tril(SQUARE), np.tril(COMPLEX)
SINGULAR = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]])
NILPOTENT = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 5.0]])


def _positive(x):
    """Hermitian and positive definite, whatever x is: rows that differentiate along Hermitian directions only."""
    return x @ _h(x) + np.eye(x.shape[-1])


def _positive_tensor(x):
    return tf.matmul(x, x, adjoint_b=True) + tf.eye(x.shape[-1], dtype=x.dtype)


def _hermitian(x):
    return HALF * (x + _h(x))


def _hermitian_tensor(x):
    return HALF * (x + tf.linalg.adjoint(x))


def _eigh_parts(x):
    w, v = np.linalg.eigh(x)
    return w, v * np.conj(v[..., -1:, :]), np.abs(v)


def _eigh_parts_tensor(x):
    w, v = tf.linalg.eigh(x)
    return w, v * tf.math.conj(v[..., -1:, :]), tf.abs(v)


def _eig_parts(x):
    w, v = np.linalg.eig(x)
    order = np.argsort(w.real)
    w, v = w[order], v[:, order]
    return w.astype(complex), (v * np.conj(v[-1:])).astype(complex), np.abs(v)


def _eig_parts_tensor(x):
    w, v = tf.linalg.eig(x)
    order = np.argsort(w.numpy().real)
    w, v = w[order], v[:, order]
    return w, v * tf.math.conj(v[-1:]), tf.abs(v)


def _svd_parts(x):
    """What does not depend on the phases that singular vectors may have."""
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return s, np.abs(u), np.abs(vh), u[..., :1] * vh[..., :1, :1]


def _svd_parts_tensor(x):
    s, u, v = tf.linalg.svd(x)
    vh = tf.linalg.adjoint(v)
    return s, tf.abs(u), tf.abs(vh), u[..., :1] * vh[..., :1, :1]


def _svd(x, full_matrices):
    u, s, vh = np.linalg.svd(x, full_matrices=full_matrices)
    return s, u, _h(vh)


def _lu(x):
    p, low, up = scipy.linalg.lu(x)
    return low + up - np.eye(x.shape[-1]), np.argmax(p.T, axis=-1)


def _cofactors(x):
    minors = [
        [np.linalg.det(np.delete(np.delete(x, i, 0), j, 1)) for j in range(x.shape[1])] for i in range(x.shape[0])
    ]
    return np.array(minors) * (-1.0) ** np.add.outer(np.arange(x.shape[0]), np.arange(x.shape[1]))


def _solving(matrix, rhs, lower):
    triangle = np.tril(matrix) if lower else np.triu(matrix)
    return np.linalg.solve(triangle, rhs)


def _low_rank(x):
    """Of rank two, whatever x is."""
    return x[:, :2] @ x[:2, :]


STRUCTURE = [
    Case("take_diagonal", (draw(3, 3),), lambda x, labels: np.diagonal(x), {"labels": (0, 0)}),
    Case(
        "take_diagonal",
        (draw(2, 3, 3),),
        lambda x, labels: np.einsum("bii->bi", x),
        {"labels": (0, 1, 1)},
        label="batch",
    ),
    Case(
        "take_diagonal",
        (draw(2, 3, 2, 3),),
        lambda x, labels: np.einsum("ijij->ij", x),
        {"labels": (0, 1, 0, 1)},
        label="pairs",
    ),
    Case(
        "take_diagonal", (draw(2, 2, 2),), lambda x, labels: np.einsum("iii->i", x), {"labels": (0, 0, 0)}, label="cube"
    ),
    Case("put_diagonal", (draw(3),), lambda x, labels: np.diag(x), {"labels": (0, 0)}),
    Case(
        "put_diagonal",
        (draw_complex(2, 3),),
        lambda x, labels: x[..., None] * np.eye(3),
        {"labels": (0, 1, 1)},
        label="batch",
    ),
    Case("band_part", (draw(4, 5),), lambda x, lower, upper: np.triu(np.tril(x, 2), -1), {"lower": 1, "upper": 2}),
    Case("band_part", (draw(2, 3, 3),), lambda x, lower, upper: np.tril(x), {"lower": None, "upper": 0}, label="tril"),
    Case(
        "take_diagonal",
        (draw(3, 4),),
        lambda x: np.diagonal(x, 2),
        label="diag_part",
        call=lambda x: tf.linalg.diag_part(x, k=2),
    ),
    Case(
        "take_diagonal",
        (draw(3, 3),),
        lambda x: np.array([[7, x[0, 1], x[1, 2]], np.diagonal(x), [x[1, 0], x[2, 1], 7]]),
        label="diag_part-band",
        call=lambda x: tf.linalg.diag_part(x, k=(-1, 1), padding_value=7.0),
    ),
    Case("put_diagonal", (draw(2),), lambda x: np.diag(x, -1), label="diag", call=lambda x: tf.linalg.diag(x, k=-1)),
    Case(
        "put_diagonal",
        (draw(2, 3),),
        lambda x: np.diag(x[1]) + np.diag(x[0, 1:], 1),
        label="diag-band",
        call=lambda x: tf.linalg.diag(x, k=(0, 1)),
    ),
    Case(
        "put_diagonal",
        (draw(2, 3, 4), draw(2, 3, seed=1)),
        lambda x, d: np.where(np.eye(3, 4, dtype=bool), np.concatenate([d, d[:, :1]], 1)[:, None, :], x),
        label="set_diag",
        call=tf.linalg.set_diag,
    ),
    Case(
        "take_diagonal", (draw(2, 3, 4),), lambda x: np.trace(x, axis1=1, axis2=2), label="trace", call=tf.linalg.trace
    ),
    Case(
        "put_diagonal",
        (draw(2, 2),),
        lambda x: np.einsum("ij,ik,jl->ijkl", x, np.eye(2), np.eye(2)),
        label="tensor_diag",
        call=tf.linalg.tensor_diag,
    ),
]

SOLVE = [
    Case("solve", (SQUARE, draw(3, 2)), np.linalg.solve),
    Case("solve", (BATCH, draw(2, 3, 1)), np.linalg.solve, label="batch"),
    Case("solve", (COMPLEX, draw_complex(3, 2)), np.linalg.solve, label="complex"),
    Case("solve", (BATCH, draw(3, 2)), np.linalg.solve, label="broadcast", call=tf.linalg.solve),
    Case(
        "solve",
        (COMPLEX, draw_complex(3, 1)),
        lambda a, b: np.linalg.solve(_h(a), b),
        label="adjoint",
        call=lambda a, b: tf.linalg.solve(a, b, adjoint=True),
    ),
    Case("triangular_solve", (SQUARE, draw(3, 2)), _solving, {"lower": True}),
    Case("triangular_solve", (BATCH, draw(2, 3, 2)), _solving, {"lower": False}, label="upper-batch"),
    Case("triangular_solve", (COMPLEX, draw_complex(3, 2)), _solving, {"lower": True}, label="complex"),
    Case(
        "triangular_solve",
        (COMPLEX, draw_complex(3, 2)),
        lambda a, b: np.linalg.solve(_h(np.tril(a)), b),
        label="adjoint",
        call=lambda a, b: tf.linalg.triangular_solve(a, b, adjoint=True),
    ),
    Case(
        "triangular_solve",
        (CLOW, draw_complex(3, 2)),
        lambda a, b: np.linalg.solve(a @ _h(a), b),
        label="cholesky_solve",
        call=lambda a, b: tf.linalg.cholesky_solve(a, b),
    ),
    Case("inv", (SQUARE,), np.linalg.inv),
    Case("inv", (BATCH,), np.linalg.inv, label="batch"),
    Case("inv", (COMPLEX,), np.linalg.inv, label="complex"),
    Case(
        "inv",
        (COMPLEX,),
        lambda a: np.linalg.inv(_h(a)),
        label="adjoint",
        call=lambda a: tf.linalg.inv(a, adjoint=True),
    ),
    Case("pinv", (TALL,), lambda a, rcond: np.linalg.pinv(a), {"rcond": 1e-12}, label="tall"),
    Case("pinv", (WIDE,), lambda a, rcond: np.linalg.pinv(a), {"rcond": 1e-12}, label="wide"),
    Case("pinv", (CTALL,), lambda a, rcond: np.linalg.pinv(a), {"rcond": 1e-12}, label="complex"),
    Case(
        "pinv",
        (draw(2, 2, 3, seed=9),),
        lambda a, rcond: np.linalg.pinv(a),
        {"rcond": 1e-12},
        label="batch",
        float32=1e-4,
    ),
    Case(
        "pinv",
        (draw(3, 3, seed=5),),
        lambda a: np.linalg.pinv(_low_rank(a), rcond=1e-10),
        label="low rank",
        call=lambda a: tf.linalg.pinv(tf.matmul(a[:, :2], a[:2, :]), rcond=1e-5),
        float32=1e-4,
    ),
    Case("det", (SQUARE,), np.linalg.det),
    Case("det", (BATCH,), np.linalg.det, label="batch"),
    Case("det", (COMPLEX,), np.linalg.det, label="complex"),
    Case("det", (SINGULAR,), np.linalg.det, label="singular", second_order=False, float32=None),
    Case("det", (NILPOTENT,), np.linalg.det, label="rank one", second_order=False),
    Case("cofactor", (SQUARE,), _cofactors),
    Case("cofactor", (COMPLEX,), _cofactors, label="complex"),
    Case("cofactor", (SINGULAR,), _cofactors, label="singular", wrt=()),
    Case("slogdet", (SQUARE,), np.linalg.slogdet),
    Case("slogdet", (-BATCH,), np.linalg.slogdet, label="batch"),
    Case("slogdet", (COMPLEX,), np.linalg.slogdet, label="complex"),
    Case(
        "cholesky",
        (draw(3, 3),),
        lambda a: np.linalg.slogdet(_positive(a))[1],
        label="logdet",
        call=lambda a: tf.linalg.logdet(_positive_tensor(a)),
    ),
    Case(
        "solve",
        (TALL, draw(4, 2)),
        lambda a, b: np.linalg.lstsq(a, b)[0],
        label="lstsq",
        call=tf.linalg.lstsq,
        float32=1e-4,
    ),
    Case(
        "solve",
        (WIDE, draw(2, 2)),
        lambda a, b: np.linalg.lstsq(a, b)[0],
        label="lstsq-wide",
        call=tf.linalg.lstsq,
        float32=1e-4,
    ),
    Case(
        "solve",
        (CTALL, draw_complex(4, 2)),
        lambda a, b: np.linalg.solve(_h(a) @ a + 0.3 * np.eye(2), _h(a) @ b),
        label="lstsq-regularized",
        call=lambda a, b: tf.linalg.lstsq(a, b, l2_regularizer=0.3),
        float32=1e-4,
    ),
    Case(
        "solve",
        (TALL, draw(4, 2)),
        lambda a, b: np.linalg.lstsq(a, b)[0],
        label="lstsq-slow",
        call=lambda a, b: tf.linalg.lstsq(a, b, fast=False),
        float32=1e-4,
    ),
]

FACTORIZE = [
    Case("cholesky", (_positive(SQUARE),), np.linalg.cholesky, wrt=()),
    Case(
        "cholesky",
        (SQUARE,),
        lambda a: np.linalg.cholesky(_positive(a)),
        label="derivative",
        call=lambda a: tf.linalg.cholesky(_positive_tensor(a)),
    ),
    Case(
        "cholesky",
        (draw(2, 3, 3),),
        lambda a: np.linalg.cholesky(_positive(a)),
        label="batch",
        call=lambda a: tf.linalg.cholesky(_positive_tensor(a)),
    ),
    Case(
        "cholesky",
        (COMPLEX,),
        lambda a: np.linalg.cholesky(_positive(a)),
        label="complex",
        call=lambda a: tf.linalg.cholesky(_positive_tensor(a)),
    ),
    Case("qr", (TALL,), lambda a, mode: tuple(np.linalg.qr(a)), {"mode": "reduced"}),
    Case("qr", (SQUARE,), lambda a, mode: tuple(np.linalg.qr(a)), {"mode": "reduced"}, label="square"),
    Case("qr", (draw(2, 4, 2, seed=2),), lambda a, mode: tuple(np.linalg.qr(a)), {"mode": "reduced"}, label="batch"),
    Case("qr", (CTALL,), lambda a, mode: tuple(np.linalg.qr(a)), {"mode": "reduced"}, label="complex"),
    Case("qr", (TALL,), lambda a, mode: tuple(np.linalg.qr(a, mode)), {"mode": "complete"}, label="complete", wrt=()),
    Case("qr", (WIDE,), lambda a: tuple(np.linalg.qr(a)), label="wide", call=tf.linalg.qr),
    Case("qr", (CWIDE,), lambda a: tuple(np.linalg.qr(a)), label="wide-complex", call=tf.linalg.qr),
    Case("eigh", (_hermitian(SQUARE),), lambda a: tuple(np.linalg.eigh(a)), wrt=()),
    Case(
        "eigh",
        (COMPLEX,),
        lambda a: tuple(np.linalg.eigh(_hermitian(a))),
        label="hermitian",
        call=lambda a: tf.linalg.eigh(_hermitian_tensor(a)),
        wrt=(),
    ),
    Case(
        "eigh",
        (SQUARE,),
        lambda a: _eigh_parts(_hermitian(a)),
        label="derivative",
        call=lambda a: _eigh_parts_tensor(_hermitian_tensor(a)),
    ),
    Case(
        "eigh",
        (BATCH,),
        lambda a: _eigh_parts(_hermitian(a)),
        label="batch",
        call=lambda a: _eigh_parts_tensor(_hermitian_tensor(a)),
    ),
    Case(
        "eigh",
        (COMPLEX,),
        lambda a: _eigh_parts(_hermitian(a)),
        label="complex",
        call=lambda a: _eigh_parts_tensor(_hermitian_tensor(a)),
    ),
    Case("eigvalsh", (_hermitian(BATCH),), np.linalg.eigvalsh, wrt=()),
    Case(
        "eigvalsh",
        (BATCH,),
        lambda a: np.linalg.eigvalsh(_hermitian(a)),
        label="derivative",
        call=lambda a: tf.linalg.eigvalsh(_hermitian_tensor(a)),
    ),
    Case(
        "eigvalsh",
        (COMPLEX,),
        lambda a: np.linalg.eigvalsh(_hermitian(a)),
        label="complex",
        call=lambda a: tf.linalg.eigvalsh(_hermitian_tensor(a)),
    ),
    Case("eig", (SQUARE,), lambda a: tuple(x.astype(complex) for x in np.linalg.eig(a)), wrt=()),
    Case("eig", (SQUARE,), _eig_parts, label="derivative", call=_eig_parts_tensor),
    Case("eig", (COMPLEX,), _eig_parts, label="complex", call=_eig_parts_tensor, float32=1e-4),
    Case("eigvals", (BATCH,), lambda a: np.linalg.eigvals(a).astype(complex)),
    Case("eigvals", (COMPLEX,), np.linalg.eigvals, label="complex"),
    Case("svd", (TALL,), _svd, {"full_matrices": False}, wrt=()),
    Case("svd", (CWIDE,), _svd, {"full_matrices": True}, label="full", wrt=()),
    Case("svd", (TALL,), _svd_parts, label="tall", call=_svd_parts_tensor),
    Case("svd", (WIDE,), _svd_parts, label="wide", call=_svd_parts_tensor),
    Case("svd", (BATCH,), _svd_parts, label="batch", call=_svd_parts_tensor),
    Case("svd", (COMPLEX,), _svd_parts, label="complex", call=_svd_parts_tensor, float32=1e-4),
    Case("svd", (CTALL,), _svd_parts, label="complex-tall", call=_svd_parts_tensor),
    Case("svd", (CWIDE,), _svd_parts, label="complex-wide", call=_svd_parts_tensor),
    Case("singular_values", (draw(2, 4, 3),), lambda a: np.linalg.svd(a, compute_uv=False)),
    Case("singular_values", (CWIDE,), lambda a: np.linalg.svd(a, compute_uv=False), label="complex"),
    Case("lu", (SQUARE,), _lu),
    Case("lu", (COMPLEX[::-1],), _lu, label="complex"),
]

FUNCTION = [
    Case("expm", (draw(3, 3),), scipy.linalg.expm),
    Case("expm", (draw(2, 2, 2),), scipy.linalg.expm, label="batch"),
    Case("expm", (draw_complex(2, 2),), scipy.linalg.expm, label="complex"),
    Case("expm", (np.eye(2),), scipy.linalg.expm, label="identity"),
    Case("logm", (_positive(draw(3, 3)),), scipy.linalg.logm),
    Case("logm", (COMPLEX,), scipy.linalg.logm, label="complex", float32=1e-4),
    Case("logm", (2 * np.eye(2),), scipy.linalg.logm, label="identity", float32=1e-4),
    Case("sqrtm", (_positive(draw(3, 3)),), scipy.linalg.sqrtm, float32=1e-4),
    Case(
        "sqrtm",
        (np.stack([COMPLEX, COMPLEX + 1]),),
        lambda x: np.stack([scipy.linalg.sqrtm(a) for a in x]),
        label="complex-batch",
        float32=1e-4,
    ),
    Case("sqrtm", (2 * np.eye(2),), scipy.linalg.sqrtm, label="identity"),
    Case(
        "matmul",
        (SQUARE,),
        lambda x: np.linalg.matrix_power(x, 5),
        label="matrix_power",
        call=lambda x: np.linalg.matrix_power(x, 5),
        float32=1e-4,
    ),
    Case(
        "inv",
        (SQUARE,),
        lambda x: np.linalg.matrix_power(x, -2),
        label="matrix_power",
        call=lambda x: np.linalg.matrix_power(x, -2),
    ),
]

CASES = STRUCTURE + SOLVE + FACTORIZE + FUNCTION
