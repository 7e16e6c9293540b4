"""Linear algebra under NumPy's names, as functions and methods of tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from wengert.arrays.shapes import normalize_axis
from wengert.errors import InvalidArgumentError
from wengert.numpy.basic import asarray
from wengert.numpy.dispatch import implements, method, only_defaults
from wengert.numpy.shape import broadcast_arrays, moveaxis
from wengert.primitives import (
    contract,
    linalg_factorize,
    linalg_function,
    linalg_norm,
    linalg_solve,
    linalg_spectral,
    linalg_structure,
)
from wengert.primitives.arithmetic import absolute, cast, real, square
from wengert.primitives.reduce import reduce_sum, sum_
from wengert.primitives.shape import reshape_
from wengert.tensor import Tensor, as_operand

__all__: list[str] = []


def floating(a: Any) -> Any:
    """``a`` as a tensor of floating or complex numbers; integers become float64, as in NumPy."""
    a = as_operand(a)
    return a if a._array.dtype.kind in "fcV" else cast(a, np.float64)


# --- parts of matrices -----------------------------------------------------------------------------------------------


@implements(np.diagonal)
@method("diagonal")
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """A diagonal of two axes, as the last axis."""
    return linalg_structure.diagonal_at(_with_last(a, axis1, axis2, "diagonal"), offset)


@implements(np.linalg.diagonal)
def diagonal_of_matrices(x: Any, /, *, offset: int = 0) -> Any:
    """A diagonal of the last two axes."""
    return diagonal(x, offset, -2, -1)


@implements(np.trace)
@method("trace")
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    """The sum of a diagonal of two axes."""
    only_defaults("trace", out=out)
    elements = diagonal(asarray(a, dtype), offset, axis1, axis2)
    return sum_(elements, axis=(elements._array.ndim - 1,), keepdims=False)


@implements(np.linalg.trace)
def trace_of_matrices(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sum of a diagonal of the last two axes."""
    return trace(x, offset, -2, -1, dtype)


def _with_last(a: Any, axis1: int, axis2: int, operation: str) -> Any:
    """The tensor with two axes moved to the end."""
    a = as_operand(a)
    ndim = a._array.ndim
    if ndim < 2:
        raise InvalidArgumentError(f"{operation} takes tensors with two or more axes, got shape {a._array.shape}")
    first, second = normalize_axis(axis1, ndim), normalize_axis(axis2, ndim)
    if first == second:
        raise InvalidArgumentError(f"{operation}: axis1 and axis2 are both {first}")
    return a if (first, second) == (ndim - 2, ndim - 1) else moveaxis(a, (first, second), (-2, -1))


@implements(np.diag)
def diag(v: Any, k: int = 0) -> Any:
    """The matrix with a vector on a diagonal, or a diagonal of a matrix."""
    v = as_operand(v)
    if v._array.ndim == 1:
        size = v._array.shape[0] + abs(k)
        return linalg_structure.with_diagonal_at(v, k, size, size)
    if v._array.ndim != 2:
        raise InvalidArgumentError(f"diag takes a vector or a matrix, got shape {v._array.shape}")
    return diagonal(v, k)


@implements(np.diagflat)
def diagflat(v: Any, k: int = 0) -> Any:
    """The matrix with all elements of ``v`` on a diagonal."""
    return diag(reshape_(as_operand(v), shape=(-1,)), k)


@implements(np.tril)
def tril(m: Any, k: int = 0) -> Any:
    """What lies on and below a diagonal, the rest zero."""
    return linalg_structure.triangle(_square_of_vector(m), k, upper=False)


@implements(np.triu)
def triu(m: Any, k: int = 0) -> Any:
    """What lies on and above a diagonal, the rest zero."""
    return linalg_structure.triangle(_square_of_vector(m), k, upper=True)


def _square_of_vector(m: Any) -> Any:
    """A vector counts as a matrix with as many equal rows."""
    m = as_operand(m)
    return broadcast_arrays(m, np.empty((m._array.size, m._array.size)))[0] if m._array.ndim == 1 else m


@implements(np.vander)
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """The matrix of powers of a vector, the highest first."""
    x = as_operand(x)
    if x._array.ndim != 1:
        raise InvalidArgumentError(f"vander takes a vector, got shape {x._array.shape}")
    powers = np.arange(x._array.shape[0] if N is None else N)
    return x[:, None] ** cast(powers if increasing else powers[::-1].copy(), x._array.dtype)


# --- np.linalg -------------------------------------------------------------------------------------------------------


class EigResult(NamedTuple):
    """The result of ``np.linalg.eig``."""

    eigenvalues: Any
    eigenvectors: Any


