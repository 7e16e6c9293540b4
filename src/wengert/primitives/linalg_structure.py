"""Diagonals, bands and traces of (batches of) matrices."""

from __future__ import annotations

import operator
from functools import lru_cache
from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import where_
from wengert.primitives.contract import align, matrix_transpose
from wengert.primitives.index import getitem_, putitem
from wengert.primitives.join import concat_
from wengert.primitives.primitive import describe, primitive
from wengert.primitives.reduce import sum_
from wengert.primitives.shape import reshape_
from wengert.tensor import Tensor, TensorLike, as_operand

__all__ = [
    "adjoint",
    "band_part",
    "diag",
    "diag_part",
    "set_diag",
    "tensor_diag",
    "tensor_diag_part",
    "trace",
]

_ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


# --- the diagonal and its transpose ----------------------------------------------------------------------------------


@primitive(linear=("x",))
def take_diagonal(xp: Any, x: Any, *, labels: tuple[int, ...]) -> Any:
    """The elements whose indices along axes with the same label are equal.

    ``labels`` count from 0 in order of occurrence; the axes of the result are the labels in order: ``(0, 0)`` takes the
    diagonal of a matrix, ``(0, 1, 1)`` those of a batch.
    """
    return xp.einsum(x, list(labels), list(range(max(labels) + 1)))


@primitive(linear=("x",))
def put_diagonal(xp: Any, x: Any, *, labels: tuple[int, ...]) -> Any:
    """Zeros, but for ``x`` where :func:`take_diagonal` with the same labels reads."""
    result = np.zeros([x.shape[k] for k in labels], x.dtype)
    np.einsum(result, list(labels), list(range(x.ndim)))[...] = x
    return result


take_diagonal.vjp(lambda xp, g, labels: xp.put_diagonal(g, labels=labels))
put_diagonal.vjp(lambda xp, g, labels: xp.take_diagonal(g, labels=labels))


@take_diagonal.spec
def _take_diagonal_spec(x: Spec, *, labels: tuple[int, ...]) -> Spec:
    return Spec(tuple(x.shape[labels.index(k)] for k in range(max(labels) + 1)), x.dtype)


@put_diagonal.spec
def _put_diagonal_spec(x: Spec, *, labels: tuple[int, ...]) -> Spec:
    return Spec(tuple(x.shape[k] for k in labels), x.dtype)


def last_two(ndim: int) -> tuple[int, ...]:
    """Labels for the diagonals of a batch of matrices with ``ndim`` axes."""
    return (*range(ndim - 1), ndim - 2)


def diagonal_of(xp: Any, x: Any) -> Any:
    """The main diagonal of the last two axes, which have one size."""
    return xp.take_diagonal(x, labels=last_two(len(x.shape)))


def diagonal_matrix(xp: Any, x: Any) -> Any:
    """Square matrices with the last axis of ``x`` on the diagonal."""
    return xp.put_diagonal(x, labels=last_two(len(x.shape) + 1))


def diagonal_at(x: Any, offset: int) -> Any:
    """The diagonal ``offset`` above the main one, of the last two axes of a tensor."""
    rows, columns = x._array.shape[-2:]
    first_row, first_column = max(-offset, 0), max(offset, 0)
    length = max(min(rows - first_row, columns - first_column), 0)
    if (rows, columns) != (length, length):
        key = (Ellipsis, slice(first_row, first_row + length), slice(first_column, first_column + length))
        x = getitem_(x, key=key)
    return take_diagonal(x, labels=last_two(x._array.ndim))


def with_diagonal_at(x: Any, offset: int, rows: int, columns: int) -> Any:
    """Zero matrices of that size, but for ``x`` on the diagonal ``offset`` above the main one."""
    length = x._array.shape[-1]
    square = put_diagonal(x, labels=last_two(x._array.ndim + 1))
    if (rows, columns) == (length, length):
        return square
    first_row, first_column = max(-offset, 0), max(offset, 0)
    key = (Ellipsis, slice(first_row, first_row + length), slice(first_column, first_column + length))
    return putitem(square, key=key, shape=(*x._array.shape[:-1], rows, columns))


