"""Reductions over segments: rows that share an id are summed, averaged, multiplied or compared."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.dtypes import DTYPES
from wengert.arrays.shapes import Spec
from wengert.errors import DTypeError, IndexOutOfRangeError, InvalidArgumentError
from wengert.primitives.arithmetic import cast, divide, multiply, where_
from wengert.primitives.index import HOLE, getitem_, index_tensor, scatter_rows, setitem
from wengert.primitives.primitive import Primitive, primitive
from wengert.primitives.shape import reshape_
from wengert.tensor import Tensor, as_operand

__all__ = [
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
]


# --- operands --------------------------------------------------------------------------------------------------------


def _sorted_operands(operation: str, data: Any, segment_ids: Any) -> tuple[Any, Any, int]:
    """The data, the ids as a tensor, and the number of segments."""
    data = as_operand(data)
    ids = index_tensor(operation, segment_ids, "segment_ids")
    array, shape = np.asarray(ids._array), data._array.shape
    if array.ndim != 1 or shape[:1] != array.shape:
        raise InvalidArgumentError(
            f"{operation}: segment_ids must be a vector with one id for each row of data, got shape {array.shape} for "
            f"data of shape {shape}"
        )
    if not array.size:
        return data, ids, 0
    falls = array[1:] < array[:-1]
    if falls.any():
        k = int(np.argmax(falls))
        raise InvalidArgumentError(
            f"{operation}: segment_ids must not decrease, but segment_ids[{k + 1}] = {array[k + 1]} follows "
            f"{array[k]}; tf.math.unsorted_{operation} takes ids in any order"
        )
    if array[0] < 0:
        raise InvalidArgumentError(f"{operation}: segment_ids must not be negative, but segment_ids[0] = {array[0]}")
    return data, ids, int(array[-1]) + 1


def _unsorted_operands(operation: str, data: Any, segment_ids: Any, num_segments: Any) -> tuple[Any, Any, int]:
    """The rows of the data that belong to a segment, their ids (one axis), and the number of segments."""
    data = as_operand(data)
    ids = index_tensor(operation, segment_ids, "segment_ids")
    array, shape, segments = np.asarray(ids._array), data._array.shape, int(num_segments)
    if segments < 0:
        raise InvalidArgumentError(f"{operation}: num_segments must not be negative, got {segments}")
    if shape[: array.ndim] != array.shape:
        raise InvalidArgumentError(
            f"{operation}: the shape of data, {shape}, must begin with that of segment_ids, {array.shape}"
        )
    if array.size and array.max() >= segments:
        place = np.argwhere(array >= segments)[0].tolist()
        raise IndexOutOfRangeError(
            f"{operation}: segment_ids{place} = {array[tuple(place)]} is out of range [0, {segments}), the range of "
            "num_segments; negative ids leave rows out"
        )
    if array.ndim != 1:
        data = reshape_(data, shape=(array.size, *shape[array.ndim :]))
        array = array.reshape(-1)
        ids = Tensor(array)
    if array.size and array.min() < 0:
        keep = Tensor(array >= 0)
        data, ids = getitem_(data, keep, key=(HOLE,)), getitem_(ids, keep, key=(HOLE,))
    return data, ids, segments


def _counts(data: Any, ids: Any, segments: int, dtype: np.dtype[Any]) -> Any:
    """How many rows each segment has, and 1 where it has none; shaped to broadcast with the result."""
    counts = np.maximum(np.bincount(np.asarray(ids._array, np.intp), minlength=segments), 1)
    return Tensor(counts.astype(dtype).reshape((-1,) + (1,) * (data._array.ndim - 1)))


def _real(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.empty(0, dtype).real.dtype


def _ordered(operation: str, data: Any) -> None:
    if data._array.dtype.kind in "cb":
        raise DTypeError(f"{operation}: {data._array.dtype} has no order; use a real dtype")


# --- sums and means --------------------------------------------------------------------------------------------------


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The sums of the rows of each segment.

    Args:
        data: tensor of shape ``(n, ...)``.
        segment_ids: ``n`` integers from 0 up that do not decrease. There are as many segments as the last says, plus
            one.

    Returns:
        A tensor of shape ``(segments, ...)``, zero where a segment is empty.

    Raises:
        InvalidArgumentError: the ids decrease, are negative, or are not one for each row.

    >>> tf.math.segment_sum([1.0, 2.0, 3.0], [0, 0, 2]).numpy().tolist()
    [3.0, 0.0, 3.0]
    """
    data, ids, segments = _sorted_operands("segment_sum", data, segment_ids)
    return scatter_rows(data, ids, rows=segments)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The means of the rows of each segment; 0 where it is empty. Means of integers are cut to integers.

    Arguments and errors are those of :func:`segment_sum`.

    >>> tf.math.segment_mean([1.0, 2.0, 3.0], [0, 0, 2]).numpy().tolist()
    [1.5, 0.0, 3.0]
    """
    data, ids, segments = _sorted_operands("segment_mean", data, segment_ids)
    total, dtype = scatter_rows(data, ids, rows=segments), data._array.dtype
    if dtype.kind in "iu":
        return cast(divide(total, _counts(data, ids, segments, np.dtype(np.int64))), dtype)
    return divide(total, _counts(data, ids, segments, _real(dtype)))


def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The sums of the rows of each segment, in any order.

    Args:
        data: tensor of shape ``(*rows, ...)``.
        segment_ids: integers of shape ``rows``; rows with a negative id are left out.
        num_segments: the number of segments.

    Returns:
        A tensor of shape ``(num_segments, ...)``, zero where a segment is empty.

    Raises:
        IndexOutOfRangeError: an id is not less than ``num_segments``.
        InvalidArgumentError: the shapes do not fit.

    >>> tf.math.unsorted_segment_sum([1.0, 2.0, 3.0, 4.0], [2, 0, 2, -1], 3).numpy().tolist()
    [2.0, 0.0, 4.0]
    """
    data, ids, segments = _unsorted_operands("unsorted_segment_sum", data, segment_ids, num_segments)
    return scatter_rows(data, ids, rows=segments)


