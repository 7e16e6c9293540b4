"""Tensors made from nothing but a shape and numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import normalize_axis
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.lineage import note_origin
from wengert.primitives.arithmetic import add, cast, divide, multiply, subtract, where_
from wengert.primitives.shape import broadcast_to_, expand_dims, reshape_, static_shape
from wengert.tensor import Tensor, as_operand, convert_to_tensor

__all__ = ["eye", "fill", "linspace", "meshgrid", "ones", "ones_like", "range_", "sequence_mask", "zeros", "zeros_like"]


def _made(array: Any) -> Tensor:
    """A new Tensor that remembers the user's line."""
    tensor = Tensor(array)
    note_origin(tensor._id, None, ())
    return tensor


def _sizes(shape: Any, operation: str) -> tuple[int, ...]:
    sizes = static_shape(shape, operation)
    if min(sizes, default=0) < 0:
        raise InvalidArgumentError(f"{operation}: a shape has no negative sizes, got {list(sizes)}")
    return sizes


def zeros(shape: Any, dtype: Any = np.float32, name: str | None = None, layout: Any = None) -> Tensor:
    """A tensor of zeros.

    Args:
        shape: integers; a list may mix numbers and integer tensors of shape ``()``.
        dtype: of the elements.

    >>> tf.zeros([2, 3]).numpy().tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return _made(np.zeros(_sizes(shape, "zeros"), as_numpy_dtype(dtype)))


def ones(shape: Any, dtype: Any = np.float32, name: str | None = None, layout: Any = None) -> Tensor:
    """A tensor of ones.

    Args:
        shape: integers; a list may mix numbers and integer tensors of shape ``()``.
        dtype: of the elements.

    >>> tf.ones([2, 2], dtype=tf.int32).numpy().tolist()
    [[1, 1], [1, 1]]
    """
    return _made(np.ones(_sizes(shape, "ones"), as_numpy_dtype(dtype)))


def zeros_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Tensor:
    """Zeros with the shape of ``input``, and its dtype unless another is asked for.

    >>> tf.zeros_like([[1, 2]], dtype=tf.float32).numpy().tolist()
    [[0.0, 0.0]]
    """
    x: Any = as_operand(input)
    return _made(np.zeros(x._array.shape, x._array.dtype if dtype is None else as_numpy_dtype(dtype)))


def ones_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Tensor:
    """Ones with the shape of ``input``, and its dtype unless another is asked for.

    >>> tf.ones_like([[1, 2]]).numpy().tolist()
    [[1, 1]]
    """
    x: Any = as_operand(input)
    return _made(np.ones(x._array.shape, x._array.dtype if dtype is None else as_numpy_dtype(dtype)))


def fill(dims: Any, value: Any, name: str | None = None, layout: Any = None) -> Any:
    """A tensor of the shape ``dims`` with ``value`` everywhere, differentiable by the value.

    Raises:
        InvalidArgumentError: the value has more than one element.

    >>> tf.fill([2, 2], 7).numpy().tolist()
    [[7, 7], [7, 7]]
    """
    x: Any = as_operand(value)
    if x._array.size != 1:
        raise InvalidArgumentError(f"fill takes a value of shape (), got shape {x._array.shape}")
    return broadcast_to_(x if not x._array.ndim else reshape_(x, shape=()), shape=_sizes(dims, "fill"))


def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = np.float32, name: str | None = None
) -> Tensor:
    """The identity matrix: ones on the main diagonal, zeros elsewhere.

    Args:
        num_rows: its number of rows.
        num_columns: its number of columns; by default that of the rows.
        batch_shape: if given, the result has shape ``(*batch_shape, num_rows, num_columns)``.
        dtype: of the elements.

    >>> tf.eye(2).numpy().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    (rows,) = _sizes(num_rows, "eye")
    (columns,) = (rows,) if num_columns is None else _sizes(num_columns, "eye")
    matrix = np.eye(rows, columns, dtype=as_numpy_dtype(dtype))
    batch = () if batch_shape is None else _sizes(batch_shape, "eye")
    return _made(np.broadcast_to(matrix, (*batch, rows, columns)))


# --- sequences -------------------------------------------------------------------------------------------------------