def trace(x: Any, name: str | None = None) -> Any:
    """The sums of the main diagonals of the last two axes.

    Raises:
        InvalidArgumentError: there are fewer than two axes.

    >>> float(tf.linalg.trace([[1.0, 2.0], [3.0, 4.0]]))
    5.0
    """
    diagonal = diagonal_at(matrices(x, "trace"), 0)
    return sum_(diagonal, axis=(diagonal._array.ndim - 1,), keepdims=False)


def adjoint(matrix: Any, name: str | None = None) -> Any:
    """The conjugate transposes of the last two axes.

    >>> tf.linalg.adjoint([[1 + 2j, 3j]]).numpy().tolist()
    [[(1-2j)], [-3j]]
    """
    return matrix_transpose(matrix, "adjoint", conjugate=True)


def matrices(x: Any, operation: str) -> Any:
    x = as_operand(x)
    if x._array.ndim < 2:
        raise InvalidArgumentError(f"{operation} takes matrices, in the last two axes, got shape {x._array.shape}")
    return x


# --- bands -----------------------------------------------------------------------------------------------------------


@primitive(linear=("x",))
def band_part_(xp: Any, x: Any, *, lower: int | None, upper: int | None) -> Any:
    """``x`` at most ``lower`` below and ``upper`` above the diagonal, 0 elsewhere; None is no limit."""
    return xp.where(_band(*x.shape[-2:], lower, upper), x, 0)


band_part_.vjp(lambda xp, g, lower, upper: xp.band_part(g, lower=lower, upper=upper))
band_part_.spec(lambda x, lower, upper: x)


@lru_cache(maxsize=64)
def _band(rows: int, columns: int, lower: int | None, upper: int | None) -> np.ndarray[Any, Any]:
    """Whether each place lies at most ``lower`` below and ``upper`` above the diagonal; None is no limit."""
    offset = np.arange(columns) - np.arange(rows)[:, None]
    inside = np.ones((rows, columns), bool)
    if lower is not None:
        inside &= offset >= -lower
    if upper is not None:
        inside &= offset <= upper
    inside.setflags(write=False)
    return inside


def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Any:
    """The last two axes with everything outside a band around the diagonal set to zero.

    Args:
        input: ``(..., m, n)``.
        num_lower: how many diagonals to keep below the main one; all if negative.
        num_upper: how many to keep above.

    Raises:
        InvalidArgumentError: there are fewer than two axes.

    >>> tf.linalg.band_part([[1, 2], [3, 4]], -1, 0).numpy().tolist()
    [[1, 0], [3, 4]]
    """
    lower, upper = operator.index(num_lower), operator.index(num_upper)
    return band_part_(
        matrices(input, "band_part"), lower=None if lower < 0 else lower, upper=None if upper < 0 else upper
    )


def triangle(x: Any, offset: int, *, upper: bool) -> Any:
    """NumPy's ``tril`` and ``triu``: what lies on and below (or above) the diagonal ``offset`` above the main one."""
    return band_part_(matrices(x, "tril or triu"), lower=-offset if upper else None, upper=None if upper else offset)


# --- TensorFlow's diag, diag_part and set_diag -----------------------------------------------------------------------


def _offsets(k: Any, operation: str) -> tuple[int, int]:
    """The lowest and the highest diagonal of a band given as a number or a pair."""
    if isinstance(k, TensorLike):
        k = k._array
    numbers = [operator.index(n) for n in np.atleast_1d(k)]
    if len(numbers) not in (1, 2) or numbers[0] > numbers[-1]:
        raise InvalidArgumentError(f"{operation}: k is an offset, or a pair (lowest, highest), got {k!r}")
    return numbers[0], numbers[-1]


def _length(offset: int, rows: int, columns: int) -> int:
    return min(rows + min(offset, 0), columns - max(offset, 0))


def _is_right(offset: int, align_to: str) -> bool:
    """Whether a diagonal that is shorter than the longest one is pushed to the right of its row."""
    above, below = align_to.split("_")
    return (above if offset > 0 else below if offset < 0 else "LEFT") == "RIGHT"


def _check_alignment(align_to: str, operation: str) -> None:
    if align_to not in _ALIGNMENTS:
        raise InvalidArgumentError(f"{operation}: align must be one of {', '.join(_ALIGNMENTS)}, got {align_to!r}")


