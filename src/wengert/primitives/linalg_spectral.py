"""Eigenvalues and singular values of (batches of) matrices.

Where two eigenvalues (or singular values) coincide, the vectors that belong to them are not determined, and have no
derivative. The rules here treat the reciprocal of a difference as 0 where the difference is below a tolerance: four
times the spacing of the dtype times the sum of the absolute values, which is the size of rounding errors in them. Thus
all gradients are finite, and they are exact at repeated eigenvalues for every symmetric function of the eigenvalues,
such as ``sum(f(w))``, and for projectors on whole groups of equal ones.

They cannot be exact there for a function of both such as ``v diag(f(w)) v^T``, nor for second derivatives of symmetric
functions: how these split a group depends on the slope of ``f``, of which the cotangents of ``w`` and ``v`` at that one
point do not tell. Functions of matrices (:mod:`wengert.primitives.linalg_function`) are exact everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec
from wengert.errors import UnimplementedError
from wengert.primitives.linalg_structure import diagonal_matrix, diagonal_of
from wengert.primitives.matrices import as_matrix, as_square, hermitian, hermitian_part
from wengert.primitives.primitive import primitive

__all__ = ["eig", "eigh", "eigvals", "eigvalsh", "svd"]


def real_dtype(dtype: Any) -> np.dtype[Any]:
    """The dtype of the real part."""
    return np.empty(0, dtype).real.dtype


def _reciprocal_gaps(xp: Any, values: Any) -> Any:
    """The matrix of ``1 / (values[j] - values[i])``, with 0 where the two coincide: see the top of the file."""
    spacing = float(np.finfo(np.dtype(values.dtype.type)).eps)
    tolerance = 4 * spacing * xp.sum(xp.absolute(values), axis=-1)[..., None, None]
    gaps = values[..., None, :] - values[..., :, None]
    apart = xp.absolute(gaps) > tolerance
    return xp.where(apart, 1 / xp.where(apart, gaps, 1), 0)


# --- Hermitian eigenvalues -------------------------------------------------------------------------------------------


@primitive(outputs=2)
def eigh_(xp: Any, x: Any) -> Any:
    """Eigenvalues in rising order and eigenvectors of Hermitian matrices, of which the lower triangle is read."""
    return tuple(xp.linalg.eigh(x))


@eigh_.vjp
def _eigh_vjp(xp: Any, g: Any, out: Any) -> Any:
    # M. Giles, "Collected matrix derivative results" (2008), section 3.1
    of_values, of_vectors = g
    values, vectors = out
    adjoint = hermitian(xp, vectors)
    turned = _reciprocal_gaps(xp, values) * (adjoint @ xp.conj(of_vectors))
    gradient = vectors @ (diagonal_matrix(xp, of_values) + turned) @ adjoint
    return xp.conj(hermitian_part(xp, gradient))


@eigh_.jvp
def _eigh_jvp(xp: Any, t: Any, out: Any) -> Any:
    values, vectors = out
    moved = hermitian(xp, vectors) @ hermitian_part(xp, t) @ vectors
    return xp.real(diagonal_of(xp, moved)), vectors @ (_reciprocal_gaps(xp, values) * moved)


@eigh_.spec
def _eigh_spec(x: Spec) -> tuple[Spec, Spec]:
    return Spec(x.shape[:-1], real_dtype(x.dtype)), x


@primitive()
def eigvalsh_(xp: Any, x: Any) -> Any:
    """Eigenvalues of Hermitian matrices in rising order."""
    return xp.linalg.eigvalsh(x)


@eigvalsh_.vjp
def _eigvalsh_vjp(xp: Any, g: Any, x: Any) -> Any:
    vectors = xp.conj(xp.eigh(x)[1])
    return (vectors * g[..., None, :]) @ hermitian(xp, vectors)


@eigvalsh_.jvp
def _eigvalsh_jvp(xp: Any, t: Any, x: Any) -> Any:
    vectors = xp.eigh(x)[1]
    return xp.sum(xp.real(xp.conj(vectors) * (hermitian_part(xp, t) @ vectors)), axis=-2)


eigvalsh_.spec(lambda x: _eigh_spec(x)[0])


def eigh(tensor: Any, name: str | None = None) -> tuple[Any, Any]:
    """Eigenvalues and eigenvectors of Hermitian matrices: ``A v[:, i] = w[i] v[:, i]``.

    Only the lower triangle of the input is read. The gradient is that for Hermitian input, itself Hermitian; it is
    finite at repeated eigenvalues, and right there for symmetric functions of the eigenvalues.

    Args:
        tensor: ``(..., n, n)``.

    Returns:
        Pair of the eigenvalues ``(..., n)``, real and in rising order, and of the eigenvectors ``(..., n, n)``, in
        columns.

    Raises:
        InvalidArgumentError: a matrix is not square.

    Source of the derivative: M. Giles, "Collected matrix derivative results" (2008), section 3.1.

    >>> w, v = tf.linalg.eigh([[2.0, 1.0], [1.0, 2.0]])
    >>> w.numpy().round(5).tolist()
    [1.0, 3.0]
    """
    values, vectors = eigh_(as_square(tensor, "eigh"))
    return values, vectors


def eigvalsh(tensor: Any, name: str | None = None) -> Any:
    """Eigenvalues of Hermitian matrices in rising order; see :func:`eigh`.

    >>> tf.linalg.eigvalsh([[2.0, 1.0], [1.0, 2.0]]).numpy().round(5).tolist()
    [1.0, 3.0]
    """
    return eigvalsh_(as_square(tensor, "eigvalsh"))


# --- general eigenvalues ---------------------------------------------------------------------------------------------


@primitive(outputs=2)
def eig_(xp: Any, x: Any) -> Any:
    """Eigenvalues and eigenvectors (columns of length 1) of square matrices, always complex."""
    values, vectors = xp.linalg.eig(x)
    dtype = np.result_type(x.dtype, np.complex64)
    return values.astype(dtype), vectors.astype(dtype)


@eig_.vjp
def _eig_vjp(xp: Any, g: Any, out: Any, x_dtype: Any) -> Any:
    # C. Boeddeker et al., "On the computation of complex-valued gradients with application to statistically optimum
    # beamforming" (2017), equation 4.77: vectors of length 1, whose phase is free
    of_values, of_vectors = map(xp.conj, g)
    values, vectors = out
    adjoint = hermitian(xp, vectors)
    turned = adjoint @ of_vectors
    turned = turned - (adjoint @ vectors) * xp.real(diagonal_of(xp, turned))[..., None, :]
    inner = diagonal_matrix(xp, of_values) + xp.conj(_reciprocal_gaps(xp, values)) * turned
    return xp.cast(xp.conj(xp.solve(adjoint, inner @ adjoint)), dtype=x_dtype)


@eig_.spec
def _eig_spec(x: Spec) -> tuple[Spec, Spec]:
    dtype = np.result_type(x.dtype, np.complex64)
    return Spec(x.shape[:-1], dtype), Spec(x.shape, dtype)


@primitive()
def eigvals_(xp: Any, x: Any) -> Any:
    """Eigenvalues of square matrices, always complex."""
    return xp.linalg.eigvals(x).astype(np.result_type(x.dtype, np.complex64))


@eigvals_.vjp
def _eigvals_vjp(xp: Any, g: Any, x: Any, x_dtype: Any) -> Any:
    transposed = xp.eig(x)[1].mT
    return xp.cast(xp.solve(transposed, g[..., :, None] * transposed), dtype=x_dtype)


eigvals_.spec(lambda x: _eig_spec(x)[0])


def eig(tensor: Any, name: str | None = None) -> tuple[Any, Any]:
    """Eigenvalues and eigenvectors of any square matrices, as complex tensors.

    The gradient is that at distinct eigenvalues, for a function that does not depend on the phase of the vectors.

    Args:
        tensor: ``(..., n, n)``.

    Returns:
        Pair of the eigenvalues ``(..., n)``, in no particular order, and of the eigenvectors ``(..., n, n)``, in
        columns of length 1.

    Raises:
        InvalidArgumentError: a matrix is not square.

    >>> w, v = tf.linalg.eig([[0.0, 1.0], [-1.0, 0.0]])
    >>> sorted(w.numpy().imag.tolist())
    [-1.0, 1.0]
    """
    values, vectors = eig_(as_square(tensor, "eig"))
    return values, vectors


def eigvals(tensor: Any, name: str | None = None) -> Any:
    """Eigenvalues of any square matrices, as a complex tensor; see :func:`eig`.

    >>> tf.linalg.eigvals([[2.0, 0.0], [0.0, 3.0]]).numpy().tolist()
    [(2+0j), (3+0j)]
    """
    return eigvals_(as_square(tensor, "eigvals"))


# --- singular values -------------------------------------------------------------------------------------------------


@primitive(outputs=3)
def svd_(xp: Any, x: Any, *, full_matrices: bool) -> Any:
    """Singular values, left and right singular vectors: ``x = u diag(s) v^H``."""
    u, s, adjoint = xp.linalg.svd(x, full_matrices=full_matrices)
    return s, u, hermitian(xp, adjoint)


@svd_.vjp
def _svd_vjp(xp: Any, g: Any, out: Any, x_shape: Any) -> Any:
    # Z.-Q. Wan and S.-X. Zhang, "Automatic differentiation for complex valued SVD" (2019)
    of_s, of_u, of_v = g[0], xp.conj(g[1]), xp.conj(g[2])
    s, u, v = out
    rows, columns = x_shape[-2:]
    if u.shape[-1] != v.shape[-1]:
        raise UnimplementedError(
            "the gradient of svd with full_matrices=True is not defined for matrices that are not square: the "
            "additional singular vectors are arbitrary"
        )
    # 1 / (s_j^2 - s_i^2): the difference taken before squaring is exact
    sums = s[..., None, :] + s[..., :, None]
    gaps = xp.divide_no_nan(_reciprocal_gaps(xp, s), sums)
    in_u, in_v = hermitian(xp, u) @ of_u, hermitian(xp, v) @ of_v
    turned_u = gaps * (in_u - hermitian(xp, in_u)) * s[..., None, :]
    turned_v = s[..., :, None] * (gaps * (in_v - hermitian(xp, in_v)))
    inner = diagonal_matrix(xp, of_s) + turned_u + turned_v
    reciprocal = _reciprocal_of_positive(xp, s)
    if u.dtype.kind == "c":  # the phase of u is tied to that of v
        inner = inner + diagonal_matrix(xp, 1j * xp.imag(diagonal_of(xp, in_u)) * reciprocal)
    left = u @ inner
    if rows > columns:
        left = left + (of_u - u @ in_u) * reciprocal[..., None, :]
    gradient = left @ hermitian(xp, v)
    if columns > rows:
        gradient = gradient + (u * reciprocal[..., None, :]) @ hermitian(xp, of_v - v @ in_v)
    return xp.conj(gradient)


@svd_.spec
def _svd_spec(x: Spec, *, full_matrices: bool) -> tuple[Spec, Spec, Spec]:
    *batch, rows, columns = x.shape
    k = min(rows, columns)
    left, right = (rows, columns) if full_matrices else (k, k)
    return (
        Spec((*batch, k), real_dtype(x.dtype)),
        Spec((*batch, rows, left), x.dtype),
        Spec((*batch, columns, right), x.dtype),
    )


def _reciprocal_of_positive(xp: Any, s: Any) -> Any:
    """The reciprocals of singular values, 0 for those that are zero but for rounding."""
    tolerance = 4 * float(np.finfo(np.dtype(s.dtype.type)).eps) * xp.sum(s, axis=-1, keepdims=True)
    positive = s > tolerance
    return xp.where(positive, 1 / xp.where(positive, s, 1), 0)


@primitive(title="svd")
def singular_values(xp: Any, x: Any) -> Any:
    """Singular values in falling order."""
    return xp.linalg.svd(x, compute_uv=False)


@singular_values.vjp
def _singular_values_vjp(xp: Any, g: Any, x: Any) -> Any:
    _, u, v = xp.svd(x, full_matrices=False)
    return (xp.conj(u) * g[..., None, :]) @ v.mT


@singular_values.jvp
def _singular_values_jvp(xp: Any, t: Any, x: Any) -> Any:
    _, u, v = xp.svd(x, full_matrices=False)
    return xp.sum(xp.real(xp.conj(u) * (t @ v)), axis=-2)


singular_values.spec(lambda x: _svd_spec(x, full_matrices=False)[0])


def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """Singular values and vectors: ``A = u diag(s) v^H``.

    The gradient is finite at repeated and zero singular values, and there right for symmetric functions of them.

    Args:
        tensor: ``(..., m, n)``.
        full_matrices: give all ``m`` left and ``n`` right vectors. There is a gradient then for square matrices only.
        compute_uv: False gives the singular values alone.

    Returns:
        Tuple ``(s, u, v)``: ``(..., k)`` in falling order, ``(..., m, k)`` and ``(..., n, k)`` with ``k = min(m, n)``;
        or ``s`` alone.

    Raises:
        InvalidArgumentError: there are fewer than two axes.

    Source of the derivative: Z.-Q. Wan and S.-X. Zhang, "Automatic differentiation for complex valued SVD" (2019).

    >>> tf.linalg.svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False).numpy().tolist()
    [4.0, 3.0]
    """
    x = as_matrix(tensor, "svd")
    return svd_(x, full_matrices=bool(full_matrices)) if compute_uv else singular_values(x)
