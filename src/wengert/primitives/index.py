"""Indexing: reading from, adding to and writing to the places that a NumPy key names."""

from __future__ import annotations

import math
import operator
from typing import Any, Final

import numpy as np

from wengert.arrays.lazy import scipy_sparse
from wengert.arrays.shapes import Spec, normalize_axis
from wengert.errors import DTypeError, IndexOutOfRangeError, InvalidArgumentError
from wengert.primitives.primitive import primitive
from wengert.tensor import TENSOR_CLASSES, Tensor, TensorLike, convert_to_tensor

__all__ = [
    "HOLE",
    "all_within",
    "check_range",
    "checked_axis",
    "fold_at",
    "getitem",
    "index_tensor",
    "scatter_rows",
    "split_key",
]


class _Hole:
    """Stands in a static key for an array of indices, which is an input of the primitive."""

    def __repr__(self) -> str:
        return "array"


HOLE: Final = _Hole()
_ALL: Final = slice(None)
#: up to so many elements ``np.add.at`` is quickest as it is, up to so many by flat places, beyond by a sparse matrix
_VERY_FEW: Final = 256
_FEW: Final = 8192
#: the unsigned integer type of each size in bytes: seen as such, negative indices are too large
_UNSIGNED: Final = {n: np.dtype(f"u{n}") for n in (1, 2, 4, 8)}