def diag_part(
    input: Any, name: str = "diag_part", k: Any = 0, padding_value: Any = 0, align: str = "RIGHT_LEFT"
) -> Any:
    """A diagonal, or a band of diagonals, of the last two axes.

    Args:
        input: ``(..., m, n)``.
        k: offset of the diagonal above the main one, or a pair of the lowest and the highest.
        padding_value: fills rows of a band that are shorter than the longest.
        align: to which side diagonals above and below the main one are pushed, such as "RIGHT_LEFT".

    Returns:
        Tensor ``(..., length)``, or ``(..., diagonals, longest)`` with the highest diagonal first.

    Raises:
        InvalidArgumentError: a diagonal lies outside the matrix.

    >>> tf.linalg.diag_part([[1, 2], [3, 4]], k=1).numpy().tolist()
    [2]
    >>> tf.linalg.diag_part([[1, 2], [3, 4]], k=(0, 1)).numpy().tolist()
    [[0, 2], [1, 4]]
    """
    x = matrices(input, name)
    _check_alignment(align, name)
    low, high = _offsets(k, name)
    rows, columns = x._array.shape[-2:]
    _check_offsets(low, high, rows, columns, name)
    if low == high:
        return diagonal_at(x, low)
    longest = max(_length(offset, rows, columns) for offset in range(low, high + 1))
    lines = [_padded(diagonal_at(x, o), longest, _is_right(o, align), padding_value) for o in range(high, low - 1, -1)]
    return concat_(*lines, axis=x._array.ndim - 2)


def _check_offsets(low: int, high: int, rows: int, columns: int, operation: str) -> None:
    if low <= -max(rows, 1) or high >= max(columns, 1):
        raise InvalidArgumentError(f"{operation}: k=({low}, {high}) lies outside matrices of shape ({rows}, {columns})")


def _padded(diagonal: Any, longest: int, right: bool, padding_value: Any) -> Any:
    """A diagonal as one row of a band."""
    shape = diagonal._array.shape
    length = shape[-1]
    if length < longest:
        inside = slice(longest - length, None) if right else slice(None, length)
        diagonal = putitem(diagonal, key=(Ellipsis, inside), shape=(*shape[:-1], longest))
        if np.any(np.asarray(padding_value) != 0):
            filled = np.ones(longest, bool)
            filled[inside] = False
            diagonal = where_(Tensor(filled), padding_value, diagonal)
    return reshape_(diagonal, shape=(*shape[:-1], 1, longest))


