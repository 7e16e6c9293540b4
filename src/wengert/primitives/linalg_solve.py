"""Systems of linear equations, inverses and determinants of (batches of) matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wengert.arrays.lazy import scipy_linalg
from wengert.arrays.shapes import Spec
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import multiply, real
from wengert.primitives.contract import matmul
from wengert.primitives.exponential import log
from wengert.primitives.linalg_factorize import cholesky, row_exchange, unit_lower
from wengert.primitives.linalg_structure import adjoint as adjoint_of
from wengert.primitives.linalg_structure import band_part_, diagonal_at
from wengert.primitives.matrices import as_matrix, as_square, as_system, hermitian
from wengert.primitives.primitive import primitive, tensor_namespace
from wengert.primitives.reduce import sum_
from wengert.tensor import Tensor, convert_to_tensor

__all__ = [
    "LogMatrixDeterminant",
    "cholesky_solve",
    "det",
    "inv",
    "logdet",
    "lstsq",
    "lu_matrix_inverse",
    "lu_reconstruct",
    "lu_solve",
    "pinv",
    "slogdet",
    "solve",
    "triangular_solve",
]


# --- solving ---------------------------------------------------------------------------------------------------------


@primitive(linear=("rhs",), same_dtype=("matrix", "rhs"))
def solve_(xp: Any, matrix: Any, rhs: Any) -> Any:
    """The solution ``x`` of ``matrix x = rhs`` for square matrices."""
    try:
        return xp.linalg.solve(matrix, rhs)
    except np.linalg.LinAlgError as error:
        raise InvalidArgumentError("solve: the matrix is singular, so there is no unique solution") from error


@solve_.vjp_joint
def _solve_vjp(xp: Any, g: Any, matrix: Any, out: Any) -> Any:
    # one solve with the transpose serves both (M. Giles, "Collected matrix derivative results", 2008, section 2.3.1)
    of_rhs = xp.solve(matrix.mT, g)
    return -of_rhs @ out.mT, of_rhs


@solve_.jvp_of("matrix")
def _solve_jvp_matrix(xp: Any, t: Any, matrix: Any, out: Any) -> Any:
    return -xp.solve(matrix, t @ out)


@solve_.spec
def _solve_spec(matrix: Spec, rhs: Spec) -> Spec:
    return rhs


def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """The solution ``x`` of ``matrix x = rhs``, by LU decomposition.

    Args:
        matrix: ``(..., n, n)``, invertible.
        rhs: ``(..., n, k)``, of the same dtype; the axes before the last two broadcast.
        adjoint: solve with the conjugate transpose of the matrix instead.

    Returns:
        Tensor ``(..., n, k)``.

    Raises:
        InvalidArgumentError: the matrix is singular, or the shapes do not fit.

    >>> tf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy().tolist()
    [[1.0], [0.5]]
    """
    matrix, rhs = as_system(matrix, rhs, "solve")
    return solve_(adjoint_of(matrix) if adjoint else matrix, rhs)


@primitive(linear=("rhs",), same_dtype=("matrix", "rhs"))
def triangular_solve_(xp: Any, matrix: Any, rhs: Any, *, lower: bool) -> Any:
    """The solution ``x`` of ``matrix x = rhs``, where only the lower (or upper) triangle of the matrix is read."""
    result = np.empty(rhs.shape, rhs.dtype)
    (solver,) = scipy_linalg.get_lapack_funcs(("trtrs",), (matrix, rhs))
    for k in np.ndindex(matrix.shape[:-2]):
        # LAPACK stores columns: the transpose of our matrix is the one that it can read without a copy
        result[k], failure = solver(matrix[k].T, rhs[k], lower=not lower, trans=1) if rhs[k].size else (rhs[k], 0)
        if failure:
            raise InvalidArgumentError(
                f"triangular_solve: the matrix is singular, entry {failure} of the diagonal is 0"
            )
    return result


@triangular_solve_.vjp_joint
def _triangular_solve_vjp(xp: Any, g: Any, matrix: Any, out: Any, lower: Any) -> Any:
    of_rhs = xp.triangular_solve(matrix.mT, g, lower=not lower)
    return _triangle(xp, -of_rhs @ out.mT, lower), of_rhs


@triangular_solve_.jvp_of("matrix")
def _triangular_solve_jvp_matrix(xp: Any, t: Any, matrix: Any, out: Any, lower: Any) -> Any:
    return -xp.triangular_solve(matrix, _triangle(xp, t, lower) @ out, lower=lower)


@triangular_solve_.spec
def _triangular_solve_spec(matrix: Spec, rhs: Spec, *, lower: bool) -> Spec:
    return rhs


def _triangle(xp: Any, x: Any, lower: bool) -> Any:
    return xp.band_part(x, lower=None if lower else 0, upper=0 if lower else None)


def triangular_solve(matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None) -> Any:
    """The solution ``x`` of ``matrix x = rhs`` by substitution; only one triangle of the matrix is read.

    Args:
        matrix: ``(..., n, n)``, without zeros on the diagonal.
        rhs: ``(..., n, k)``, of the same dtype; the axes before the last two broadcast.
        lower: read the lower triangle, else the upper one.
        adjoint: solve with the conjugate transpose of that triangle instead.

    Returns:
        Tensor ``(..., n, k)``.

    Raises:
        InvalidArgumentError: there is a zero on the diagonal, or the shapes do not fit.

    >>> tf.linalg.triangular_solve([[2.0, 0.0], [1.0, 1.0]], [[2.0], [3.0]]).numpy().tolist()
    [[1.0], [2.0]]
    """
    matrix, rhs = as_system(matrix, rhs, "triangular_solve")
    if adjoint:
        return triangular_solve_(adjoint_of(matrix), rhs, lower=not lower)
    return triangular_solve_(matrix, rhs, lower=bool(lower))


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Any:
    """The solution ``x`` of ``A x = rhs``, given the Cholesky factor of ``A``.

    Args:
        chol: ``(..., n, n)``, lower triangular, with ``A = chol chol^H``.
        rhs: ``(..., n, k)``.

    Raises:
        InvalidArgumentError: there is a zero on the diagonal, or the shapes do not fit.

    >>> tf.linalg.cholesky_solve([[2.0, 0.0], [0.0, 1.0]], [[4.0], [3.0]]).numpy().tolist()
    [[1.0], [3.0]]
    """
    half_way = triangular_solve(chol, rhs, lower=True)
    return triangular_solve(chol, half_way, lower=True, adjoint=True)


def lu_solve(lower_upper: Any, perm: Any, rhs: Any, validate_args: bool = False, name: str | None = None) -> Any:
    """The solution ``x`` of ``A x = rhs``, given the LU decomposition of ``A`` by :func:`lu`.

    Args:
        lower_upper: ``(..., n, n)``, both triangular factors.
        perm: ``(..., n)``, the permutation of rows.
        rhs: ``(..., n, k)``.

    Raises:
        InvalidArgumentError: the matrix is singular, or the shapes do not fit.

    >>> a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.linalg.lu_solve(*tf.linalg.lu(a), [[3.0], [7.0]]).numpy().round(4).tolist()
    [[1.0], [1.0]]
    """
    lower_upper, rhs = as_system(lower_upper, rhs, "lu_solve")
    permuted = matmul(_row_exchange(perm, lower_upper), rhs)
    return triangular_solve(lower_upper, triangular_solve(_unit_lower(lower_upper), permuted), lower=False)


def lu_reconstruct(lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None) -> Any:
    """The matrix ``A`` whose LU decomposition by :func:`lu` is given.

    >>> a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.linalg.lu_reconstruct(*tf.linalg.lu(a)).numpy().round(4).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    lower_upper = as_square(lower_upper, "lu_reconstruct")
    product = matmul(_unit_lower(lower_upper), band_part_(lower_upper, lower=0, upper=None))
    return matmul(_row_exchange(perm, lower_upper), product, transpose_a=True)