def _filled(key: tuple[Any, ...], arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    if not arrays:
        return key
    remaining = iter(arrays)
    return tuple(next(remaining) if k is HOLE else k for k in key)


# --- the primitives --------------------------------------------------------------------------------------------------


@primitive(linear=("x",), moves=True)
def getitem_(xp: Any, x: Any, *indices: Any, key: tuple[Any, ...]) -> Any:
    """NumPy's basic and advanced indexing."""
    return x[_filled(key, indices)]


@getitem_.vjp_of("x")
def _getitem_vjp(xp: Any, g: Any, indices: Any, x_shape: Any, key: Any) -> Any:
    return xp.putitem(g, *indices, key=key, shape=x_shape)


@getitem_.spec
def _getitem_spec(x: Spec, *indices: Spec, key: Any) -> Spec:
    if any(i.dtype.kind == "b" for i in indices):
        raise InvalidArgumentError("the shape of x[mask] depends on how many elements of the mask are true")
    probe = np.broadcast_to(np.zeros((), x.dtype), x.shape)
    # indices of 0 fit every axis but an empty one, which only empty arrays of indices read
    return Spec(probe[_filled(key, tuple(np.zeros(i.shape, i.dtype) for i in indices))].shape, x.dtype)


@primitive(linear=("x",))
def putitem(xp: Any, x: Any, *indices: Any, key: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, with ``x`` added where indexing reads: the transpose of ``getitem``."""
    if all(i.dtype.kind == "b" for i in indices):  # slices and masks name no place twice
        result = np.zeros(shape, x.dtype)
        result[_filled(key, indices)] = x
        return result
    return _sums_at(shape, _filled(key, indices), x)


putitem.vjp_of("x")(lambda xp, g, indices, key: xp.getitem(g, *indices, key=key))


@putitem.spec
def _putitem_spec(x: Spec, *indices: Spec, key: Any, shape: tuple[int, ...]) -> Spec:
    return Spec(tuple(shape), x.dtype)


@primitive(same_dtype=("x", "values"), moves=True)
def setitem(xp: Any, x: Any, values: Any, *indices: Any, key: tuple[Any, ...]) -> Any:
    """``x`` with ``values`` (shaped as ``x[key]``) written where indexing reads, which may name no place twice."""
    result = np.array(x)
    result[_filled(key, indices)] = values
    return result


@setitem.vjp_of("x")
def _setitem_vjp_x(xp: Any, g: Any, indices: Any, values_shape: Any, key: Any) -> Any:
    return xp.setitem(g, xp.zeros(values_shape, g.dtype), *indices, key=key)


@setitem.vjp_of("values")
def _setitem_vjp_values(xp: Any, g: Any, indices: Any, key: Any) -> Any:
    return xp.getitem(g, *indices, key=key)


@setitem.jvp_of("x")
def _setitem_jvp_x(xp: Any, t: Any, indices: Any, values_shape: Any, key: Any) -> Any:
    return xp.setitem(t, xp.zeros(values_shape, t.dtype), *indices, key=key)


@setitem.jvp_of("values")
def _setitem_jvp_values(xp: Any, t: Any, indices: Any, x_shape: Any, key: Any) -> Any:
    return xp.putitem(t, *indices, key=key, shape=x_shape)


@setitem.spec
def _setitem_spec(x: Spec, values: Spec, *indices: Spec, key: Any) -> Spec:
    return x


@primitive(linear=("values",))
def scatter_rows(xp: Any, values: Any, indices: Any, *, rows: int) -> Any:
    """An array of ``rows`` rows, zero but for ``values`` added at ``indices``."""
    return _sums_at((rows, *values.shape[indices.ndim :]), (indices,), values)


scatter_rows.vjp(lambda xp, g, indices: g[indices], None)


@scatter_rows.spec
def _scatter_rows_spec(values: Spec, indices: Spec, *, rows: int) -> Spec:
    return Spec((rows, *values.shape[indices.ndim :]), values.dtype)


# --- adding at places that may be named more than once ---------------------------------------------------------------


def _sums_at(shape: tuple[int, ...], key: tuple[Any, ...], x: Any) -> Any:
    """Zeros of a shape with ``x`` added at the places of a key: ``np.add.at``, which is slow beyond one axis."""
    if x.size <= _VERY_FEW:
        result = np.zeros(shape, x.dtype)
        np.add.at(result, key, x)
        return result
    axis = _only_axis(key, len(shape))
    if axis is not None:
        index = next(k for k in key if isinstance(k, (np.ndarray, np.integer)))
        before, rows, after = math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])
        return _row_sums(before, rows, after, _plain_index(index), x).reshape(shape)
    if all(isinstance(k, (np.ndarray, np.integer)) and k.dtype.kind != "b" for k in key):
        width = math.prod(shape[len(key) :])
        places = np.ravel_multi_index(tuple(map(_plain_index, key)), shape[: len(key)], mode="wrap")
        return _row_sums(1, math.prod(shape[: len(key)]), width, places, x).reshape(shape)
    places = np.arange(math.prod(shape)).reshape(shape)[key]
    return _row_sums(1, math.prod(shape), 1, places, x).reshape(shape)


def _plain_index(index: Any) -> Any:
    return np.asarray(index, np.intp)


def _only_axis(key: tuple[Any, ...], ndim: int) -> int | None:
    """The axis that the key indexes, if it is one array of integers among full slices, such as ``x[:, i]``."""
    axis, dots = None, False
    for place, k in enumerate(key):
        if k is Ellipsis:
            dots = True
        elif isinstance(k, (np.ndarray, np.integer)) and k.dtype.kind != "b" and axis is None:
            axis = place - len(key) + ndim if dots else place
        elif k.__class__ is not slice or k != _ALL:
            return None
    return axis


def _row_sums(before: int, rows: int, after: int, index: Any, x: Any) -> Any:
    """Zeros of shape ``(before, rows, after)``, with ``x`` of shape ``(before, n, after)`` added at ``n`` rows."""
    index = index.reshape(-1)
    result = np.zeros((before, rows, after), x.dtype)
    if before == after == 1:
        np.add.at(result.reshape(-1), index, x.reshape(-1))
        return result
    x = x.reshape(before, index.size, after)
    order = np.arange(index.size)
    last = np.empty(rows, np.intp)
    last[index] = order
    if (last[index] == order).all():  # no row is named twice
        result[:, index] = x
        return result
    index = np.where(index < 0, index + rows, index)
    if x.size < _FEW or x.dtype.kind not in "fc":
        places = (np.arange(before)[:, None] * rows + index)[..., None] * after + np.arange(after)
        np.add.at(result.reshape(-1), places.reshape(-1), x.reshape(-1))
        return result
    # the product with a matrix that has one 1 in each column adds whole rows, in order; of complex numbers the parts
    # are added, since the product of 1 + 0j with infinity is NaN
    parts = np.ascontiguousarray(x).view(x.real.dtype)
    matrix = scipy_sparse.csc_array(
        (np.ones(index.size, parts.dtype), index, np.arange(index.size + 1)), shape=(rows, index.size)
    )
    moved = matrix @ parts.transpose(1, 0, 2).reshape(index.size, -1)
    return np.ascontiguousarray(moved.reshape(rows, before, -1).transpose(1, 0, 2)).view(x.dtype)


def fold_at(combine: np.ufunc, array: Any, indices: tuple[Any, ...], updates: Any) -> None:
    """``combine.at(array, indices, updates)`` on a contiguous array, by flat places: along one axis NumPy is fast."""
    if not array.size:
        return
    width = math.prod(array.shape[len(indices) :])
    places = np.ravel_multi_index(tuple(map(_plain_index, indices)), array.shape[: len(indices)])
    flat = places.reshape(-1, 1) * width + np.arange(width)
    combine.at(
        array.reshape(-1),
        flat.reshape(-1),
        np.broadcast_to(updates, (*places.shape, *array.shape[len(indices) :])).reshape(-1),
    )


# --- keys ------------------------------------------------------------------------------------------------------------


def getitem(x: Any, key: Any) -> Any:
    """``x[key]`` with all of NumPy's basic and advanced indexing; ``tf.newaxis`` adds an axis.

    The parts of the key are integers, slices, ``None``, ``...``, and arrays, (nested) lists or tensors of integers or
    of booleans. The gradient adds up what was read more than once.

    Raises:
        IndexOutOfRangeError: an index lies outside its axis, or there are too many.
        DTypeError: an index is neither an integer nor a boolean.

    >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> x[:, 1].numpy().tolist(), x[[1, 1]].numpy().tolist(), x[x > 1.5].numpy().tolist()
    ([2.0, 4.0], [[3.0, 4.0], [3.0, 4.0]], [2.0, 3.0, 4.0])
    """
    if x.__class__ not in TENSOR_CLASSES:
        x = convert_to_tensor(x)
    if key.__class__ is int:
        return getitem_(x, key=(key,))
    static, arrays = split_key(key)
    return getitem_(x, *arrays, key=static)


def split_key(key: Any) -> tuple[tuple[Any, ...], list[Any]]:
    """A key as what is static in it, and the tensors of indices that belong into the static part's holes."""
    static: list[Any] = []
    arrays: list[Any] = []
    for part in key if key.__class__ is tuple else (key,):
        kind = part.__class__
        if kind is int or part is None or part is Ellipsis:
            static.append(part)
        elif kind is slice:
            static.append(_static_slice(part))
        elif isinstance(part, (TensorLike, np.ndarray, list, tuple, range)):
            index = part if isinstance(part, TensorLike) else Tensor(_index_array(part))
            array = index._array
            if array.dtype.kind not in "iub":
                raise DTypeError(_not_an_index(f"one of {array.dtype}{list(array.shape)}"))
            if array.ndim:
                static.append(HOLE)
                arrays.append(index)
            else:
                static.append(array.item())
        elif isinstance(part, (bool, np.bool_)):
            static.append(bool(part))
        else:
            static.append(_static_integer(part))
    return tuple(static), arrays


def _static_slice(part: slice) -> slice:
    start, stop, step = part.start, part.stop, part.step
    for bound in (start, stop, step):
        if bound is not None and bound.__class__ is not int:
            return slice(*(None if b is None else _static_integer(b) for b in (start, stop, step)))
    return part


def _static_integer(part: Any) -> int:
    try:
        return operator.index(part)
    except TypeError:
        raise DTypeError(_not_an_index(repr(part))) from None


def _not_an_index(found: str) -> str:
    return (
        "getitem: an index is an integer, a slice, None, ... or an array (list, tensor) of integers or booleans, "
        f"not {found}"
    )


def _index_array(part: Any) -> Any:
    """A list, array or range, possibly with tensors in it, as an array; an empty list holds no integers."""
    if isinstance(part, (list, tuple)):
        part = [_without_tensors(p) for p in part]
    try:
        array = np.asarray(part)
    except ValueError as error:
        raise InvalidArgumentError(f"getitem: a list of indices has parts of unequal lengths ({error})") from None
    return array.astype(np.intp) if not array.size and isinstance(part, (list, tuple)) else array


def _without_tensors(part: Any) -> Any:
    if isinstance(part, (list, tuple)):
        return [_without_tensors(p) for p in part]
    return part._array if isinstance(part, TensorLike) else part


# --- checks that operations with indices share -----------------------------------------------------------------------


def index_tensor(operation: str, indices: Any, name: str = "indices") -> Any:
    """``indices`` as a tensor of integers; an empty list is one.

    Raises:
        DTypeError: they are not integers.
    """
    if indices.__class__ not in TENSOR_CLASSES:
        indices = convert_to_tensor(indices)
        if not indices._array.size and indices._array.dtype.kind == "f":
            indices = Tensor(indices._array.astype(np.int32))
    if indices._array.dtype.kind not in "iu":
        raise DTypeError(f"{operation}: {name} must be integers, got {indices._array.dtype}; convert them with tf.cast")
    return indices


def checked_axis(operation: str, axis: Any, ndim: int) -> int:
    """``axis`` counted from the front; the error names the operation."""
    try:
        return normalize_axis(axis, ndim)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{operation}: {error.message}") from None


def all_within(indices: Any, size: int) -> bool:
    """Whether the integers, an array or NumPy's scalar, all lie in ``[0, size)``."""
    return not indices.size or bool(indices.view(_UNSIGNED[indices.itemsize]).max() < size)


def check_range(operation: str, indices: Any, size: int, where: str, name: str = "indices") -> None:
    """Raise unless the array of indices lies in ``[0, size)``, as TensorFlow does on a CPU.

    Raises:
        IndexOutOfRangeError: naming the first index that does not.
    """
    if all_within(indices, size):
        return
    indices = np.asarray(indices)
    place = tuple(np.argwhere((indices < 0) | (indices >= size))[0].tolist())
    raise IndexOutOfRangeError(
        f"{operation}: {name}{list(place) if place else ''} = {int(indices[place])} is not in [0, {size}), {where}"
    )
