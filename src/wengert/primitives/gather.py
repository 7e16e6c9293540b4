"""Gathering: rows, elements and lines picked by tensors of indices or by masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec
from wengert.errors import DTypeError, IndexOutOfRangeError, InvalidArgumentError
from wengert.primitives.arithmetic import where_
from wengert.primitives.index import HOLE, all_within, check_range, checked_axis, getitem_, index_tensor
from wengert.primitives.join import concat
from wengert.primitives.primitive import primitive
from wengert.primitives.reduce import sum_
from wengert.primitives.shape import broadcast_to_, reshape_, transpose_
from wengert.tensor import Tensor, as_operand, convert_to_tensor

__all__ = ["boolean_mask", "embedding_lookup", "gather", "gather_nd", "take_along_axis"]

_ALL = slice(None)


@primitive(linear=("x",), moves=True)
def gather_(xp: Any, x: Any, indices: Any, *, axis: int) -> Any:
    """The slices of ``x`` along an axis that ``indices`` names; along the first, the gradient comes as rows."""
    return x.take(indices, axis=0) if axis == 0 and x.ndim > 1 else x[(_ALL,) * axis + (indices,)]


@gather_.vjp_of("x")
def _gather_vjp(xp: Any, g: Any, indices: Any, x_shape: Any, axis: Any) -> Any:
    return xp.putitem(g, indices, key=(_ALL,) * axis + (HOLE,), shape=x_shape)


@gather_.sparse_vjp
def _gather_sparse_vjp(xp: Any, g: Any, indices: Any, x_shape: Any, axis: Any) -> Any:
    if axis:
        return None
    return xp.reshape(g, (indices.size, *x_shape[1:])), xp.reshape(indices, (indices.size,))


@gather_.spec
def _gather_spec(x: Spec, indices: Spec, *, axis: int) -> Spec:
    return Spec((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]), x.dtype)


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: Any = 0,
    name: str | None = None,
) -> Any:
    """The slices of ``params`` along an axis that ``indices`` names.

    Args:
        params: tensor of shape ``(*batch, ..., n, ...)``.
        indices: integers from 0 to ``n - 1`` of any shape, after the same ``batch`` axes.
        validate_indices: ignored; indices are always checked.
        axis: the axis to pick from; by default the first that is no batch axis.
        batch_dims: the number of leading axes that ``params`` and ``indices`` share; negative ones count from the end
            of the indices' axes.

    Returns:
        A tensor in which the axes of ``indices`` (but for the batch's) stand in the place of ``axis``. The gradient by
        a Variable or watched tensor comes as :class:`IndexedSlices` when the axis is the first.

    Raises:
        IndexOutOfRangeError: an index is negative or too large.
        InvalidArgumentError: ``axis`` or ``batch_dims`` do not fit, or the batch shapes differ.
        DTypeError: the indices are not integers.

    >>> table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.gather(table, [1, 0, 1]).numpy().tolist()
    [[3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]
    >>> tf.gather(table, [[1], [0]], batch_dims=1).numpy().tolist()
    [[2.0], [3.0]]
    """
    x: Any = as_operand(params)
    indices = index_tensor("gather", indices)
    shape, picked = x._array.shape, indices._array
    if not batch_dims and (axis is None or axis == 0) and shape:
        check_range("gather", picked, shape[0], f"the range of axis 0 of params of shape {shape}")
        return gather_(x, indices, axis=0)
    batch = int(batch_dims) + picked.ndim if batch_dims < 0 else int(batch_dims)
    if not 0 <= batch <= min(picked.ndim, len(shape)):
        raise InvalidArgumentError(
            f"gather: batch_dims {batch_dims} does not fit params of shape {shape} and indices of shape {picked.shape}"
        )
    at = checked_axis("gather", batch if axis is None else axis, len(shape))
    if at < batch:
        raise InvalidArgumentError(f"gather: axis {at} is one of the batch_dims {batch}")
    if shape[:batch] != picked.shape[:batch]:
        raise InvalidArgumentError(
            f"gather: with batch_dims {batch}, params of shape {shape} and indices of shape {picked.shape} "
            "must begin with the same sizes"
        )
    check_range("gather", picked, shape[at], f"the range of axis {at} of params of shape {shape}")
    if not batch:
        return gather_(x, indices, axis=at)
    ndim, extra = len(shape), picked.ndim - batch
    if at > batch:
        x = transpose_(x, axes=(*range(batch), at, *range(batch, at), *range(at + 1, ndim)))
    result = getitem_(x, *_batch_indices(picked.shape, batch), indices, key=(HOLE,) * (batch + 1))
    if at > batch and extra:  # (batch, picked, outer, inner) -> (batch, outer, picked, inner)
        outer = range(batch + extra, at + extra)
        result = transpose_(
            result, axes=(*range(batch), *outer, *range(batch, batch + extra), *range(at + extra, ndim + extra - 1))
        )
    return result


def _batch_indices(shape: tuple[int, ...], batch: int) -> tuple[Tensor, ...]:
    """Indices of the leading ``batch`` axes, shaped to broadcast with an array of ``shape``."""
    return tuple(Tensor(np.arange(shape[k]).reshape((-1,) + (1,) * (len(shape) - k - 1))) for k in range(batch))


def gather_nd(params: Any, indices: Any, batch_dims: Any = 0, name: str | None = None) -> Any:
    """The elements or slices of ``params`` at the places in the last axis of ``indices``.

    Args:
        params: tensor of shape ``(*batch, n_1, ..., n_k, ...)``.
        indices: integers of shape ``(*batch, ..., k)``; each row of ``k`` names a place.
        batch_dims: the number of leading axes that ``params`` and ``indices`` share.

    Raises:
        IndexOutOfRangeError: an index is negative or too large.
        InvalidArgumentError: the rows are longer than ``params`` has axes, or the batch shapes differ.
        DTypeError: the indices are not integers.

    >>> tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy().tolist()
    [2, 3]
    >>> tf.gather_nd([[1, 2], [3, 4]], [[1]]).numpy().tolist()
    [[3, 4]]
    """
    x: Any = as_operand(params)
    indices = index_tensor("gather_nd", indices)
    shape, picked, batch = x._array.shape, indices._array, int(batch_dims)
    if not 0 <= batch < max(picked.ndim, 1) or shape[:batch] != picked.shape[:batch]:
        raise InvalidArgumentError(
            f"gather_nd: batch_dims {batch_dims} does not fit params of shape {shape} and indices of shape "
            f"{picked.shape}"
        )
    columns = columns_of("gather_nd", picked, shape, batch)
    if not columns:
        whole = (*picked.shape[:-1], *shape[batch:])
        x = reshape_(x, shape=(*shape[:batch], *(1,) * (picked.ndim - 1 - batch), *shape[batch:]))
        return broadcast_to_(x, shape=whole)
    if len(columns) == 1 and picked.ndim == 2:
        return gather_(x, columns[0], axis=0)
    return getitem_(x, *_batch_indices(picked.shape[:-1], batch), *columns, key=(HOLE,) * (batch + len(columns)))


def columns_of(operation: str, indices: Any, shape: tuple[int, ...], batch: int = 0) -> tuple[Tensor, ...]:
    """The indices of each axis from rows of indices, checked against the shape that they index."""
    if not indices.ndim or indices.shape[-1] > len(shape) - batch:
        raise InvalidArgumentError(
            f"{operation}: indices of shape {indices.shape} have more entries in a row than there are axes to index "
            f"in shape {shape[batch:]}"
            if indices.ndim
            else f"{operation}: indices must have at least one axis, whose entries name one place"
        )
    columns = [indices[..., k] for k in range(indices.shape[-1])]
    for column, size in zip(columns, shape[batch:]):
        if not all_within(column, size):
            row = tuple(np.argwhere((column < 0) | (column >= size))[0].tolist())
            raise IndexOutOfRangeError(
                f"{operation}: indices{list(row) if row else ''} = {indices[row].tolist()} does not index into "
                f"shape {shape[batch:]}"
            )
    return tuple(map(Tensor, columns))


def embedding_lookup(params: Any, ids: Any, max_norm: float | None = None, name: str | None = None) -> Any:
    """The rows of an embedding table that ``ids`` names.

    Args:
        params: the table, of shape ``(rows, ...)``; or a list of tables that are joined in order (what TensorFlow calls
            the "div" strategy).
        ids: integers of any shape.
        max_norm: rows with a larger Euclidean norm are scaled down to it.

    Returns:
        A tensor of shape ``(*ids.shape, ...)``. The gradient by the table comes as :class:`IndexedSlices`.

    Raises:
        IndexOutOfRangeError: an id is negative or too large.
        InvalidArgumentError: the list of tables is empty.

    >>> table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.nn.embedding_lookup(table, [[0], [1]], max_norm=2.5).numpy().tolist()
    [[[1.0, 2.0]], [[1.5, 2.0]]]
    """
    if isinstance(params, (list, tuple)):
        if not params:
            raise InvalidArgumentError("embedding_lookup needs at least one table, got an empty list")
        params = params[0] if len(params) == 1 else concat(params, axis=0)
    ids = index_tensor("embedding_lookup", ids, "ids")
    table: Any = as_operand(params)
    shape = table._array.shape
    if not shape:
        raise InvalidArgumentError("embedding_lookup: a table of shape () has no rows")
    check_range("embedding_lookup", ids._array, shape[0], f"the rows of a table of shape {shape}", "ids")
    rows = gather_(table, ids, axis=0)
    if max_norm is None:
        return rows
    axes = tuple(range(ids._array.ndim, rows._array.ndim))
    squared = sum_(rows * rows, axis=axes, keepdims=True)
    large = squared > max_norm**2
    return rows * where_(large, max_norm / where_(large, squared, 1.0) ** 0.5, 1.0)


def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Any:
    """The slices of a tensor at which a mask is true.

    Args:
        tensor: of shape ``(n_1, ..., n_k, ...)``.
        mask: boolean, of shape ``(n_1, ..., n_k)``; at least one axis.
        axis: the first axis of the tensor that belongs to the mask, instead of 0.

    Returns:
        A tensor in which one axis, as long as the mask has true elements, stands for the axes of the mask.

    Raises:
        InvalidArgumentError: the mask has no axis, or its shape is not that of the tensor's axes.

    >>> tf.boolean_mask([[1, 2], [3, 4]], [True, False]).numpy().tolist()
    [[1, 2]]
    >>> tf.boolean_mask([[1, 2], [3, 4]], [True, False], axis=1).numpy().tolist()
    [[1], [3]]
    """
    x: Any = as_operand(tensor)
    mask = convert_to_tensor(mask)
    truth, shape = np.asarray(mask._array), x._array.shape
    if truth.dtype.kind not in "biu":
        raise DTypeError(f"boolean_mask: the mask must be boolean, got {truth.dtype}")
    if not truth.ndim:
        raise InvalidArgumentError("boolean_mask: the mask cannot be scalar")
    at = 0 if axis is None else checked_axis("boolean_mask", axis, len(shape))
    if shape[at : at + truth.ndim] != truth.shape:
        raise InvalidArgumentError(
            f"boolean_mask: a mask of shape {truth.shape} does not fit axis {at} and following of shape {shape}"
        )
    return getitem_(x, Tensor(truth.astype(bool)), key=(_ALL,) * at + (HOLE,))


def take_along_axis(x: Any, indices: Any, axis: int) -> Any:
    """``x[..., indices[..., k, ...], ...]``: along one axis, each line is picked from by its own line of indices.

    Args:
        x: tensor.
        indices: integers (negative ones count from the end) with as many axes as ``x``; the axes other than ``axis``
            broadcast.
        axis: not negative.

    Raises:
        IndexOutOfRangeError: an index lies outside the axis.
        InvalidArgumentError: the numbers of axes differ, or the other axes do not broadcast.
    """
    indices = index_tensor("take_along_axis", indices)
    shape, picked = x._array.shape, indices._array.shape
    if len(shape) != len(picked) or any(
        n != m and 1 not in (n, m) for k, (n, m) in enumerate(zip(shape, picked)) if k != axis
    ):
        raise InvalidArgumentError(
            f"take_along_axis: indices of shape {picked} do not fit shape {shape}: but for axis {axis}, sizes must be "
            "equal or 1"
        )
    if any(n == 1 != m for k, (n, m) in enumerate(zip(shape, picked)) if k != axis):
        wide = tuple(n if k == axis else max(n, m) if m else 0 for k, (n, m) in enumerate(zip(shape, picked)))
        x, shape = broadcast_to_(x, shape=wide), wide
    lines = tuple(
        indices if k == axis else Tensor(np.arange(n).reshape((-1,) + (1,) * (len(shape) - k - 1)))
        for k, n in enumerate(shape)
    )
    return getitem_(x, *lines, key=(HOLE,) * len(shape))
