"""Tridiagonal matrices, given by their three diagonals, and products and systems of equations with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.lazy import scipy_linalg
from wengert.arrays.shapes import Spec, broadcast_shapes
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import conj
from wengert.primitives.contract import align, broadcast_batch, matrix_transpose
from wengert.primitives.index import putitem
from wengert.primitives.join import stack
from wengert.primitives.linalg_structure import diagonal_at
from wengert.primitives.matrices import as_matrix, as_square
from wengert.primitives.primitive import describe, primitive
from wengert.primitives.shape import reshape_

__all__ = ["tridiagonal_matmul", "tridiagonal_solve"]

_FORMATS = ("compact", "matrix", "sequence")


def _shifted(xp: Any, x: Any, by: int) -> Any:
    """``result[..., i, :] = x[..., i + by, :]``, with zeros from outside; ``by`` is 1 or -1."""
    n = x.shape[-2]
    read, written = (slice(1, None), slice(None, n - 1)) if by == 1 else (slice(None, n - 1), slice(1, None))
    columns = slice(None)
    return xp.putitem(x[..., read, :], key=(Ellipsis, written, columns), shape=tuple(x.shape))


@primitive(linear=("rhs",), same_dtype=("diagonals", "rhs"))
def tridiagonal_solve_(xp: Any, diagonals: Any, rhs: Any) -> Any:
    """The solution ``x`` of ``T x = rhs``; ``diagonals`` are in compact format, see :func:`tridiagonal_solve`."""
    result = np.empty(rhs.shape, rhs.dtype)
    (solver,) = scipy_linalg.get_lapack_funcs(("gtsv",), (diagonals, rhs))
    for k in np.ndindex(rhs.shape[:-2]):
        above, main, below = diagonals[k]
        if main.shape[0] < 2 or not rhs[k].size:
            failure = bool(np.any(main == 0)) and rhs[k].size
            result[k] = rhs[k] / np.where(main == 0, 1, main)[:, None]
        else:
            *_, result[k], failure = solver(below[1:], main, above[:-1], rhs[k])
        if failure:
            raise InvalidArgumentError("tridiagonal_solve: the matrix is singular")
    return result


@tridiagonal_solve_.vjp_joint
def _tridiagonal_solve_vjp(xp: Any, g: Any, diagonals: Any, out: Any) -> Any:
    of_rhs = xp.tridiagonal_solve(_transposed(xp, diagonals), g)
    return -_of_diagonals(xp, of_rhs, out), of_rhs


@tridiagonal_solve_.jvp_of("diagonals")
def _tridiagonal_solve_jvp_diagonals(xp: Any, t: Any, diagonals: Any, out: Any) -> Any:
    return -xp.tridiagonal_solve(diagonals, _product(xp, t, out))


@tridiagonal_solve_.spec
def _tridiagonal_solve_spec(diagonals: Spec, rhs: Spec) -> Spec:
    return rhs


def _transposed(xp: Any, diagonals: Any) -> Any:
    """The diagonals of the transposed matrix."""
    above, main, below = (diagonals[..., k, :, None] for k in range(3))
    return xp.stack([_shifted(xp, below, 1), main, _shifted(xp, above, -1)], axis=-3)[..., 0]


def _of_diagonals(xp: Any, left: Any, right: Any) -> Any:
    """The cotangent of the diagonals of ``T``, if that of ``T`` is the product of ``left`` and ``right`` transposed."""
    neighbours = (_shifted(xp, right, 1), right, _shifted(xp, right, -1))
    return xp.stack([xp.sum(left * x, axis=-1) for x in neighbours], axis=-2)


def _product(xp: Any, diagonals: Any, x: Any) -> Any:
    above, main, below = (diagonals[..., k, :, None] for k in range(3))
    return above * _shifted(xp, x, 1) + main * x + below * _shifted(xp, x, -1)


@primitive(linear=("diagonals", "rhs"), same_dtype=("diagonals", "rhs"))
def tridiagonal_matmul_(xp: Any, diagonals: Any, rhs: Any) -> Any:
    """The product of tridiagonal matrices, in compact format, and ``rhs``."""
    return _product(xp, diagonals, rhs)


tridiagonal_matmul_.vjp(
    lambda xp, g, rhs: _of_diagonals(xp, g, rhs),
    lambda xp, g, diagonals: xp.tridiagonal_matmul(_transposed(xp, diagonals), g),
)
tridiagonal_matmul_.spec(_tridiagonal_solve_spec)


def tridiagonal_solve(
    diagonals: Any,
    rhs: Any,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Any:
    """The solution ``x`` of ``T x = rhs`` with a tridiagonal matrix, in time and memory proportional to its size.

    Args:
        diagonals: the matrix, in one of three formats. "compact": ``(..., 3, n)`` with the diagonal above the main one
            (whose last element is ignored), the main one, and the one below (whose first element is ignored).
            "sequence": a list of these three, the outer two of which may have length ``n - 1``. "matrix":
            ``(..., n, n)``, of which the rest is ignored.
        rhs: ``(..., n, k)``, or a vector ``(..., n)`` where ``diagonals`` have as many batch axes.
        diagonals_format: "compact", "sequence" or "matrix".
        transpose_rhs: ``rhs`` is given transposed.
        conjugate_rhs: use the complex conjugate of ``rhs``.
        partial_pivoting: of no effect, as ``perturb_singular``: rows are always exchanged where that is more accurate.

    Raises:
        InvalidArgumentError: the matrix is singular, or the shapes do not fit.

    >>> tf.linalg.tridiagonal_solve([[1.0, 0.0], [2.0, 2.0], [0.0, 1.0]], [3.0, 3.0]).numpy().tolist()
    [1.0, 1.0]
    """
    return _applied(tridiagonal_solve_, diagonals, rhs, diagonals_format, transpose_rhs, conjugate_rhs)


def tridiagonal_matmul(diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None) -> Any:
    """The product of a tridiagonal matrix and ``rhs``; see :func:`tridiagonal_solve` for the arguments.

    >>> tf.linalg.tridiagonal_matmul([[1.0, 0.0], [2.0, 2.0], [0.0, 1.0]], [[1.0], [1.0]]).numpy().tolist()
    [[3.0], [3.0]]
    """
    return _applied(tridiagonal_matmul_, diagonals, rhs, diagonals_format, False, False)


def _applied(operation: Any, diagonals: Any, rhs: Any, form: str, transpose: bool, conjugate: bool) -> Any:
    compact, rhs = align(operation.name, _compact(diagonals, form, operation.name), rhs)
    is_vector = rhs._array.ndim == compact._array.ndim - 1
    if is_vector:
        rhs = reshape_(rhs, shape=(*rhs._array.shape, 1))
    elif transpose:
        rhs = matrix_transpose(rhs)
    rhs = as_matrix(conj(rhs) if conjugate else rhs, operation.name)
    if compact._array.shape[-1] != rhs._array.shape[-2]:
        raise InvalidArgumentError(
            f"{operation.name}: the matrix has {compact._array.shape[-1]} rows, the right-hand side "
            f"{rhs._array.shape[-2]}. Operands: {describe((compact, rhs))}."
        )
    batch = broadcast_shapes(compact._array.shape[:-2], rhs._array.shape[:-2])
    result = operation(broadcast_batch(compact, batch), broadcast_batch(rhs, batch))
    return reshape_(result, shape=result._array.shape[:-1]) if is_vector else result


def _compact(diagonals: Any, form: str, operation: str) -> Any:
    """The three diagonals as a tensor ``(..., 3, n)``."""
    if form not in _FORMATS:
        raise InvalidArgumentError(f"{operation}: diagonals_format must be one of {', '.join(_FORMATS)}, got {form!r}")
    if form == "compact":
        x = as_matrix(diagonals, operation)
        if x._array.shape[-2] != 3:
            raise InvalidArgumentError(f"{operation} takes three diagonals, got shape {x._array.shape}")
        return x
    if form == "matrix":
        x = as_square(diagonals, operation)
        parts = [diagonal_at(x, 1), diagonal_at(x, 0), diagonal_at(x, -1)]
    else:
        parts = list(align(operation, *diagonals))
        if len(parts) != 3:
            raise InvalidArgumentError(f"{operation} takes three diagonals, got {len(parts)}")
    n = parts[1]._array.shape[-1]
    return stack([_lengthened(parts[0], n, 0), parts[1], _lengthened(parts[2], n, 1)], axis=-2)


def _lengthened(diagonal: Any, n: int, start: int) -> Any:
    """An outer diagonal with a zero more, before or after it, if it has none yet."""
    shape = diagonal._array.shape
    if shape[-1] == n or not n:
        return diagonal
    return putitem(diagonal, key=(Ellipsis, slice(start, start + n - 1)), shape=(*shape[:-1], n))