def diag(
    diagonal: Any,
    name: str = "diag",
    k: Any = 0,
    num_rows: int = -1,
    num_cols: int = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """Matrices with the given diagonal, or band of diagonals.

    Args:
        diagonal: ``(..., length)``, or for a band ``(..., diagonals, longest)`` with the highest diagonal first.
        k: offset of the diagonal above the main one, or a pair of the lowest and the highest.
        num_rows: of the result; as few as fit, if -1.
        num_cols: likewise.
        padding_value: everywhere else.
        align: to which side the shorter diagonals of a band are pushed, such as "RIGHT_LEFT".

    Returns:
        Tensor ``(..., num_rows, num_cols)``.

    Raises:
        InvalidArgumentError: the diagonals do not fit the size.

    >>> tf.linalg.diag([1, 2]).numpy().tolist()
    [[1, 0], [0, 2]]
    >>> tf.linalg.diag([5], k=1).numpy().tolist()
    [[0, 5], [0, 0]]
    """
    d = as_operand(diagonal)
    _check_alignment(align, name)
    low, high = _offsets(k, name)
    if d._array.ndim < 1 + (low != high) or (low != high and d._array.shape[-2] != high - low + 1):
        raise InvalidArgumentError(f"{name}: shape {d._array.shape} does not fit the diagonals k=({low}, {high})")
    rows, columns = _matrix_size(d._array.shape[-1], low, high, num_rows, num_cols, name)
    _check_offsets(low, high, rows, columns, name)
    result = _band_matrix(d, low, high, rows, columns, align)
    if np.any(np.asarray(padding_value) != 0):
        result = where_(Tensor(_band(rows, columns, -low, high)), result, padding_value)
    return result


def _matrix_size(longest: int, low: int, high: int, rows: int, columns: int, operation: str) -> tuple[int, int]:
    """The size of a matrix whose longest diagonal is given, with -1 for what is not known."""
    least_rows, least_columns = longest - min(high, 0), longest + max(low, 0)
    if rows == columns == -1:
        rows = columns = max(least_rows, least_columns)
    rows, columns = (least_rows if rows == -1 else rows), (least_columns if columns == -1 else columns)
    if max(_length(offset, rows, columns) for offset in range(low, high + 1)) != longest:
        raise InvalidArgumentError(
            f"{operation}: diagonals k=({low}, {high}) of length {longest} do not fit a matrix of shape "
            f"({rows}, {columns})"
        )
    return rows, columns


def _band_matrix(d: Any, low: int, high: int, rows: int, columns: int, align_to: str) -> Any:
    """Zero matrices but for the diagonals."""
    if low == high:
        return with_diagonal_at(d, low, rows, columns)
    total = None
    longest = d._array.shape[-1]
    for line, offset in enumerate(range(high, low - 1, -1)):
        length = _length(offset, rows, columns)
        inside = slice(longest - length, None) if _is_right(offset, align_to) else slice(None, length)
        part = with_diagonal_at(getitem_(d, key=(Ellipsis, line, inside)), offset, rows, columns)
        total = part if total is None else total + part
    return total


def set_diag(input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0, align: str = "RIGHT_LEFT") -> Any:
    """The last two axes with a diagonal, or a band of diagonals, replaced.

    Args:
        input: ``(..., m, n)``.
        diagonal: as :func:`diag_part` gives it for the same ``k`` and ``align``.
        k: offset of the diagonal above the main one, or a pair of the lowest and the highest.
        align: to which side the shorter diagonals of a band are pushed, such as "RIGHT_LEFT".

    Raises:
        InvalidArgumentError: the diagonals do not fit.

    >>> tf.linalg.set_diag([[1, 2], [3, 4]], [0, 0]).numpy().tolist()
    [[0, 2], [3, 0]]
    """
    x, d = _align_pair(name, input, diagonal)
    _check_alignment(align, name)
    low, high = _offsets(k, name)
    rows, columns = x._array.shape[-2:]
    _check_offsets(low, high, rows, columns, name)
    longest = max(_length(offset, rows, columns) for offset in range(low, high + 1))
    expected = (*x._array.shape[:-2], *((high - low + 1,) if low != high else ()), longest)
    if d._array.shape != expected:
        raise InvalidArgumentError(f"{name}: the diagonal must have shape {expected}, got {describe((x, d))}")
    return where_(Tensor(_band(rows, columns, -low, high)), _band_matrix(d, low, high, rows, columns, align), x)


def _align_pair(operation: str, x: Any, d: Any) -> tuple[Any, Any]:
    x, d = align(operation, x, d)
    return matrices(x, operation), d


# --- diagonals of tensors --------------------------------------------------------------------------------------------


def tensor_diag(diagonal: Any, name: str | None = None) -> Any:
    """A tensor with twice the axes: ``result[i, j, i, j] = diagonal[i, j]``, and 0 elsewhere.

    >>> tf.linalg.tensor_diag([1, 2]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    d = as_operand(diagonal)
    if not d._array.ndim:
        raise InvalidArgumentError("tensor_diag takes tensors with at least one axis, got shape ()")
    return put_diagonal(d, labels=(*range(d._array.ndim),) * 2)


def tensor_diag_part(input: Any, name: str | None = None) -> Any:
    """The elements ``result[i, j] = input[i, j, i, j]`` of a tensor whose axes come twice.

    Raises:
        InvalidArgumentError: the shape is not a shape twice over.

    >>> tf.linalg.tensor_diag_part([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    x = as_operand(input)
    half, odd = divmod(x._array.ndim, 2)
    if odd or not half or x._array.shape[:half] != x._array.shape[half:]:
        raise InvalidArgumentError(f"tensor_diag_part takes shapes such as (2, 3, 2, 3), got {x._array.shape}")
    return take_diagonal(x, labels=(*range(half),) * 2)
