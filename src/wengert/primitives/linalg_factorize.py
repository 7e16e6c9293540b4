"""Triangular and orthogonal factorizations of (batches of) matrices: Cholesky, QR, LU."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wengert.arrays.lazy import scipy_linalg
from wengert.arrays.shapes import Spec
from wengert.errors import InvalidArgumentError, UnimplementedError
from wengert.primitives.arithmetic import cast
from wengert.primitives.contract import matmul
from wengert.primitives.index import getitem_
from wengert.primitives.join import concat_
from wengert.primitives.linalg_structure import diagonal_matrix, diagonal_of
from wengert.primitives.matrices import as_matrix, as_square, hermitian, hermitian_part
from wengert.primitives.primitive import primitive

__all__ = ["LU", "QR", "cholesky", "lu", "qr"]


# --- Cholesky --------------------------------------------------------------------------------------------------------


@primitive()
def cholesky_(xp: Any, x: Any) -> Any:
    """The lower triangular factor of Hermitian positive definite matrices, of which the lower triangle is read."""
    try:
        return xp.linalg.cholesky(x)
    except np.linalg.LinAlgError as error:
        raise InvalidArgumentError(
            "cholesky: the matrix is not positive definite; adding a small multiple of the identity often helps"
        ) from error


@cholesky_.vjp
def _cholesky_vjp(xp: Any, g: Any, out: Any) -> Any:
    # I. Murray, "Differentiation of the Cholesky decomposition" (2016), equation 10
    adjoint = hermitian(xp, out)
    middle = _lower_half(xp, adjoint @ xp.band_part(xp.conj(g), lower=None, upper=0))
    left = xp.triangular_solve(adjoint, middle, lower=False)
    gradient = xp.triangular_solve(adjoint, hermitian(xp, left), lower=False)
    return xp.conj(hermitian_part(xp, gradient))


@cholesky_.jvp
def _cholesky_jvp(xp: Any, t: Any, out: Any) -> Any:
    # the same source, equation 8
    left = xp.triangular_solve(out, hermitian_part(xp, t), lower=True)
    return out @ _lower_half(xp, xp.triangular_solve(out, hermitian(xp, left), lower=True))


cholesky_.spec(lambda x: x)


def _lower_half(xp: Any, x: Any) -> Any:
    """The lower triangle, with half of the diagonal."""
    return 0.5 * (xp.band_part(x, lower=None, upper=0) + xp.band_part(x, lower=None, upper=-1))


def cholesky(input: Any, name: str | None = None) -> Any:
    """The Cholesky factor ``L``, lower triangular, of Hermitian positive definite matrices ``A = L L^H``.

    Only the lower triangle of the input is read. The gradient is that for Hermitian input, itself Hermitian.

    Args:
        input: ``(..., n, n)``.

    Raises:
        InvalidArgumentError: a matrix is not square or not positive definite.

    Source of the derivative: I. Murray, "Differentiation of the Cholesky decomposition" (2016).

    >>> tf.linalg.cholesky([[4.0, 2.0], [2.0, 2.0]]).numpy().tolist()
    [[2.0, 0.0], [1.0, 1.0]]
    """
    return cholesky_(as_square(input, "cholesky"))


# --- QR --------------------------------------------------------------------------------------------------------------


class QR(NamedTuple):
    """The result of :func:`qr`."""

    q: Any
    r: Any


@primitive(outputs=2)
def qr_(xp: Any, x: Any, *, mode: str) -> Any:
    """The factors ``q`` and ``r``; mode "reduced" gives as many columns of ``q`` as ``x`` has, "complete" all."""
    return tuple(xp.linalg.qr(x, mode=mode))


@qr_.vjp
def _qr_vjp(xp: Any, g: Any, out: Any, mode: Any) -> Any:
    # S. F. Walter, L. Lehmann and R. Lamour, "On evaluating higher-order derivatives of the QR decomposition of tall
    # matrices with full column rank in forward and reverse mode algorithmic differentiation" (2012)
    of_q, of_r = map(xp.conj, g)
    q, r = out
    if q.shape[-1] != r.shape[-1]:
        raise UnimplementedError(
            "the gradient of qr with full_matrices=True is not defined for matrices with more rows than columns: the "
            "last columns of q are arbitrary"
        )
    upper = xp.band_part(of_r @ hermitian(xp, r) - hermitian(xp, q) @ of_q, lower=0, upper=None)
    mixed = upper + hermitian(xp, upper) - diagonal_matrix(xp, xp.real(diagonal_of(xp, upper)))
    left = of_q + q @ mixed
    return xp.conj(hermitian(xp, xp.triangular_solve(r, hermitian(xp, left), lower=False)))


@qr_.spec
def _qr_spec(x: Spec, *, mode: str) -> tuple[Spec, Spec]:
    rows, columns = x.shape[-2:]
    inner = rows if mode == "complete" else min(rows, columns)
    return Spec((*x.shape[:-1], inner), x.dtype), Spec((*x.shape[:-2], inner, columns), x.dtype)


def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> QR:
    """The factors of ``A = Q R``: ``Q`` with orthonormal columns, ``R`` upper triangular.

    Args:
        input: ``(..., m, n)``; for a gradient its first ``min(m, n)`` columns must be linearly independent.
        full_matrices: give all ``m`` columns of ``Q``. There is no gradient then if ``m > n``.

    Returns:
        Pair ``(q, r)``: ``(..., m, k)`` and ``(..., k, n)`` with ``k = min(m, n)``, or ``k = m`` for full matrices.

    Raises:
        InvalidArgumentError: there are fewer than two axes; or, in the gradient, ``R`` is singular.

    >>> q, r = tf.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
    >>> tf.matmul(q, r).numpy().round(4).tolist()
    [[3.0, 1.0], [4.0, 2.0]]
    """
    x = as_matrix(input, "qr")
    rows, columns = x._array.shape[-2:]
    if rows < columns:  # the first columns fix q, which then turns the other ones
        q, r = qr_(getitem_(x, key=(Ellipsis, slice(None, rows))), mode="reduced")
        rest = matmul(q, getitem_(x, key=(Ellipsis, slice(rows, None))), adjoint_a=True)
        return QR(q, concat_(r, rest, axis=x._array.ndim - 1))
    return QR(*qr_(x, mode="complete" if full_matrices and rows > columns else "reduced"))


# --- LU --------------------------------------------------------------------------------------------------------------


class LU(NamedTuple):
    """The result of :func:`lu`."""

    lu: Any
    p: Any


@primitive(outputs=2)
def lu_(xp: Any, x: Any) -> Any:
    """Both triangular factors in one matrix, and the permutation of rows; see :func:`lu`."""
    factors = np.empty(x.shape, x.dtype)
    permutation = np.empty(x.shape[:-1], np.int32)
    for k in np.ndindex(x.shape[:-2]):
        factors[k], swaps = scipy_linalg.lu_factor(x[k], check_finite=False)
        order = np.arange(x.shape[-1], dtype=np.int32)
        for i, j in enumerate(swaps):
            order[i], order[j] = order[j], order[i]
        permutation[k] = order
    return factors, permutation


@lu_.vjp
def _lu_vjp(xp: Any, g: Any, out: Any) -> Any:
    # S. F. Walter and L. Lehmann, "Algorithmic differentiation of linear algebra functions" (2010): with L U = P x,
    # the lower part of L^H dL and the upper part of dU U^H, taken back through both factors
    of_factors = xp.conj(g[0])
    factors, permutation = out
    lower, upper = unit_lower(xp, factors), xp.band_part(factors, lower=0, upper=None)
    inner = xp.band_part(hermitian(xp, lower) @ xp.band_part(of_factors, lower=None, upper=-1), lower=None, upper=-1)
    inner = inner + xp.band_part(of_factors @ hermitian(xp, upper), lower=0, upper=None)
    left = xp.triangular_solve(hermitian(xp, lower), inner, lower=False)
    permuted = hermitian(xp, xp.triangular_solve(upper, hermitian(xp, left), lower=False))
    return xp.conj(row_exchange(xp, permutation, factors.dtype.type).mT @ permuted)


@lu_.spec
def _lu_spec(x: Spec) -> tuple[Spec, Spec]:
    return x, Spec(x.shape[:-1], np.dtype(np.int32))


def unit_lower(xp: Any, factors: Any) -> Any:
    """The lower triangular factor in the result of :func:`lu`, with ones on the diagonal."""
    return xp.band_part(factors, lower=None, upper=-1) + np.eye(factors.shape[-1], dtype=factors.dtype.type)


def row_exchange(xp: Any, permutation: Any, kind: Any) -> Any:
    """The matrices that put rows in the order of the permutation, with elements of the given type."""
    return xp.cast(permutation[..., None] == np.arange(permutation.shape[-1]), dtype=np.dtype(kind))


def lu(input: Any, output_idx_type: Any = np.int32, name: str | None = None) -> LU:
    """The LU decomposition of square matrices with exchange of rows: ``A[p] = L U``.

    Args:
        input: ``(..., n, n)``.
        output_idx_type: int32 or int64, the dtype of the permutation.

    Returns:
        Pair ``(lu, p)``: ``(..., n, n)`` with ``U`` in its upper triangle and ``L``, whose diagonal is 1, below it; and
        the permutation of rows ``(..., n)``.

    Raises:
        InvalidArgumentError: a matrix is not square; or, in the gradient, it is singular.

    >>> factors, p = tf.linalg.lu([[1.0, 2.0], [2.0, 2.0]])
    >>> factors.numpy().tolist(), p.numpy().tolist()
    ([[2.0, 2.0], [0.5, 1.0]], [1, 0])
    """
    factors, permutation = lu_(as_square(input, "lu"))
    return LU(factors, permutation if output_idx_type == np.int32 else cast(permutation, output_idx_type))