def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The means of the rows of each segment, in any order; 0 where it is empty.

    Arguments and errors are those of :func:`unsorted_segment_sum`.

    >>> tf.math.unsorted_segment_mean([1.0, 2.0, 3.0], [2, 0, 2], 3).numpy().tolist()
    [2.0, 0.0, 2.0]
    """
    data, ids, segments = _unsorted_operands("unsorted_segment_mean", data, segment_ids, num_segments)
    total = scatter_rows(data, ids, rows=segments)
    return divide(total, _counts(data, ids, segments, _real(data._array.dtype)))


def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The sums of the rows of each segment, divided by the square root of their number; 0 where it is empty.

    Arguments and errors are those of :func:`unsorted_segment_sum`; the data are floating or complex.

    >>> tf.math.unsorted_segment_sqrt_n([1.0, 2.0, 3.0, 4.0, 6.0], [0, 0, 0, 0, 1], 2).numpy().tolist()
    [5.0, 6.0]
    """
    data, ids, segments = _unsorted_operands("unsorted_segment_sqrt_n", data, segment_ids, num_segments)
    dtype = data._array.dtype
    if dtype.kind in "iub":
        raise DTypeError(f"unsorted_segment_sqrt_n takes floating or complex data, got {dtype}")
    total = scatter_rows(data, ids, rows=segments)
    counts = _counts(data, ids, segments, np.dtype(np.float64))
    return divide(total, Tensor(np.sqrt(counts._array).astype(_real(dtype))))


# --- products --------------------------------------------------------------------------------------------------------


def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The products of the rows of each segment; 1 where it is empty. Zeros in the data do not harm the gradient.

    Arguments and errors are those of :func:`segment_sum`.

    >>> tf.math.segment_prod([1.0, 2.0, 3.0], [0, 0, 2]).numpy().tolist()
    [2.0, 1.0, 3.0]
    """
    return _products(*_sorted_operands("segment_prod", data, segment_ids))


def unsorted_segment_prod(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The products of the rows of each segment, in any order; 1 where it is empty.

    Arguments and errors are those of :func:`unsorted_segment_sum`.

    >>> tf.math.unsorted_segment_prod([1.0, 2.0, 3.0], [2, 0, 2], 3).numpy().tolist()
    [2.0, 1.0, 3.0]
    """
    data, ids, segments = _unsorted_operands("unsorted_segment_prod", data, segment_ids, num_segments)
    array = np.asarray(ids._array)
    if (array[1:] < array[:-1]).any():
        order = np.argsort(array, kind="stable")
        data, ids = getitem_(data, Tensor(order), key=(HOLE,)), Tensor(array[order])
    return _products(data, ids, segments)


def _products(data: Any, ids: Any, segments: int) -> Any:
    """Products over segments with sorted ids, by multiplying neighbours until one row is left of each.

    Only products occur, no quotients, so derivatives of every order are exact where factors are zero.
    """
    array = np.asarray(ids._array, np.intp)
    ones = Tensor(np.ones((segments, *data._array.shape[1:]), data._array.dtype))
    while array.size > 1:
        follows = array[1:] == array[:-1]
        if not follows.any():
            break
        starts = np.flatnonzero(np.concatenate(([True], ~follows)))
        position = np.arange(array.size) - np.repeat(starts, np.diff(starts, append=array.size))
        left = np.flatnonzero(position % 2 == 0)
        paired = np.concatenate((follows, [False]))[left]
        right = getitem_(data, Tensor(left + paired), key=(HOLE,))
        if not paired.all():
            right = where_(Tensor(paired.reshape((-1,) + (1,) * (data._array.ndim - 1))), right, 1)
        data = multiply(getitem_(data, Tensor(left), key=(HOLE,)), right)
        array = array[left]
    return setitem(ones, data, Tensor(array), key=(HOLE,))


