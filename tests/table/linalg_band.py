"""Rows of wengert.primitives.linalg_band, and of the functions that use an LU decomposition."""

from __future__ import annotations

import numpy as np

import wengert as tf
from tests.table.case import Case, draw, draw_complex
from tests.table.linalg import SQUARE, square


def _tridiagonal(diagonals):
    """The dense matrix of three diagonals, the first of which lies above the main one."""
    above, main, below = diagonals
    return np.diag(above[:-1], 1) + np.diag(main) + np.diag(below[1:], -1)


def _tridiagonals(diagonals):
    return np.stack([_tridiagonal(d) for d in diagonals])


DIAGONALS = draw(2, 3, 4, seed=2) + np.array([0.0, 5.0, 0.0])[:, None]
CDIAGONALS = draw_complex(3, 4) + np.array([0.0, 5.0, 0.0])[:, None]

CASES = [
    Case("tridiagonal_solve", (DIAGONALS[0], draw(4, 2)), lambda d, b: np.linalg.solve(_tridiagonal(d), b)),
    Case(
        "tridiagonal_solve",
        (DIAGONALS, draw(2, 4, 1)),
        lambda d, b: np.linalg.solve(_tridiagonals(d), b),
        label="batch",
    ),
    Case(
        "tridiagonal_solve",
        (CDIAGONALS, draw_complex(4, 2)),
        lambda d, b: np.linalg.solve(_tridiagonal(d), b),
        label="complex",
    ),
    Case("tridiagonal_matmul", (DIAGONALS, draw(2, 4, 3)), lambda d, b: _tridiagonals(d) @ b),
    Case("tridiagonal_matmul", (CDIAGONALS, draw_complex(4, 2)), lambda d, b: _tridiagonal(d) @ b, label="complex"),
    Case(
        "tridiagonal_solve",
        (DIAGONALS, draw(2, 4)),
        lambda d, b: np.linalg.solve(_tridiagonals(d), b[..., None])[..., 0],
        label="vectors",
        call=lambda d, b: tf.linalg.tridiagonal_solve((d[..., 0, :-1], d[..., 1, :], d[..., 2, 1:]), b, "sequence"),
    ),
    Case(
        "tridiagonal_solve",
        (square(n=4), draw(2, 4)),
        lambda a, b: np.linalg.solve(np.triu(np.tril(a, 1), -1), b.T),
        label="matrix",
        call=lambda a, b: tf.linalg.tridiagonal_solve(a, b, "matrix", transpose_rhs=True),
    ),
    *(
        Case(
            "triangular_solve",
            (SQUARE, draw(3, 2)),
            function,
            label=label,
            call=call,
        )
        for label, function, call in [
            ("lu_solve", np.linalg.solve, lambda a, b: tf.linalg.lu_solve(*tf.linalg.lu(a), b)),
            (
                "lu_matrix_inverse",
                lambda a, b: np.linalg.inv(a) @ b,
                lambda a, b: tf.linalg.lu_matrix_inverse(*tf.linalg.lu(a)) @ b,
            ),
            ("lu_reconstruct", np.matmul, lambda a, b: tf.linalg.lu_reconstruct(*tf.linalg.lu(a)) @ b),
        ]
    ),
]
