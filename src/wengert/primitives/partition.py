"""Partitions: rows dealt out to several tensors and put together again, and indices turned into coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.errors import InvalidArgumentError
from wengert.primitives.gather import boolean_mask
from wengert.primitives.index import HOLE, check_range, getitem_, index_tensor, putitem
from wengert.primitives.join import concat, concat_
from wengert.primitives.scatter import last_named
from wengert.primitives.shape import reshape_, static_shape
from wengert.tensor import Tensor, convert_to_tensor

__all__ = ["dynamic_partition", "dynamic_stitch", "invert_permutation", "unravel_index"]


def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> list[Any]:
    """The rows of ``data`` dealt out to ``num_partitions`` tensors.

    Args:
        data: tensor of shape ``(*rows, ...)``.
        partitions: integers of shape ``rows``: the number of the tensor that each row goes to.
        num_partitions: how many tensors.

    Returns:
        A list of tensors of shape ``(rows_of_it, ...)``, each in the order of ``data``.

    Raises:
        IndexOutOfRangeError: a partition is not in ``[0, num_partitions)``.
        InvalidArgumentError: the shapes do not fit.

    >>> [part.numpy().tolist() for part in tf.dynamic_partition([10, 20, 30], [1, 0, 1], 2)]
    [[20], [10, 30]]
    """
    data, partitions = convert_to_tensor(data), index_tensor("dynamic_partition", partitions, "partitions")
    numbers, count = np.asarray(partitions._array), int(num_partitions)
    if count < 1:
        raise InvalidArgumentError(f"dynamic_partition: num_partitions must be at least 1, got {count}")
    if data._array.shape[: numbers.ndim] != numbers.shape:
        raise InvalidArgumentError(
            f"dynamic_partition: the shape of data, {data._array.shape}, must begin with that of partitions, "
            f"{numbers.shape}"
        )
    check_range("dynamic_partition", numbers, count, "the range of num_partitions", "partitions")
    if not numbers.ndim:
        data, numbers = reshape_(data, shape=(1, *data._array.shape)), numbers.reshape(1)
    return [boolean_mask(data, Tensor(numbers == k)) for k in range(count)]


def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Any:
    """Rows of several tensors put together: row ``indices[m][i]`` of the result is ``data[m][i]``.

    Args:
        indices: list of tensors of integers, of any shapes.
        data: list of tensors of shapes ``(*indices[m].shape, ...)``, the same after the indices' axes.

    Returns:
        A tensor with as many rows as the largest index says, plus one. Of rows named twice the last stays, and it alone
        gets a gradient; rows that are not named are zero.

    Raises:
        InvalidArgumentError: the lists are empty or differ in length, the shapes do not fit, or an index is negative.

    >>> tf.dynamic_stitch([[0, 2], [1]], [[10, 30], [20]]).numpy().tolist()
    [10, 20, 30]
    """
    places = [index_tensor("dynamic_stitch", i) for i in indices]
    parts = concat_.align(tuple(data))
    if not places or len(places) != len(parts):
        raise InvalidArgumentError(
            f"dynamic_stitch: indices and data must be lists of one length, got {len(places)} and {len(parts)}"
        )
    rows = [p._array.shape[i._array.ndim :] for i, p in zip(places, parts)]
    for i, p, row in zip(places, parts, rows):
        if p._array.shape[: i._array.ndim] != i._array.shape or row != rows[0]:
            raise InvalidArgumentError(
                f"dynamic_stitch: data of shape {p._array.shape} does not fit indices of shape {i._array.shape} and "
                f"rows of shape {rows[0]}"
            )
        if i._array.size and np.min(i._array) < 0:
            raise InvalidArgumentError(f"dynamic_stitch: indices must not be negative, got {np.min(i._array)}")
    flat = np.concatenate([np.reshape(i._array, -1).astype(np.intp) for i in places])
    joined = concat([reshape_(p, shape=(i._array.size, *row)) for i, p, row in zip(places, parts, rows)], axis=0)
    size = int(flat.max()) + 1 if flat.size else 0
    kept = last_named(flat, size)
    if kept is not None:
        flat, joined = flat[kept], getitem_(joined, Tensor(kept), key=(HOLE,))
    return putitem(joined, Tensor(flat), key=(HOLE,), shape=(size, *rows[0]))


def invert_permutation(x: Any, name: str | None = None) -> Tensor:
    """The permutation that undoes the permutation ``x`` of ``0 ... n - 1``.

    Raises:
        InvalidArgumentError: ``x`` is no permutation.

    >>> tf.math.invert_permutation([2, 0, 1]).numpy().tolist()
    [1, 2, 0]
    """
    permutation = np.asarray(index_tensor("invert_permutation", x, "x")._array)
    if permutation.ndim != 1 or not np.array_equal(np.sort(permutation), np.arange(permutation.size)):
        raise InvalidArgumentError(f"invert_permutation: {permutation.tolist()} is no permutation of 0 ... n - 1")
    return Tensor(np.argsort(permutation).astype(permutation.dtype))


def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Tensor:
    """The coordinates, in an array of shape ``dims``, of the elements with these flat indices.

    Returns:
        A tensor of shape ``(len(dims), *indices.shape)`` with the dtype of the indices.

    Raises:
        IndexOutOfRangeError: an index is negative or too large.

    >>> tf.unravel_index([2, 5, 7], [3, 3]).numpy().tolist()
    [[0, 1, 2], [2, 2, 1]]
    """
    flat = np.asarray(index_tensor("unravel_index", indices)._array)
    shape = static_shape(dims)
    check_range("unravel_index", flat, int(np.prod(shape)), f"the number of elements of shape {shape}")
    return Tensor(np.stack(np.unravel_index(flat, shape)).astype(flat.dtype))