class EighResult(NamedTuple):
    """The result of ``np.linalg.eigh``."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """The result of ``np.linalg.qr``."""

    Q: Any
    R: Any


class SlogdetResult(NamedTuple):
    """The result of ``np.linalg.slogdet``."""

    sign: Any
    logabsdet: Any


class SVDResult(NamedTuple):
    """The result of ``np.linalg.svd``."""

    U: Any
    S: Any
    Vh: Any


def _of_matrices(numpy_function: Any, function: Callable[..., Any]) -> None:
    """NumPy's function of one matrix is Wengert's, integers becoming float64."""

    def implementation(a: Any, /) -> Any:
        return function(floating(a))

    implementation.__doc__ = function.__doc__
    implements(numpy_function)(implementation)


_of_matrices(np.linalg.inv, linalg_solve.inv)
_of_matrices(np.linalg.det, linalg_solve.det)


@implements(np.linalg.slogdet)
def slogdet(a: Any) -> SlogdetResult:
    """The sign of the determinant, and the logarithm of its absolute value."""
    return SlogdetResult(*linalg_solve.slogdet(floating(a)))


@implements(np.linalg.solve)
def solve(a: Any, b: Any) -> Any:
    """The solution of a system of equations; ``b`` is a vector, or matrices."""
    a, b = floating(a), floating(b)
    if b._array.ndim == 1:
        solution = linalg_solve.solve(a, reshape_(b, shape=(-1, 1)))
        return reshape_(solution, shape=solution._array.shape[:-1])
    return linalg_solve.solve(a, b)


@implements(np.linalg.cholesky)
def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """The Cholesky factor of Hermitian positive definite matrices, lower or upper triangular."""
    a = floating(a)
    if not upper:
        return linalg_factorize.cholesky(a)
    return linalg_structure.adjoint(linalg_factorize.cholesky(linalg_structure.adjoint(a)))


@implements(np.linalg.qr)
def qr(a: Any, mode: str = "reduced") -> Any:
    """The factors of ``a = Q R``; mode "r" gives ``R`` alone."""
    if mode not in ("reduced", "complete", "r"):
        raise InvalidArgumentError(f"qr: mode is 'reduced', 'complete' or 'r' for tensors, got {mode!r}")
    factors = QRResult(*linalg_factorize.qr(floating(a), full_matrices=mode == "complete"))
    return factors.R if mode == "r" else factors


@implements(np.linalg.eigh)
def eigh(a: Any, UPLO: str = "L") -> EighResult:
    """Eigenvalues in rising order and eigenvectors of Hermitian matrices, of which one triangle is read."""
    return EighResult(*linalg_spectral.eigh(_lower(a, UPLO)))


@implements(np.linalg.eigvalsh)
def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """Eigenvalues in rising order of Hermitian matrices, of which one triangle is read."""
    return linalg_spectral.eigvalsh(_lower(a, UPLO))


def _lower(a: Any, triangle: str) -> Any:
    """The matrices with the triangle that is to be read as the lower one."""
    if triangle.upper() not in ("L", "U"):
        raise InvalidArgumentError(f"eigh: UPLO is 'L' or 'U', got {triangle!r}")
    return floating(a) if triangle.upper() == "L" else linalg_structure.adjoint(floating(a))


@implements(np.linalg.eig)
def eig(a: Any) -> EigResult:
    """Eigenvalues and eigenvectors of square matrices; real, if all eigenvalues are."""
    a = floating(a)
    values, vectors = linalg_spectral.eig(a)
    if _is_real(a, values):
        values, vectors = real(values), real(vectors)
    return EigResult(values, vectors)


@implements(np.linalg.eigvals)
def eigvals(a: Any) -> Any:
    """Eigenvalues of square matrices; real, if all are."""
    a = floating(a)
    values = linalg_spectral.eigvals(a)
    return real(values) if _is_real(a, values) else values


def _is_real(a: Any, values: Any) -> bool:
    return a._array.dtype.kind != "c" and not np.any(values._array.imag)


@implements(np.linalg.svd)
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """Singular values and vectors: ``a = U diag(S) Vh``."""
    if not compute_uv:
        return linalg_spectral.svd(floating(a), compute_uv=False)
    s, u, v = linalg_spectral.svd(floating(a), full_matrices=full_matrices)
    return SVDResult(u, s, linalg_structure.adjoint(v))


@implements(np.linalg.svdvals)
def svdvals(x: Any, /) -> Any:
    """Singular values in falling order."""
    return linalg_spectral.svd(floating(x), compute_uv=False)


@implements(np.linalg.lstsq)
def lstsq(a: Any, b: Any, rcond: float | None = None) -> tuple[Any, Any, int, Any]:
    """The shortest least-squares solution, the squared residuals (if there are any), the rank, the singular values."""
    a, b = linalg_norm.floating(floating(a), "lstsq"), floating(b)
    rows, columns = a._array.shape
    spacing = float(np.finfo(a._array.dtype).eps)
    limit = spacing * max(rows, columns) if rcond is None else spacing if rcond < 0 else rcond
    vector = b._array.ndim == 1
    right = reshape_(b, shape=(-1, 1)) if vector else b
    x = contract.matmul(linalg_solve.pinv(a, limit), right)
    s = svdvals(a)
    largest = s._array.max(initial=0)
    rank = int(np.sum(s._array > limit * largest))
    residuals = reduce_sum(square(absolute(right - contract.matmul(a, x))), 0)
    if rank < columns or rows <= columns:
        residuals = Tensor(np.empty(0, residuals._array.dtype))
    return (reshape_(x, shape=(-1,)) if vector else x), residuals, rank, s


@implements(np.linalg.pinv)
def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """The pseudo-inverse; singular values up to ``rcond`` times the largest count as zero."""
    a = floating(a)
    limit = next((x for x in (rcond, rtol) if x is not None and x is not np._NoValue), None)
    if limit is None:
        largest = max(a._array.shape[-2:], default=0)
        limit = 1e-15 if rtol is np._NoValue else largest * float(np.finfo(a._array.dtype).eps)
    return linalg_solve.pinv(a, limit)


@implements(np.linalg.matrix_power)
def matrix_power(a: Any, n: int) -> Any:
    """Square matrices to an integer power."""
    return linalg_function.matrix_power(a if n >= 0 else floating(a), n)


@implements(np.linalg.matrix_rank)
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """The number of singular values above a tolerance."""
    only_defaults("linalg.matrix_rank", rtol=rtol)
    return cast(linalg_norm.matrix_rank(floating(A), tol), np.int64)


@implements(np.linalg.cond)
def cond(x: Any, p: Any = None) -> Any:
    """The condition number: the product of the norms of the matrices and of their inverses."""
    x = floating(x)
    if p in (None, 2, -2):
        s = svdvals(x)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return matrix_norm(x, ord=p) * matrix_norm(linalg_solve.inv(x), ord=p)


@implements(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """The norm of vectors, of matrices, or of all elements."""
    x = floating(x)
    ndim = x._array.ndim
    if axis is None and ord is not None and ndim == 2:
        axis = (0, 1)
    elif axis is None and ord is not None and ndim != 1:
        raise InvalidArgumentError(f"norm: with ord={ord!r}, name the axis of a tensor with {ndim} axes")
    if isinstance(axis, (tuple, list)) and len(axis) == 2:
        return linalg_norm.matrix_norm(x, tuple(axis), "fro" if ord is None else ord, bool(keepdims))
    axis = axis[0] if isinstance(axis, (tuple, list)) else axis
    if isinstance(ord, str):
        raise InvalidArgumentError(f"norm: vectors have no norm of order {ord!r}")
    return linalg_norm.vector_norm(x, axis, 2 if ord is None else ord, bool(keepdims))


@implements(np.linalg.matrix_norm)
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norm of matrices in the last two axes."""
    return linalg_norm.matrix_norm(linalg_structure.matrices(floating(x), "matrix_norm"), (-2, -1), ord, bool(keepdims))


@implements(np.linalg.vector_norm)
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The norm of vectors along an axis, or several as one."""
    return linalg_norm.vector_norm(floating(x), tuple(axis) if isinstance(axis, list) else axis, ord, bool(keepdims))


@implements(np.linalg.tensorinv)
def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse for :func:`numpy.tensordot` over ``ind`` axes."""
    a = floating(a)
    shape = a._array.shape
    if ind <= 0:
        raise InvalidArgumentError(f"tensorinv: ind must be positive, got {ind}")
    flat = reshape_(a, shape=(math.prod(shape[:ind]), math.prod(shape[ind:])))
    return reshape_(linalg_solve.inv(flat), shape=(*shape[ind:], *shape[:ind]))


@implements(np.linalg.tensorsolve)
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """The solution ``x`` of ``tensordot(a, x, x.ndim) = b``."""
    a, b = floating(a), floating(b)
    if axes is not None:
        a = moveaxis(a, tuple(axes), tuple(range(-len(tuple(axes)), 0)))
    shape = a._array.shape[b._array.ndim :]
    flat = reshape_(a, shape=(b._array.size, math.prod(shape)))
    return reshape_(solve(flat, reshape_(b, shape=(-1,))), shape=shape)
