"""What operations on (batches of) matrices share: checks of their operands, and the transpose in a rule."""

from __future__ import annotations

from typing import Any

from wengert.arrays.shapes import broadcast_shapes
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.contract import align, broadcast_batch
from wengert.primitives.primitive import describe
from wengert.tensor import as_operand

__all__ = ["as_matrix", "as_square", "as_system", "hermitian", "hermitian_part"]


def as_matrix(x: Any, operation: str) -> Any:
    """``x`` as a tensor ``(..., m, n)`` of floating or complex numbers, in single or double precision.

    Raises:
        InvalidArgumentError: it has fewer than two axes.
        DTypeError: it has another dtype, that of a 16-bit float included: LAPACK has no routines for them.
    """
    x = as_operand(x)
    if x._array.ndim < 2:
        raise InvalidArgumentError(f"{operation} takes matrices, in the last two axes, got shape {x._array.shape}")
    if x._array.dtype.kind not in "fc" or x._array.dtype.itemsize < 4:
        raise DTypeError(
            f"{operation} takes floating or complex numbers of 32 bits or more, got {describe((x,))}: use tf.cast"
        )
    return x


def as_square(x: Any, operation: str) -> Any:
    """``x`` as a tensor ``(..., n, n)`` of floating or complex numbers.

    Raises:
        InvalidArgumentError: the last two sizes differ.
        DTypeError: it has another dtype.
    """
    x = as_matrix(x, operation)
    if x._array.shape[-1] != x._array.shape[-2]:
        raise InvalidArgumentError(f"{operation} takes square matrices, got shape {x._array.shape}")
    return x


def as_system(matrix: Any, rhs: Any, operation: str, *, square: bool = True) -> tuple[Any, Any]:
    """The two sides of a system of equations, ``(..., n, m)`` and ``(..., n, k)``, with equal batch axes.

    Raises:
        InvalidArgumentError: the shapes do not fit together.
    """
    matrix, rhs = align(operation, matrix, rhs)
    matrix = as_square(matrix, operation) if square else as_matrix(matrix, operation)
    rhs = as_matrix(rhs, f"the right-hand side of {operation}")
    a, b = matrix._array.shape, rhs._array.shape
    if a[-2] != b[-2]:
        raise InvalidArgumentError(
            f"{operation}: the matrix has {a[-2]} rows, the right-hand side {b[-2]}. "
            f"Operands: {describe((matrix, rhs))}."
        )
    batch = a[:-2] if a[:-2] == b[:-2] else broadcast_shapes(a[:-2], b[:-2])
    return broadcast_batch(matrix, batch), broadcast_batch(rhs, batch)


def hermitian(xp: Any, x: Any) -> Any:
    """The conjugate transpose."""
    return xp.conj(x).mT


def hermitian_part(xp: Any, x: Any) -> Any:
    """Half the sum of a matrix and its conjugate transpose."""
    return 0.5 * (x + hermitian(xp, x))
