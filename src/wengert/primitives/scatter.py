"""Scattering: values added, written or compared at places that tensors of indices name."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import Spec
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import add, subtract, where_
from wengert.primitives.gather import columns_of
from wengert.primitives.index import HOLE, checked_axis, fold_at, getitem_, index_tensor, putitem, setitem
from wengert.primitives.primitive import Primitive, primitive
from wengert.primitives.reduce import sum_
from wengert.primitives.shape import reshape_, static_shape
from wengert.tensor import Tensor, TensorLike, convert_to_tensor

__all__ = [
    "last_named",
    "one_hot",
    "scatter_nd",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
]


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Any:
    """Zeros of a shape, with ``updates`` added at the places in the last axis of ``indices``.

    Args:
        indices: integers of shape ``(..., k)``; each row of ``k`` names a place.
        updates: what to add: of shape ``(..., *shape[k:])``. Updates of one place are summed.
        shape: of the result.

    Raises:
        IndexOutOfRangeError: an index is negative or too large.
        InvalidArgumentError: the shapes do not fit.

    >>> tf.scatter_nd([[0], [2], [0]], [1.0, 2.0, 3.0], [4]).numpy().tolist()
    [4.0, 0.0, 2.0, 0.0]
    """
    whole = static_shape(shape)
    indices, updates = index_tensor("scatter_nd", indices), convert_to_tensor(updates)
    return _sums(updates, _places("scatter_nd", indices, updates, whole), whole)


def _sums(updates: Any, columns: tuple[Tensor, ...], shape: tuple[int, ...]) -> Any:
    """Zeros of a shape with the updates added at places that were checked."""
    if not columns:  # each update is a whole tensor
        return sum_(updates, axis=tuple(range(updates._array.ndim - len(shape))), keepdims=False)
    return putitem(updates, *columns, key=(HOLE,) * len(columns), shape=shape)


def _places(operation: str, indices: Any, updates: Any, shape: tuple[int, ...]) -> tuple[Tensor, ...]:
    """The indices of each axis; the updates' shape is checked."""
    columns = columns_of(operation, indices._array, shape)
    expected = (*indices._array.shape[:-1], *shape[len(columns) :])
    if updates._array.shape != expected:
        raise InvalidArgumentError(
            f"{operation}: indices of shape {indices._array.shape} into shape {shape} need updates of shape "
            f"{expected}, got {updates._array.shape}"
        )
    return columns


def _aligned(operation: str, tensor: Any, indices: Any, updates: Any) -> tuple[Any, Any, tuple[Tensor, ...]]:
    """The tensor and the updates in one dtype, and the indices of each axis."""
    tensor, updates = add.align((tensor, updates))
    return tensor, updates, _places(operation, index_tensor(operation, indices), updates, tensor._array.shape)