def lu_matrix_inverse(lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None) -> Any:
    """The inverse of the matrix whose LU decomposition by :func:`lu` is given.

    >>> a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.linalg.lu_matrix_inverse(*tf.linalg.lu(a)).numpy().round(4).tolist()
    [[-2.0, 1.0], [1.5, -0.5]]
    """
    lower_upper = as_square(lower_upper, "lu_matrix_inverse")
    return lu_solve(lower_upper, perm, Tensor(np.eye(lower_upper._array.shape[-1], dtype=lower_upper._array.dtype)))


def _unit_lower(lower_upper: Any) -> Any:
    return unit_lower(tensor_namespace, lower_upper)


def _row_exchange(perm: Any, matrix: Any) -> Any:
    return row_exchange(tensor_namespace, convert_to_tensor(perm), matrix._array.dtype)


# --- inverses --------------------------------------------------------------------------------------------------------


@primitive()
def inv_(xp: Any, x: Any) -> Any:
    """The inverse of square matrices."""
    try:
        return xp.linalg.inv(x)
    except np.linalg.LinAlgError as error:
        raise InvalidArgumentError("inv: the matrix is singular") from error


@inv_.vjp
def _inv_vjp(xp: Any, g: Any, out: Any) -> Any:
    transposed = out.mT
    return -transposed @ g @ transposed


@inv_.jvp
def _inv_jvp(xp: Any, t: Any, out: Any) -> Any:
    return -out @ t @ out