# --- extremes --------------------------------------------------------------------------------------------------------


def _segment_extreme(name: str, choose: np.ufunc, summary: str) -> Primitive:
    """The primitive that reduces rows of one id with ``choose``; ties share the gradient with total mass one."""

    def forward(xp: Any, data: Any, ids: Any, *, segments: int, empty: Any) -> Any:
        result = np.full((segments, *data.shape[1:]), empty, data.dtype)
        if ids.size:
            order = np.argsort(ids, kind="stable")
            ordered = ids[order]
            starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
            result[ordered[starts]] = choose.reduceat(data[order], starts, axis=0)
        return result

    def spec(data: Spec, ids: Spec, *, segments: int, empty: Any) -> Spec:
        return Spec((segments, *data.shape[1:]), data.dtype)

    forward.__name__, forward.__doc__ = name, summary
    rule = primitive()(forward)
    rule.vjp_of("data")(_extreme_vjp)
    rule.jvp_of("data")(_extreme_jvp)
    rule.spec(spec)
    return rule


def _ties(xp: Any, data: Any, ids: Any, out: Any, dtype: Any, segments: int) -> tuple[Any, Any]:
    """Which elements are the extreme of their segment, and how many of them each segment has."""
    chosen = data == xp.getitem(out, ids, key=(HOLE,))
    count = xp.scatter_rows(xp.cast(chosen, dtype=dtype), ids, rows=segments)
    return chosen, xp.maximum(count, xp.ones_like(count))


def _extreme_vjp(xp: Any, g: Any, data: Any, ids: Any, out: Any, segments: int) -> Any:
    chosen, count = _ties(xp, data, ids, out, g.dtype, segments)
    return xp.where(chosen, xp.getitem(g / count, ids, key=(HOLE,)), 0)


def _extreme_jvp(xp: Any, t: Any, data: Any, ids: Any, out: Any, segments: int) -> Any:
    chosen, count = _ties(xp, data, ids, out, t.dtype, segments)
    return xp.scatter_rows(xp.where(chosen, t, 0), ids, rows=segments) / count


largest_of_segments = _segment_extreme(
    "largest_of_segments", np.maximum, "The largest elements of each segment, ``empty`` where it has none."
)
smallest_of_segments = _segment_extreme(
    "smallest_of_segments", np.minimum, "The smallest elements of each segment, ``empty`` where it has none."
)


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The largest elements of each segment, along the rows; 0 where it is empty. Ties share the gradient evenly.

    Arguments and errors are those of :func:`segment_sum`; complex data raise DTypeError.

    >>> tf.math.segment_max([-1.0, -2.0, -3.0], [0, 0, 2]).numpy().tolist()
    [-1.0, 0.0, -3.0]
    """
    data, ids, segments = _sorted_operands("segment_max", data, segment_ids)
    _ordered("segment_max", data)
    return largest_of_segments(data, ids, segments=segments, empty=0)


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """The smallest elements of each segment, along the rows; 0 where it is empty. Ties share the gradient evenly.

    Arguments and errors are those of :func:`segment_sum`; complex data raise DTypeError.

    >>> tf.math.segment_min([1.0, 2.0, 3.0], [0, 0, 2]).numpy().tolist()
    [1.0, 0.0, 3.0]
    """
    data, ids, segments = _sorted_operands("segment_min", data, segment_ids)
    _ordered("segment_min", data)
    return smallest_of_segments(data, ids, segments=segments, empty=0)


def unsorted_segment_max(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The largest elements of each segment; the lowest number of the dtype where it is empty.

    Arguments and errors are those of :func:`unsorted_segment_sum`; complex data raise DTypeError.

    >>> tf.math.unsorted_segment_max([1, 2, 3, 4], [1, 0, 1, -1], 2).numpy().tolist()
    [2, 3]
    """
    data, ids, segments = _unsorted_operands("unsorted_segment_max", data, segment_ids, num_segments)
    _ordered("unsorted_segment_max", data)
    return largest_of_segments(data, ids, segments=segments, empty=DTYPES[data._array.dtype].min)


def unsorted_segment_min(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The smallest elements of each segment; the highest number of the dtype where it is empty.

    Arguments and errors are those of :func:`unsorted_segment_sum`; complex data raise DTypeError.

    >>> tf.math.unsorted_segment_min([1, 2, 3, 4], [1, 0, 1, -1], 2).numpy().tolist()
    [2, 1]
    """
    data, ids, segments = _unsorted_operands("unsorted_segment_min", data, segment_ids, num_segments)
    _ordered("unsorted_segment_min", data)
    return smallest_of_segments(data, ids, segments=segments, empty=DTYPES[data._array.dtype].max)