def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str | None = None) -> Tensor:
    """The numbers from ``start`` up to but not including ``limit``, in steps of ``delta``.

    Args:
        start: a number; with ``limit`` left out, it is the limit and the numbers start at 0.
        limit: a number.
        delta: a number other than 0; negative to count down.
        dtype: of the result; by default the widest of those of the arguments.

    Raises:
        InvalidArgumentError: ``delta`` is 0 or leads away from ``limit``, or an argument is not a single number.

    >>> tf.range(3, 18, 5).numpy().tolist()
    [3, 8, 13]
    >>> tf.range(1.0, 0.0, -0.25).numpy().tolist()
    [1.0, 0.75, 0.5, 0.25]
    """
    if limit is None:
        start, limit = 0, start
    numbers = [convert_to_tensor(n)._array for n in (start, limit, delta)]
    if any(n.ndim for n in numbers):
        raise InvalidArgumentError(f"range takes numbers, got shapes {[n.shape for n in numbers]}")
    wanted = np.result_type(*(n.dtype for n in numbers)) if dtype is None else as_numpy_dtype(dtype)
    if dtype is None and wanted == np.float64 and not any(n.dtype == np.float64 for n in numbers):
        wanted = np.dtype(np.float32)  # NumPy would widen int32 with float32, TensorFlow does not
    first, last, step = (wanted.type(n) for n in numbers)
    if step == 0:
        raise InvalidArgumentError("range: delta must not be 0")
    if first != last and (step > 0) != (last > first):
        raise InvalidArgumentError(f"range: steps of {step} do not lead from {first} to {last}")
    if wanted.kind in "iu":
        return _made(np.arange(int(first), int(last), int(step)).astype(wanted))
    # the number of steps in the arithmetic of the dtype, as in TensorFlow; the numbers more accurately
    steps = np.arange(math.ceil(abs((last - first) / step)))
    return _made((float(first) + steps * float(step)).astype(wanted))


def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Any:
    """Evenly spaced numbers from ``start`` to ``stop``, both included; differentiable by both.

    Args:
        start: floating tensor; integers are taken as float64.
        stop: likewise, of the same dtype; it broadcasts with ``start``.
        num: how many.
        axis: where the new axis of size ``num`` goes in the result.

    Raises:
        InvalidArgumentError: ``num`` is negative, or the axis is out of range.

    >>> tf.linspace(10.0, 12.0, 3).numpy().tolist()
    [10.0, 11.0, 12.0]
    """
    first, last = subtract.align((start, stop))
    if first._array.dtype.kind in "iub":
        first, last = cast(first, np.float64), cast(last, np.float64)
    (count,) = _sizes(num, "linspace")
    dtype = first._array.dtype
    distance = subtract(last, first)
    shape = distance._array.shape
    axis = normalize_axis(axis, len(shape) + 1)
    line = (count,) + (1,) * (len(shape) - axis)
    index = Tensor(np.arange(count).reshape(line).astype(dtype))
    if shape:
        first, last, distance = (expand_dims(broadcast_to_(x, shape=shape), axis) for x in (first, last, distance))
    inner = add(first, multiply(index, divide(distance, max(count - 1, 1))))
    if count < 2:
        return inner
    # the end exactly, whatever the rounding of the steps
    return where_(Tensor((np.arange(count) == count - 1).reshape(line)), last, inner)


def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = np.bool_, name: str | None = None) -> Tensor:
    """For each length ``n`` a row whose first ``n`` elements are true.

    Args:
        lengths: integer tensor of any shape.
        maxlen: the length of the rows; by default the largest of the lengths.
        dtype: of the result.

    Returns:
        A tensor of shape ``(*lengths.shape, maxlen)``.

    Raises:
        DTypeError: the lengths are not integers.

    >>> tf.sequence_mask([1, 3], 4, dtype=tf.int32).numpy().tolist()
    [[1, 0, 0, 0], [1, 1, 1, 0]]
    """
    array = convert_to_tensor(lengths)._array
    if array.size and array.dtype.kind not in "iu":
        raise DTypeError(f"sequence_mask: lengths are integers, got {array.dtype}")
    (longest,) = _sizes(max(int(array.max(initial=0)), 0) if maxlen is None else maxlen, "sequence_mask")
    mask = np.arange(longest) < np.asarray(array)[..., None]
    return _made(mask.astype(as_numpy_dtype(dtype)))


def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Any]:
    """Coordinates spread over a grid.

    Args:
        args: n tensors with one axis.
        indexing: ``"xy"``, where the first axis of the results belongs to the second tensor, as in images; or ``"ij"``,
            where it belongs to the first, as in matrices.

    Returns:
        A list of n tensors with n axes.

    Raises:
        InvalidArgumentError: a tensor has two or more axes, or ``indexing`` is unknown.

    >>> x, y = tf.meshgrid([1, 2, 3], [4, 5])
    >>> x.numpy().tolist(), y.numpy().tolist()
    ([[1, 2, 3], [1, 2, 3]], [[4, 4, 4], [5, 5, 5]])
    """
    if indexing not in ("xy", "ij"):
        raise InvalidArgumentError(f"meshgrid: indexing is 'xy' or 'ij', got {indexing!r}")
    tensors = [convert_to_tensor(x) for x in args]
    for k, x in enumerate(tensors):
        if x._array.ndim > 1:
            raise InvalidArgumentError(f"meshgrid takes tensors with one axis; number {k} has shape {x._array.shape}")
    count = len(tensors)
    order = list(range(count))
    if indexing == "xy" and count > 1:
        order[:2] = 1, 0
    shape = [0] * count
    for x, axis in zip(tensors, order):
        shape[axis] = x._array.size
    lines = [(1,) * axis + (x._array.size,) + (1,) * (count - 1 - axis) for x, axis in zip(tensors, order)]
    return [broadcast_to_(reshape_(x, shape=line), shape=tuple(shape)) for x, line in zip(tensors, lines)]