inv_.spec(lambda x: x)


def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """The inverse of square matrices. To solve equations, :func:`solve` is faster and more accurate.

    Args:
        input: ``(..., n, n)``.
        adjoint: give the inverse of the conjugate transpose instead.

    Raises:
        InvalidArgumentError: a matrix is singular or not square.

    >>> tf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy().tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    inverse = inv_(as_square(input, "inv"))
    return adjoint_of(inverse) if adjoint else inverse


@primitive()
def pinv_(xp: Any, x: Any, *, rcond: float) -> Any:
    """The pseudo-inverse, singular values up to ``rcond`` times the largest counting as zero."""
    return xp.linalg.pinv(x, rcond=rcond)


@pinv_.vjp
def _pinv_vjp(xp: Any, g: Any, x: Any, out: Any) -> Any:
    # the transpose of the differential by G. Golub and V. Pereyra (1973, equation 4.12), for constant rank
    g = xp.conj(g)
    adjoint, pseudo = hermitian(xp, g), out
    dual = hermitian(xp, pseudo)
    outside_columns = adjoint - x @ (pseudo @ adjoint)
    outside_rows = adjoint - (adjoint @ pseudo) @ x
    gradient = outside_columns @ pseudo @ dual + dual @ (pseudo @ outside_rows) - dual @ g @ dual
    return xp.conj(gradient)


@pinv_.jvp
def _pinv_jvp(xp: Any, t: Any, x: Any, out: Any) -> Any:
    pseudo, dual, adjoint = out, hermitian(xp, out), hermitian(xp, t)
    left = adjoint - pseudo @ (x @ adjoint)
    right = adjoint - (adjoint @ x) @ pseudo
    return pseudo @ (dual @ right) + (left @ dual) @ pseudo - pseudo @ t @ pseudo


@pinv_.spec
def _pinv_spec(x: Spec, *, rcond: float) -> Spec:
    return Spec((*x.shape[:-2], x.shape[-1], x.shape[-2]), x.dtype)


def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Any:
    """The Moore-Penrose pseudo-inverse, by singular values. Its derivative is that at constant rank.

    Args:
        a: ``(..., m, n)``.
        rcond: singular values up to ``rcond`` times the largest count as zero; by default ``10 max(m, n)`` times the
            spacing of the dtype at 1.

    Returns:
        Tensor ``(..., n, m)``.

    Raises:
        InvalidArgumentError: there are fewer than two axes.

    >>> tf.linalg.pinv([[1.0], [1.0]]).numpy().round(6).tolist()
    [[0.5, 0.5]]
    """
    a = as_matrix(a, "pinv")
    if rcond is None:
        rcond = 10.0 * max(a._array.shape[-2:]) * float(np.finfo(a._array.dtype).eps)
    return pinv_(a, rcond=float(rcond))


def lstsq(matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: bool = True, name: str | None = None) -> Any:
    """The least-squares solution ``x`` of ``matrix x = rhs``: the shortest one, if there are several.

    Args:
        matrix: ``(..., m, n)``.
        rhs: ``(..., m, k)``.
        l2_regularizer: weight of the squared length of ``x``, added to the squared residual.
        fast: solve the normal equations by Cholesky's decomposition: for well-conditioned matrices of full rank.
            Otherwise use the pseudo-inverse, for any rank; then the regularizer is ignored, as in TensorFlow.

    Returns:
        Tensor ``(..., n, k)``.

    Raises:
        InvalidArgumentError: the matrix has not full rank (if ``fast``), or the shapes do not fit.

    >>> tf.linalg.lstsq([[1.0], [1.0]], [[1.0], [3.0]]).numpy().round(5).tolist()
    [[2.0]]
    """
    matrix, rhs = as_system(matrix, rhs, "lstsq", square=False)
    if not fast:
        return matmul(pinv(matrix), rhs)
    rows, columns = matrix._array.shape[-2:]
    gram = matmul(matrix, matrix, adjoint_a=True) if rows >= columns else matmul(matrix, matrix, adjoint_b=True)
    weight = Tensor(np.eye(min(rows, columns), dtype=gram._array.dtype))
    factor = cholesky(gram + l2_regularizer * weight)
    if rows >= columns:
        return cholesky_solve(factor, matmul(matrix, rhs, adjoint_a=True))
    return matmul(matrix, cholesky_solve(factor, rhs), adjoint_a=True)


# --- determinants ----------------------------------------------------------------------------------------------------


@primitive()
def det_(xp: Any, x: Any) -> Any:
    """The determinant."""
    return xp.asarray(xp.linalg.det(x))


det_.vjp(lambda xp, g, x: g[..., None, None] * xp.cofactor(x))
det_.jvp(lambda xp, t, x: xp.sum(t * xp.cofactor(x), axis=(-2, -1)))
det_.spec(lambda x: Spec(x.shape[:-2], x.dtype))


@primitive()
def cofactor(xp: Any, x: Any) -> Any:
    """The matrix of cofactors, which is the gradient of the determinant: exact for singular matrices too.

    Source: G. W. Stewart, "On the adjugate matrix" (1998): with ``x = u s v``, the cofactors of the diagonal ``s`` are
    products without a division.
    """
    u, s, v = xp.linalg.svd(x)
    others = np.where(np.eye(s.shape[-1], dtype=bool), 1, s[..., None, :]).astype(s.dtype)
    phase = xp.linalg.det(u) * xp.linalg.det(v)
    return (phase[..., None, None] * (u.conj() * xp.prod(others, axis=-1)[..., None, :]) @ v.conj()).astype(x.dtype)


@cofactor.vjp
def _cofactor_vjp(xp: Any, g: Any, x: Any, out: Any) -> Any:
    inverse = xp.inv(x).mT
    return xp.sum(g * out, axis=(-2, -1), keepdims=True) * inverse - inverse @ g.mT @ out


cofactor.spec(lambda x: x)


def det(input: Any, name: str | None = None) -> Any:
    """The determinant of square matrices; its gradient is right at singular matrices too.

    The second derivative needs an invertible matrix.

    Args:
        input: ``(..., n, n)``.

    Returns:
        Tensor ``(...)``.

    Raises:
        InvalidArgumentError: a matrix is not square.

    >>> float(tf.linalg.det([[2.0, 0.0], [0.0, 4.0]]))
    8.0
    """
    return det_(as_square(input, "det"))


class LogMatrixDeterminant(NamedTuple):
    """The result of :func:`slogdet`."""

    #: 1 or -1 (0 for a singular matrix); for complex matrices a number of size 1
    sign: Any
    log_abs_determinant: Any


@primitive(outputs=2)
def slogdet_(xp: Any, x: Any) -> Any:
    """The sign (or phase) of the determinant, and the logarithm of its absolute value."""
    sign, logarithm = xp.linalg.slogdet(x)
    return xp.asarray(sign), xp.asarray(logarithm)


@slogdet_.vjp
def _slogdet_vjp(xp: Any, g: Any, x: Any, out: Any) -> Any:
    # d log(det) = trace(x^-1 dx): its real part moves the logarithm of |det|, its imaginary part turns the phase
    of_sign, of_logarithm = g
    inverse = xp.inv(x).mT
    if inverse.dtype.kind != "c":
        return of_logarithm[..., None, None] * inverse
    return (of_logarithm + 1j * xp.imag(of_sign * out[0]))[..., None, None] * inverse


@slogdet_.jvp
def _slogdet_jvp(xp: Any, t: Any, x: Any, out: Any) -> Any:
    moved = xp.sum(t * xp.inv(x).mT, axis=(-2, -1))
    if moved.dtype.kind != "c":
        return xp.zeros_like(moved), moved
    return out[0] * (1j * xp.imag(moved)), xp.real(moved)


@slogdet_.spec
def _slogdet_spec(x: Spec) -> tuple[Spec, Spec]:
    return Spec(x.shape[:-2], x.dtype), Spec(x.shape[:-2], np.empty(0, x.dtype).real.dtype)


def slogdet(input: Any, name: str | None = None) -> LogMatrixDeterminant:
    """The sign of the determinant, and the logarithm of its absolute value: without overflow for large matrices.

    Args:
        input: ``(..., n, n)``.

    Returns:
        Pair ``(sign, log_abs_determinant)`` of tensors ``(...)``; ``(0, -inf)`` for a singular matrix.

    Raises:
        InvalidArgumentError: a matrix is not square; or, in the gradient, it is singular.

    >>> sign, logarithm = tf.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
    >>> float(sign), float(logarithm)
    (-1.0, 0.0)
    """
    return LogMatrixDeterminant(*slogdet_(as_square(input, "slogdet")))


def logdet(matrix: Any, name: str | None = None) -> Any:
    """The logarithm of the determinant of Hermitian positive definite matrices, by Cholesky's decomposition.

    Args:
        matrix: ``(..., n, n)``.

    Returns:
        Tensor ``(...)`` of real dtype.

    Raises:
        InvalidArgumentError: a matrix is not positive definite.

    >>> round(float(tf.linalg.logdet([[4.0, 0.0], [0.0, 1.0]])), 4)
    1.3863
    """
    diagonal = diagonal_at(cholesky(as_square(matrix, "logdet")), 0)
    return multiply(2.0, sum_(log(real(diagonal)), axis=(diagonal._array.ndim - 1,), keepdims=False))
