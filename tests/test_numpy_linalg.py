"""NumPy's functions of linear algebra give on tensors what they give on arrays, and differentiable results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wengert as tf
from tests.table.case import draw, draw_complex

A = draw(3, 3) + 3 * np.diag([1.0, 2.0, 3.0])
SPD = A @ A.T
B = np.stack([A, A.T + 1])
C = draw_complex(3, 3)
V, W = draw(3), draw(3, seed=5)
T = draw(2, 3, 4)
TALL = draw(4, 3, seed=3)
INTEGERS = np.array([[2, 1], [1, 3]])

CALLS: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (np.matmul, (A, V), {}),
    (np.dot, (A, V), {}),
    (np.dot, (V, W), {}),
    (np.dot, (T, A[0].repeat(4).reshape(3, 4).T), {}),
    (np.dot, (T, draw(2, 4, 2)), {}),
    (np.dot, (2.5, A), {}),
    (np.vdot, (C, C[::-1]), {}),
    (np.inner, (A, B), {}),
    (np.outer, (A, V), {}),
    (np.linalg.outer, (V, W), {}),
    (np.kron, (A, V), {}),
    (np.kron, (INTEGERS, INTEGERS[0]), {}),
    (np.tensordot, (T, draw(4, 3, 2)), {"axes": ([1, 2], [1, 0])}),
    (np.tensordot, (B, A), {"axes": 1}),
    (np.tensordot, (B, A), {}),
    (np.vecdot, (C, C[0]), {}),
    (np.linalg.vecdot, (T, T[:1]), {"axis": 1}),
    (np.matvec, (B, V), {}),
    (np.vecmat, (C[0], C), {}),
    (np.einsum, ("ij,kj->ik", A, B[0]), {}),
    (np.einsum, ("...ij,jk", B, A), {"optimize": True}),
    (np.einsum, (A, [0, 1], V, [1], [0]), {}),
    (np.einsum, (B, [Ellipsis, 0, 0]), {}),
    (np.cross, (V, W), {}),
    (np.cross, (A, B), {}),
    (np.cross, (A, A[::-1]), {"axis": 0}),
    (np.linalg.cross, (A, V), {"axis": -1}),
    (np.linalg.multi_dot, ([V, A, SPD, TALL.T, draw(4)],), {}),
    (np.linalg.multi_dot, ([A, SPD, TALL.T],), {}),
    (np.diagonal, (T,), {"offset": 1}),
    (np.diagonal, (T, -1, 2, 1), {}),
    (np.linalg.diagonal, (T,), {"offset": -1}),
    (np.trace, (T,), {"axis1": 1, "axis2": 2}),
    (np.trace, (INTEGERS,), {"dtype": np.float64}),
    (np.linalg.trace, (T,), {"offset": 1}),
    (np.diag, (V,), {}),
    (np.diag, (V,), {"k": -2}),
    (np.diag, (A,), {"k": 1}),
    (np.diagflat, (A,), {"k": 1}),
    (np.tril, (T,), {}),
    (np.triu, (A,), {"k": 1}),
    (np.tril, (V,), {"k": -1}),
    (np.vander, (V,), {}),
    (np.vander, (V, 2), {"increasing": True}),
    (np.linalg.inv, (B,), {}),
    (np.linalg.inv, (INTEGERS,), {}),
    (np.linalg.det, (B,), {}),
    (np.linalg.slogdet, (C,), {}),
    (np.linalg.solve, (A, V), {}),
    (np.linalg.solve, (B, V), {}),
    (np.linalg.solve, (B, A), {}),
    (np.linalg.cholesky, (SPD,), {}),
    (np.linalg.cholesky, (C @ C.conj().T,), {"upper": True}),
    (np.linalg.qr, (TALL,), {}),
    (np.linalg.qr, (TALL,), {"mode": "complete"}),
    (np.linalg.qr, (TALL.T,), {"mode": "r"}),
    (np.linalg.eigh, (SPD,), {}),
    (np.linalg.eigvalsh, (C + C.conj().T,), {"UPLO": "U"}),
    (np.linalg.eigvalsh, (SPD,), {}),
    (np.linalg.eig, (A,), {}),
    (np.linalg.eigvals, (np.array([[0.0, 1.0], [-1.0, 0.0]]),), {}),
    (np.linalg.eigvals, (A,), {}),
    (np.linalg.svd, (TALL,), {"full_matrices": False}),
    (np.linalg.svd, (TALL,), {}),
    (np.linalg.svd, (C,), {"compute_uv": False}),
    (np.linalg.svdvals, (TALL,), {}),
    (np.linalg.lstsq, (TALL, draw(4)), {}),
    (np.linalg.lstsq, (TALL, draw(4, 2)), {}),
    (np.linalg.lstsq, (TALL.T, draw(3, 2)), {}),
    (np.linalg.pinv, (TALL,), {}),
    (np.linalg.pinv, (np.diag([1.0, 1e-3]),), {"rcond": 1e-2}),
    (np.linalg.pinv, (np.diag([1.0, 1e-3]),), {"rtol": 1e-2}),
    (np.linalg.matrix_power, (A, 3), {}),
    (np.linalg.matrix_power, (A, 0), {}),
    (np.linalg.matrix_power, (B, -2), {}),
    (np.linalg.matrix_rank, (TALL @ np.diag([1.0, 1.0, 0.0]),), {}),
    (np.linalg.matrix_transpose, (T,), {}),
    (np.linalg.cond, (A,), {}),
    (np.linalg.cond, (A,), {"p": 1}),
    *((np.linalg.norm, (V, order), {}) for order in (None, 1, 2, 3, 0, -1, 0.5, np.inf, -np.inf)),
    *((np.linalg.norm, (TALL, order), {}) for order in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)),
    (np.linalg.norm, (T,), {}),
    (np.linalg.norm, (T,), {"axis": (2, 0), "ord": 1, "keepdims": True}),
    (np.linalg.norm, (T,), {"axis": 1, "ord": np.inf, "keepdims": True}),
    (np.linalg.norm, (C,), {"axis": -1}),
    (np.linalg.matrix_norm, (T,), {"ord": "nuc"}),
    (np.linalg.vector_norm, (T,), {"axis": (0, 2), "ord": 3}),
    (np.linalg.vector_norm, (T,), {"ord": 1, "keepdims": True}),
    (np.linalg.tensorinv, (draw(4, 2, 2) + np.eye(4).reshape(4, 2, 2) * 3,), {"ind": 1}),
    (np.linalg.tensorsolve, (draw(2, 2, 4) + np.eye(4).reshape(2, 2, 4) * 3, draw(2, 2, seed=1)), {}),
]


def _with_tensors(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(v, np.ndarray) for v in value):
        return [tf.constant(v) for v in value]
    return tf.constant(value) if isinstance(value, np.ndarray) else value


def _name(call: Any) -> str:
    return f"{call[0].__name__}{call[2] or ''}"


@pytest.mark.parametrize("call", CALLS, ids=_name)
def test_value_on_tensors_is_the_value_on_arrays(call: Any) -> None:
    function, arguments, keywords = call
    expected = function(*arguments, **keywords)
    got = function(*map(_with_tensors, arguments), **keywords)
    expected = expected if isinstance(expected, tuple) else (expected,)
    got = got if isinstance(got, tuple) else (got,)
    assert len(got) == len(expected)
    for g, e in zip(got, expected):
        assert isinstance(g, (tf.Tensor, int))
        assert np.shape(g) == np.shape(e)
        np.testing.assert_allclose(np.asarray(g), e, rtol=1e-9, atol=1e-11)
        if isinstance(g, tf.Tensor):
            assert g.dtype.dtype == np.asarray(e).dtype


def test_methods_of_arrays() -> None:
    x = tf.constant(A)
    np.testing.assert_allclose(x.dot(V).numpy(), A @ V)
    np.testing.assert_allclose(x.trace().numpy(), np.trace(A))
    np.testing.assert_allclose(x.diagonal(1).numpy(), np.diagonal(A, 1))


def test_named_results() -> None:
    assert np.linalg.eigh(tf.constant(SPD)).eigenvalues.shape == (3,)
    assert np.linalg.svd(tf.constant(TALL), full_matrices=False).Vh.shape == (3, 3)
    assert np.linalg.qr(tf.constant(TALL)).Q.shape == (4, 3)
    assert np.linalg.slogdet(tf.constant(SPD)).sign == 1


def test_jacobian_of_a_fixed_matrix_times_a_vector() -> None:
    matrix = np.arange(9.0).reshape(3, 3)
    x = tf.constant(V)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = matrix @ x
    rows = [tape.gradient(y, x, output_gradients=e).numpy() for e in np.eye(3)]
    np.testing.assert_array_equal(rows, matrix)


def test_results_cannot_be_written_to_an_array() -> None:
    with pytest.raises(NotImplementedError, match="out"):
        np.dot(tf.constant(A), V, out=np.empty(3))