def tensor_scatter_nd_add(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """``tensor`` with ``updates`` added at the places in the last axis of ``indices``.

    Args:
        tensor: of shape ``(n_1, ..., n_k, ...)``.
        indices: integers of shape ``(..., k)``.
        updates: of shape ``(..., *tensor.shape[k:])``; updates of one place are summed.

    Raises:
        IndexOutOfRangeError: an index is negative or too large.
        InvalidArgumentError: the shapes do not fit.

    >>> tf.tensor_scatter_nd_add([1.0, 1.0, 1.0], [[0], [2], [0]], [1.0, 2.0, 3.0]).numpy().tolist()
    [5.0, 1.0, 3.0]
    """
    tensor, updates, columns = _aligned("tensor_scatter_nd_add", tensor, indices, updates)
    return add(tensor, _sums(updates, columns, tensor._array.shape))


def tensor_scatter_nd_sub(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """``tensor`` with ``updates`` subtracted at the places in the last axis of ``indices``.

    Shapes and errors are those of :func:`tensor_scatter_nd_add`.

    >>> tf.tensor_scatter_nd_sub([1.0, 1.0, 1.0], [[0], [2], [0]], [1.0, 2.0, 3.0]).numpy().tolist()
    [-3.0, 1.0, -1.0]
    """
    tensor, updates, columns = _aligned("tensor_scatter_nd_sub", tensor, indices, updates)
    return subtract(tensor, _sums(updates, columns, tensor._array.shape))


def tensor_scatter_nd_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """``tensor`` with ``updates`` written over the places in the last axis of ``indices``.

    Of updates of one place the last stays, and it alone gets a gradient. Shapes and errors are those of
    :func:`tensor_scatter_nd_add`.

    >>> tf.tensor_scatter_nd_update([1.0, 1.0, 1.0], [[0], [2], [0]], [5.0, 6.0, 7.0]).numpy().tolist()
    [7.0, 1.0, 6.0]
    """
    tensor, updates, columns = _aligned("tensor_scatter_nd_update", tensor, indices, updates)
    shape = tensor._array.shape
    if not columns:  # each update is a whole tensor
        count = math.prod(updates._array.shape[: updates._array.ndim - len(shape)])
        return getitem_(reshape_(updates, shape=(count, *shape)), key=(-1,)) if count else tensor
    sizes = shape[: len(columns)]
    places = np.ravel_multi_index(tuple(np.asarray(c._array) for c in columns), sizes)
    kept = last_named(places, math.prod(sizes))
    if kept is not None:
        keep = Tensor(kept.reshape(places.shape))
        columns = tuple(getitem_(c, keep, key=(HOLE,)) for c in columns)
        updates = getitem_(updates, keep, key=(HOLE,))
    return setitem(tensor, updates, *columns, key=(HOLE,) * len(columns))


def last_named(places: Any, size: int) -> Any:
    """Of flat places, which are the last that name theirs; None if no place is named twice."""
    flat = np.ravel(places)
    order = np.arange(flat.size)
    last = np.empty(size, np.intp)
    last[flat] = order
    kept = last[flat] == order
    return None if kept.all() else kept


# --- the extreme of a tensor and its updates -------------------------------------------------------------------------


def _scatter_extreme(name: str, choose: np.ufunc, summary: str) -> Primitive:
    """The primitive that folds updates into a tensor with ``choose``; ties share the gradient with total mass one."""

    def forward(xp: Any, x: Any, updates: Any, *indices: Any, key: tuple[Any, ...]) -> Any:
        result = np.array(x, order="C")
        fold_at(choose, result, indices, updates)
        return result

    def spec(x: Spec, updates: Spec, *indices: Spec, key: Any) -> Spec:
        return x

    forward.__name__, forward.__doc__ = name, summary
    rule = primitive(same_dtype=("x", "updates"))(forward)
    rule.vjp_of("x")(_extreme_vjp_x)
    rule.vjp_of("updates")(_extreme_vjp_updates)
    rule.jvp_of("x")(_extreme_vjp_x)
    rule.jvp_of("updates")(_extreme_jvp_updates)
    rule.spec(spec)
    return rule


def _ties(xp: Any, x: Any, updates: Any, indices: Any, out: Any, key: Any, dtype: Any) -> tuple[Any, Any, Any]:
    """Whether the tensor, and whether each update, is the extreme of its place, and how many are."""
    kept = x == out
    chosen = updates == xp.getitem(out, *indices, key=key)
    count = xp.cast(kept, dtype=dtype) + xp.putitem(xp.cast(chosen, dtype=dtype), *indices, key=key, shape=x.shape)
    return kept, chosen, xp.maximum(count, xp.ones_like(count))


def _extreme_vjp_x(xp: Any, g: Any, x: Any, updates: Any, indices: Any, out: Any, key: Any) -> Any:
    kept, _, count = _ties(xp, x, updates, indices, out, key, g.dtype)
    return xp.where(kept, g / count, 0)


def _extreme_vjp_updates(xp: Any, g: Any, x: Any, updates: Any, indices: Any, out: Any, key: Any) -> Any:
    _, chosen, count = _ties(xp, x, updates, indices, out, key, g.dtype)
    return xp.where(chosen, xp.getitem(g / count, *indices, key=key), 0)


def _extreme_jvp_updates(xp: Any, t: Any, x: Any, updates: Any, indices: Any, out: Any, key: Any) -> Any:
    _, chosen, count = _ties(xp, x, updates, indices, out, key, t.dtype)
    return xp.putitem(xp.where(chosen, t, 0), *indices, key=key, shape=x.shape) / count


scatter_max = _scatter_extreme("scatter_max", np.maximum, "``x``, or the largest update of a place where it is larger.")
scatter_min = _scatter_extreme(
    "scatter_min", np.minimum, "``x``, or the smallest update of a place where it is smaller."
)


def tensor_scatter_nd_max(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """``tensor``, with the larger of itself and the updates at the places in the last axis of ``indices``.

    Ties share the gradient evenly. Shapes and errors are those of :func:`tensor_scatter_nd_add`.

    >>> tf.tensor_scatter_nd_max([1.0, 4.0, 1.0], [[0], [1], [0]], [2.0, 3.0, 3.0]).numpy().tolist()
    [3.0, 4.0, 1.0]
    """
    return _extreme_of(scatter_max, "tensor_scatter_nd_max", tensor, indices, updates)


def tensor_scatter_nd_min(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """``tensor``, with the smaller of itself and the updates at the places in the last axis of ``indices``.

    Ties share the gradient evenly. Shapes and errors are those of :func:`tensor_scatter_nd_add`.

    >>> tf.tensor_scatter_nd_min([1.0, 4.0, 1.0], [[0], [1], [0]], [2.0, 3.0, 0.0]).numpy().tolist()
    [0.0, 3.0, 1.0]
    """
    return _extreme_of(scatter_min, "tensor_scatter_nd_min", tensor, indices, updates)


def _extreme_of(rule: Primitive, operation: str, tensor: Any, indices: Any, updates: Any) -> Any:
    tensor, updates, columns = _aligned(operation, tensor, indices, updates)
    if tensor._array.dtype.kind == "c":
        raise DTypeError(f"{operation}: complex numbers have no order, got {tensor._array.dtype}")
    if not columns:
        raise InvalidArgumentError(f"{operation}: the rows of indices are empty, and name no place")
    return rule(tensor, updates, *columns, key=(HOLE,) * len(columns))


# --- one-hot vectors -------------------------------------------------------------------------------------------------


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """A new axis of size ``depth`` that holds ``on_value`` at the index and ``off_value`` elsewhere.

    Args:
        indices: integers of any shape; one outside of ``[0, depth)`` gives ``off_value`` everywhere.
        depth: the size of the new axis.
        on_value: 1 by default.
        off_value: 0 by default.
        axis: the position of the new axis; the last by default.
        dtype: of the result; by default that of the values, or float32.

    Raises:
        DTypeError: the indices are not integers, or a value has another dtype than ``dtype``.
        InvalidArgumentError: ``depth`` is negative, or a value is no scalar.

    >>> tf.one_hot([0, 2, -1], 3).numpy().tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    >>> tf.one_hot([1], 2, on_value=5, off_value=-1).numpy().tolist()
    [[-1, 5]]
    """
    picked = np.asarray(index_tensor("one_hot", indices)._array)
    size = int(depth)
    if size < 0:
        raise InvalidArgumentError(f"one_hot: depth must not be negative, got {size}")
    at = picked.ndim if axis is None else checked_axis("one_hot", axis, picked.ndim + 1)
    kind = as_numpy_dtype(_one_hot_dtype(on_value, off_value, dtype))
    line = np.arange(size).reshape((-1,) + (1,) * (picked.ndim - at))
    hot = np.expand_dims(picked, at) == line
    if on_value is None and off_value is None:
        return Tensor(hot.astype(kind))
    try:
        on = convert_to_tensor(kind.type(1) if on_value is None else on_value, dtype=kind)
        off = convert_to_tensor(kind.type(0) if off_value is None else off_value, dtype=kind)
    except DTypeError as error:
        raise DTypeError(f"one_hot: {error.message}") from None
    if on._array.ndim or off._array.ndim:
        raise InvalidArgumentError(
            f"one_hot: on_value and off_value must be scalars, got shapes {on._array.shape} and {off._array.shape}"
        )
    return where_(Tensor(hot), on, off)


def _one_hot_dtype(on_value: Any, off_value: Any, dtype: Any) -> Any:
    """The dtype of the result; what has a dtype of its own must agree with it."""
    for name, value in (("on_value", on_value), ("off_value", off_value)):
        if isinstance(value, (TensorLike, np.ndarray, np.generic)):
            if dtype is not None and value.dtype != as_numpy_dtype(dtype):
                raise DTypeError(
                    f"one_hot: {name} has dtype {np.dtype(value.dtype)}, the result {as_numpy_dtype(dtype)}"
                )
            dtype = value.dtype
    if dtype is None:
        given = next((v for v in (on_value, off_value) if v is not None), None)
        dtype = np.float32 if given is None else convert_to_tensor(given).dtype
    return dtype
