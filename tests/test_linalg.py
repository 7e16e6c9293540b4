"""Linear algebra: errors, edges, repeated eigenvalues, and values from documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf

RNG = np.random.default_rng(7)


def gradient(function: Any, *inputs: Any) -> Any:
    tensors = [tf.constant(x) for x in inputs]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        y = function(*tensors)
    found = [g.numpy() for g in tape.gradient(y, tensors)]
    return found[0] if len(found) == 1 else found


def hessian_times(function: Any, x: np.ndarray, direction: np.ndarray) -> np.ndarray:
    x, direction = tf.constant(x), tf.constant(direction)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        first = tape.gradient(y, x)
    return outer.gradient(first, x, output_gradients=direction).numpy()


def hermitian(n: int, complex_: bool = False) -> np.ndarray:
    a = RNG.standard_normal((n, n))
    if complex_:
        a = a + 1j * RNG.standard_normal((n, n))
    return (a + a.conj().T) / 2


# --- values from documents -------------------------------------------------------------------------------------------


def test_derivative_of_a_solution_of_equations() -> None:
    matrix, rhs = np.array([[4.0, 1.0], [2.0, 3.0]]), np.array([[1.0], [2.0]])
    of_matrix, of_rhs = gradient(lambda a, b: tf.reduce_sum(tf.linalg.solve(a, b)), matrix, rhs)
    np.testing.assert_allclose(of_rhs, [[0.1], [0.3]])
    np.testing.assert_allclose(of_matrix, [[-0.01, -0.06], [-0.03, -0.18]])


def test_diagonals_as_in_tensorflows_documentation() -> None:
    x = np.array([[[1, 2, 3, 4], [5, 6, 7, 8], [9, 8, 7, 6]], [[5, 4, 3, 2], [1, 2, 3, 4], [5, 6, 7, 8]]])
    assert tf.linalg.diag_part(x).numpy().tolist() == [[1, 6, 7], [5, 2, 7]]
    assert tf.linalg.diag_part(x, k=1).numpy().tolist() == [[2, 7, 6], [4, 3, 8]]
    assert tf.linalg.diag_part(x, k=(0, 2)).numpy().tolist() == [
        [[0, 3, 8], [2, 7, 6], [1, 6, 7]],
        [[0, 3, 4], [4, 3, 8], [5, 2, 7]],
    ]
    assert tf.linalg.diag_part(x, k=(1, 3), padding_value=9, align="LEFT_RIGHT").numpy().tolist() == [
        [[4, 9, 9], [3, 8, 9], [2, 7, 6]],
        [[2, 9, 9], [3, 4, 9], [4, 3, 8]],
    ]
    bands = np.array([[[0, 8, 9], [1, 2, 3], [4, 5, 0]], [[0, 2, 3], [6, 7, 9], [9, 1, 0]]])
    assert tf.linalg.diag(bands, k=(-1, 1)).numpy().tolist() == [
        [[1, 8, 0], [4, 2, 9], [0, 5, 3]],
        [[6, 2, 0], [9, 7, 3], [0, 1, 9]],
    ]
    assert tf.linalg.diag([[1, 2], [3, 4]], k=-1, num_rows=3, padding_value=9).numpy().tolist() == [
        [[9, 9], [1, 9], [9, 2]],
        [[9, 9], [3, 9], [9, 4]],
    ]
    sevens = np.full((2, 3, 4), 7)
    assert tf.linalg.set_diag(sevens, [[1, 2, 3], [4, 5, 6]], k=1).numpy().tolist() == [
        [[7, 1, 7, 7], [7, 7, 2, 7], [7, 7, 7, 3]],
        [[7, 4, 7, 7], [7, 7, 5, 7], [7, 7, 7, 6]],
    ]
    bands = np.array([[[0, 9, 1], [6, 5, 8], [1, 2, 3], [4, 5, 0]]])
    assert tf.linalg.set_diag(sevens[:1], bands, k=(-1, 2)).numpy().tolist() == [
        [[1, 6, 9, 7], [4, 2, 5, 1], [7, 5, 3, 8]]
    ]
    band = tf.linalg.band_part([[0, 1, 2, 3], [-1, 0, 1, 2], [-2, -1, 0, 1], [-3, -2, -1, 0]], 2, 1)
    assert band.numpy().tolist() == [[0, 1, 0, 0], [-1, 0, 1, 0], [-2, -1, 0, 1], [0, -2, -1, 0]]


# --- repeated eigenvalues and singular values ------------------------------------------------------------------------


REPEATED = [np.eye(3), np.diag([1.0, 1.0, 2.0]), np.ones((3, 3)), np.zeros((3, 3))]


@pytest.mark.parametrize("a", REPEATED)
def test_symmetric_functions_of_repeated_eigenvalues(a: np.ndarray) -> None:
    np.testing.assert_allclose(gradient(lambda x: tf.reduce_sum(tf.linalg.eigh(x)[0] ** 2), a), 2 * a, atol=1e-13)
    np.testing.assert_allclose(gradient(lambda x: tf.reduce_sum(tf.linalg.eigvalsh(x) ** 2), a), 2 * a, atol=1e-13)
    np.testing.assert_allclose(
        gradient(lambda x: tf.reduce_sum(tf.exp(tf.linalg.eigvalsh(x))), a), scipy.linalg.expm(a), atol=1e-12
    )


@pytest.mark.parametrize("a", REPEATED)
def test_symmetric_functions_of_repeated_singular_values(a: np.ndarray) -> None:
    for compute_uv in (True, False):

        def squares(x: Any, compute_uv: bool = compute_uv) -> Any:
            s = tf.linalg.svd(x, compute_uv=compute_uv)
            return tf.reduce_sum((s[0] if compute_uv else s) ** 2)

        np.testing.assert_allclose(gradient(squares, a), 2 * a, atol=1e-13)


@pytest.mark.parametrize("a", REPEATED)
def test_everything_stays_finite_at_repeated_values(a: np.ndarray) -> None:
    def of_eigh(x: Any) -> Any:
        w, v = tf.linalg.eigh(x)
        return tf.reduce_sum(w**3) + tf.reduce_sum(v**3)

    def of_svd(x: Any) -> Any:
        s, u, v = tf.linalg.svd(x)
        return tf.reduce_sum(s**3) + tf.reduce_sum(u**3) + tf.reduce_sum(v**3)

    for function in (of_eigh, of_svd):
        assert np.all(np.isfinite(gradient(function, a)))
        assert np.all(np.isfinite(hessian_times(function, a, np.ones((3, 3)))))


def test_projector_on_a_group_of_equal_eigenvalues() -> None:
    """The projector on the whole group is smooth; its derivative needs the gaps to the others only."""
    a, direction = np.diag([1.0, 1.0, 2.0]), hermitian(3)
    weights = hermitian(3)

    def of_projector(x: Any) -> Any:
        v = tf.linalg.eigh(x)[1][:, :2]
        return tf.reduce_sum(weights * (v @ tf.transpose(v)))

    h = 1e-6
    moved = [float(of_projector(tf.constant(a + s * h * direction))) for s in (1, -1)]
    np.testing.assert_allclose(
        np.sum(gradient(of_projector, a) * direction), (moved[0] - moved[1]) / (2 * h), rtol=1e-7
    )


@pytest.mark.parametrize("function, name", [(np.exp, "expm"), (np.log, "logm"), (np.sqrt, "sqrtm")])
@pytest.mark.parametrize("a", [np.eye(3), np.diag([1.0, 1.0, 2.0]), np.diag([0.5, 1.0, 2.0])])
def test_functions_of_matrices_are_exact_at_repeated_eigenvalues(a: np.ndarray, function: Any, name: str) -> None:
    """Against the divided differences of the function (Daleckii and Krein)."""
    w = np.diag(a)
    gaps = w[:, None] - w
    slopes = {"expm": np.exp(w), "logm": 1 / w, "sqrtm": 0.5 / np.sqrt(w)}[name]
    with np.errstate(all="ignore"):
        divided = np.where(gaps == 0, slopes, (function(w)[:, None] - function(w)) / gaps)
    weights = RNG.standard_normal((3, 3))
    got = gradient(lambda x: tf.reduce_sum(weights * getattr(tf.linalg, name)(x)), a)
    np.testing.assert_allclose(got, divided * weights, rtol=1e-10, atol=1e-12)


def test_function_of_eigenvalues_and_vectors_is_the_function_of_the_matrix() -> None:
    """At distinct eigenvalues the gradient of v exp(w) v^T is that of expm; that of its trace is, everywhere."""

    def by_vectors(x: Any) -> Any:
        w, v = tf.linalg.eigh(x)
        return (v * tf.exp(w)) @ tf.transpose(v)

    weights = hermitian(3)
    for a in (hermitian(3), np.diag([1.0, 2.0, 4.0])):
        by_eigh = gradient(lambda x: tf.reduce_sum(weights * by_vectors(x)), a)
        np.testing.assert_allclose(
            by_eigh, gradient(lambda x: tf.reduce_sum(weights * tf.linalg.expm(x)), a), rtol=1e-9, atol=1e-10
        )
    for a in REPEATED:
        np.testing.assert_allclose(
            gradient(lambda x: tf.linalg.trace(by_vectors(x)), a), scipy.linalg.expm(a), rtol=1e-12, atol=1e-12
        )


def test_second_derivative_of_a_sum_of_eigenvalues() -> None:
    a, direction = hermitian(4), hermitian(4)
    got = hessian_times(lambda x: tf.reduce_sum(tf.linalg.eigvalsh(x) ** 3), a, direction)
    np.testing.assert_allclose(got, 3 * (a @ direction + direction @ a), rtol=1e-10)


def test_nuclear_norm_of_a_matrix_of_low_rank_is_finite() -> None:
    a = np.outer([3.0, 4.0], [1.0, 0.0])
    np.testing.assert_allclose(gradient(lambda x: tf.reduce_sum(tf.linalg.svd(x)[0]), a)[:, 0], [0.6, 0.8], rtol=1e-12)


# --- norms at the origin ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["euclidean", 1, 1.5, 2, 3, np.inf])
def test_norm_at_the_origin_has_a_finite_subgradient(order: Any) -> None:
    zero = np.zeros(3)
    assert np.array_equal(gradient(lambda x: tf.norm(x, order), zero), zero)
    assert np.array_equal(gradient(lambda x: tf.norm(x, order) ** 2, zero), zero)
    assert np.all(np.isfinite(hessian_times(lambda x: tf.norm(x, order) ** 2, zero, np.ones(3))))


@pytest.mark.parametrize("order", ["euclidean", "fro", 1, 2, np.inf])
def test_norm_of_matrices_at_the_origin(order: Any) -> None:
    zero = np.zeros((2, 3))
    found = gradient(lambda x: tf.norm(x, order, axis=(0, 1)) ** 2, zero)
    assert np.array_equal(found, zero)
    assert np.all(np.isfinite(gradient(lambda x: tf.norm(x, order, axis=(0, 1)), zero)))


def test_norm_with_some_zeros() -> None:
    x = np.array([0.0, 3.0, -4.0])
    np.testing.assert_allclose(gradient(lambda x: tf.norm(x), x), [0.0, 0.6, -0.8])
    np.testing.assert_allclose(gradient(lambda x: tf.norm(x, 3), x), [0.0, 9, -16] / np.cbrt(91) ** 2)


def test_norm_keeps_axes() -> None:
    x = np.ones((2, 3, 4))
    assert tf.norm(x, keepdims=True).shape == (1, 1, 1)
    assert tf.norm(x, axis=1, keepdims=True).shape == (2, 1, 4)
    assert tf.norm(x, ord=1, axis=(2, 0), keepdims=True).shape == (1, 3, 1)
    assert tf.norm(x, ord=2, axis=[0, -1]).shape == (3,)
    assert tf.norm(x, axis=[1]).shape == (2, 4)


def test_norm_of_complex_numbers_is_real() -> None:
    assert tf.norm(np.array([3 + 4j])).dtype == tf.float64


def test_l2_normalize_at_the_origin() -> None:
    np.testing.assert_allclose(gradient(lambda x: tf.math.l2_normalize(x), np.zeros(2)), [1e6, 1e6])
    assert tf.nn.l2_normalize is tf.math.l2_normalize


def test_normalize_returns_the_norm_with_its_axes() -> None:
    unit, length = tf.linalg.normalize(np.array([[3.0, 4.0], [6.0, 8.0]]), axis=1)
    assert length.numpy().tolist() == [[5.0], [10.0]]
    np.testing.assert_allclose(unit.numpy(), [[0.6, 0.8], [0.6, 0.8]])


# --- determinants ----------------------------------------------------------------------------------------------------


def test_gradient_of_the_determinant_of_singular_matrices() -> None:
    np.testing.assert_allclose(
        gradient(lambda x: tf.linalg.det(x), np.array([[1.0, 2.0], [2.0, 4.0]])), [[4.0, -2.0], [-2.0, 1.0]], atol=1e-14
    )
    assert np.array_equal(gradient(lambda x: tf.linalg.det(x), np.zeros((3, 3))), np.zeros((3, 3)))
    assert gradient(lambda x: tf.linalg.det(x), np.zeros((1, 1))).tolist() == [[1.0]]


def test_slogdet_of_a_singular_matrix() -> None:
    result = tf.linalg.slogdet(np.zeros((2, 2)))
    assert (float(result.sign), float(result.log_abs_determinant)) == (0.0, -np.inf)
    with pytest.raises(tf.errors.InvalidArgumentError, match="singular"):
        gradient(lambda x: tf.linalg.slogdet(x)[1], np.zeros((2, 2)))


# --- factorizations --------------------------------------------------------------------------------------------------


def test_cholesky_reads_the_lower_triangle_and_its_gradient_is_symmetric() -> None:
    a = np.array([[4.0, 99.0], [2.0, 3.0]])
    np.testing.assert_allclose(tf.linalg.cholesky(a).numpy(), [[2.0, 0.0], [1.0, np.sqrt(2)]])
    found = gradient(lambda x: tf.reduce_sum(tf.linalg.cholesky(x)), a)
    np.testing.assert_allclose(found, found.T)


def test_lu() -> None:
    a = RNG.standard_normal((2, 4, 4))
    factors, p = tf.linalg.lu(a)
    assert p.dtype == tf.int32
    lower, upper = np.tril(factors.numpy(), -1) + np.eye(4), np.triu(factors.numpy())
    np.testing.assert_allclose(lower @ upper, np.take_along_axis(a, p.numpy()[..., None], axis=1))
    assert tf.linalg.lu(a, output_idx_type=tf.int64).p.dtype == tf.int64


def test_full_matrices_without_gradient_say_why() -> None:
    tall = RNG.standard_normal((4, 2))
    assert tf.linalg.qr(tall, full_matrices=True).q.shape == (4, 4)
    assert [x.shape for x in tf.linalg.svd(tall, full_matrices=True)] == [(2,), (4, 4), (2, 2)]
    with pytest.raises(NotImplementedError, match="full_matrices"):
        gradient(lambda x: tf.reduce_sum(tf.linalg.qr(x, full_matrices=True)[0]), tall)
    with pytest.raises(NotImplementedError, match="full_matrices"):
        gradient(lambda x: tf.reduce_sum(tf.linalg.svd(x, full_matrices=True)[1]), tall)


def test_full_singular_vectors_of_a_square_matrix_have_gradients() -> None:
    a = RNG.standard_normal((3, 3))
    reduced, full = (
        gradient(lambda x, f=f: tf.reduce_sum(tf.linalg.svd(x, full_matrices=f)[1] ** 3), a) for f in (False, True)
    )
    np.testing.assert_allclose(reduced, full)


def test_lstsq_needs_no_full_rank_when_slow() -> None:
    a = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    got = tf.linalg.lstsq(a, np.array([[1.0], [2.0], [3.0]]), fast=False)
    np.testing.assert_allclose(got.numpy(), [[1.0], [1.0]])


def test_gradient_of_real_matrices_with_complex_eigenvalues_is_real() -> None:
    a = np.array([[0.0, 1.0], [-1.0, 0.3]])
    found = gradient(lambda x: tf.reduce_sum(tf.abs(tf.linalg.eigvals(x)) ** 2), a)
    assert found.dtype == np.float64
    # a conjugate pair: the squared absolute values are both the determinant
    np.testing.assert_allclose(found, 2 * np.linalg.det(a) * np.linalg.inv(a).T, atol=1e-12)


def test_matrix_rank() -> None:
    a = np.stack([np.eye(3), np.diag([1.0, 1.0, 1e-18]), np.zeros((3, 3))])
    assert tf.linalg.matrix_rank(a).numpy().tolist() == [3, 2, 0]
    assert int(tf.linalg.matrix_rank(a[1], tol=2.0)) == 0


def test_sqrtm_of_a_rotation_is_half_the_rotation() -> None:
    def rotation(t: float) -> np.ndarray:
        return np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])

    np.testing.assert_allclose(tf.linalg.sqrtm(rotation(1.0)).numpy(), rotation(0.5), atol=1e-14)
    np.testing.assert_allclose(tf.linalg.logm(rotation(1.0)).numpy(), [[0.0, -1.0], [1.0, 0.0]], atol=1e-14)
    assert np.all(np.isfinite(gradient(lambda x: tf.reduce_sum(tf.linalg.sqrtm(x)), rotation(1.0))))


# --- edges and errors ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 1])
def test_tiny_matrices(n: int) -> None:
    a = np.full((2, n, n), 4.0)
    for function in (
        tf.linalg.inv,
        tf.linalg.det,
        tf.linalg.cholesky,
        tf.linalg.expm,
        tf.linalg.sqrtm,
        tf.linalg.logm,
        tf.linalg.trace,
        tf.linalg.diag_part,
        lambda x: tf.linalg.slogdet(x)[1],
        lambda x: tf.linalg.solve(x, x),
        lambda x: tf.linalg.triangular_solve(x, x),
        lambda x: tf.linalg.eigh(x)[0],
        lambda x: tf.linalg.qr(x)[1],
        lambda x: tf.linalg.svd(x)[0],
        lambda x: tf.linalg.lu(x)[0],
    ):
        assert gradient(lambda x, f=function: tf.reduce_sum(f(x)), a).shape == a.shape


@pytest.mark.parametrize(
    "name",
    [
        "inv",
        "det",
        "slogdet",
        "logdet",
        "cholesky",
        "eigh",
        "eigvalsh",
        "eig",
        "eigvals",
        "expm",
        "logm",
        "sqrtm",
        "lu",
    ],
)
def test_square_matrices_only(name: str) -> None:
    function = getattr(tf.linalg, name)
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"{name} takes square matrices"):
        function(np.ones((2, 3)))
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"{name} takes matrices"):
        function(np.ones(3))
    with pytest.raises(TypeError, match=f"{name} takes floating or complex numbers"):
        function([[1, 0], [0, 1]])


SINGULAR = np.ones((2, 2, 2))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: tf.linalg.inv(SINGULAR), "inv: the matrix is singular"),
        (lambda: tf.linalg.solve(SINGULAR, SINGULAR), "solve: the matrix is singular"),
        (lambda: tf.linalg.triangular_solve(np.zeros((2, 2)), np.ones((2, 1))), "triangular_solve: .*singular"),
        (lambda: tf.linalg.cholesky(-np.eye(2)), "cholesky: the matrix is not positive definite"),
        (lambda: tf.linalg.logm(-np.eye(2)), "logm: .*complex"),
        (lambda: tf.linalg.sqrtm(-np.eye(2)), "sqrtm: .*complex"),
        (lambda: tf.linalg.solve(np.eye(2), np.ones(2)), "right-hand side of solve takes matrices"),
        (lambda: tf.linalg.solve(np.eye(2), np.ones((3, 1))), "matrix has 2 rows, the right-hand side 3"),
        (lambda: tf.linalg.lstsq(np.ones((3, 2)), np.ones((2, 1))), "matrix has 3 rows"),
        (lambda: tf.norm([[1.0]], ord="nuc", axis=(0, 1)), "not 'nuc'"),
        (lambda: tf.norm([1.0], ord="fro"), "not 'fro'"),
        (lambda: tf.norm([1.0], ord=-1), "not -1"),
        (lambda: tf.norm([[1.0]], axis=(0, 0)), "twice"),
        (lambda: tf.norm([[1.0]], axis=2), "out of range"),
        (lambda: tf.norm([1, 2]), "norm takes floating"),
        (lambda: tf.linalg.diag_part(np.eye(2), k=2), "outside"),
        (lambda: tf.linalg.diag_part(np.eye(2), k=(1, 0)), "k is an offset"),
        (lambda: tf.linalg.diag_part(np.eye(2), align="MIDDLE"), "align must be one of"),
        (lambda: tf.linalg.diag([1.0, 2.0], num_rows=1), "do not fit"),
        (lambda: tf.linalg.set_diag(np.eye(2), [1.0, 2.0, 3.0]), "must have shape"),
        (lambda: tf.linalg.tridiagonal_solve(np.zeros((3, 4)), np.ones(4)), "tridiagonal_solve: .*singular"),
        (lambda: tf.linalg.tridiagonal_solve(np.zeros((3, 1)), np.ones(1)), "tridiagonal_solve: .*singular"),
        (lambda: tf.linalg.tridiagonal_solve(np.ones((3, 4)), np.ones(3)), "4 rows, the right-hand side 3"),
        (lambda: tf.linalg.tridiagonal_solve(np.ones((2, 4)), np.ones(4)), "three diagonals"),
        (lambda: tf.linalg.tridiagonal_solve(np.ones((3, 4)), np.ones(4), "dense"), "diagonals_format"),
        (lambda: tf.linalg.trace([1.0]), "trace takes matrices"),
        (lambda: tf.linalg.tensor_diag_part(np.ones((2, 3))), "tensor_diag_part takes shapes"),
        (lambda: tf.linalg.matrix_transpose([1.0]), "two or more axes"),
    ],
)
def test_bad_input(call: Any, message: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call()


def test_a_condition_on_diagonals_does_not_leak() -> None:
    """What set_diag replaces may be infinite or NaN."""
    x = np.array([[np.nan, 1.0], [2.0, np.inf]])
    found = gradient(lambda x, d: tf.reduce_sum(tf.linalg.set_diag(x, d) ** 2), x, np.array([3.0, 4.0]))
    np.testing.assert_array_equal(found[0], [[0.0, 2.0], [4.0, 0.0]])
    np.testing.assert_array_equal(found[1], [6.0, 8.0])
    assert gradient(lambda x: tf.reduce_sum(tf.linalg.band_part(x, 0, 0)), x).tolist() == [[1.0, 0.0], [0.0, 1.0]]


@given(st.integers(1, 4), st.integers(1, 4), st.integers(-3, 3), st.integers(0, 3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_diag_part_and_set_diag_are_inverse(rows: int, columns: int, low: int, width: int, batched: bool) -> None:
    high = min(low + width, columns - 1)
    low = max(low, 1 - rows)
    if low > high:
        return
    x = np.arange(float((2 if batched else 1) * rows * columns)).reshape(
        (2, rows, columns) if batched else (rows, columns)
    )
    k = low if low == high else (low, high)
    for align in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"):
        band = tf.linalg.diag_part(x, k=k, align=align)
        np.testing.assert_array_equal(tf.linalg.set_diag(x, band, k=k, align=align).numpy(), x)
        offsets = np.arange(columns) - np.arange(rows)[:, None]
        inside = (offsets >= low) & (offsets <= high)
        rebuilt = tf.linalg.set_diag(np.zeros_like(x), band, k=k, align=align)
        np.testing.assert_array_equal(rebuilt.numpy(), np.where(inside, x, 0))
        if high - low or np.size(band.numpy()):
            square = tf.linalg.diag(band, k=k, num_rows=rows, num_cols=columns, align=align)
            np.testing.assert_array_equal(square.numpy(), np.where(inside, x, 0))


@given(st.lists(st.integers(1, 3), max_size=2), st.integers(1, 4), st.integers(1, 3), st.integers(0, 2**31))
@settings(max_examples=30, deadline=None)
def test_solving_and_multiplying_are_inverse(batch: list[int], n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((*batch, n, n)) + 4 * n * np.eye(n)
    x = rng.standard_normal((*batch, n, k))
    np.testing.assert_allclose(tf.linalg.solve(a, a @ x).numpy(), x, atol=1e-9)
    np.testing.assert_allclose(tf.linalg.solve(a, np.swapaxes(a, -1, -2) @ x, adjoint=False).shape, x.shape)
    for lower in (True, False):
        triangle = np.tril(a) if lower else np.triu(a)
        np.testing.assert_allclose(tf.linalg.triangular_solve(a, triangle @ x, lower=lower).numpy(), x, atol=1e-9)
        turned = np.swapaxes(triangle, -1, -2)
        np.testing.assert_allclose(
            tf.linalg.triangular_solve(a, turned @ x, lower=lower, adjoint=True).numpy(), x, atol=1e-9
        )
    symmetric = a @ np.swapaxes(a, -1, -2)
    np.testing.assert_allclose(
        tf.linalg.cholesky_solve(tf.linalg.cholesky(symmetric), symmetric @ x).numpy(), x, atol=1e-7
    )
