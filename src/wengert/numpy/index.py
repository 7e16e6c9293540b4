"""Indexing and selection under NumPy's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import broadcast_shapes, normalize_axis
from wengert.errors import IndexOutOfRangeError, InvalidArgumentError, UnimplementedError
from wengert.numpy.basic import where
from wengert.numpy.dispatch import implements, method
from wengert.primitives import gather as gather_module
from wengert.primitives.index import HOLE, getitem_, index_tensor
from wengert.primitives.partition import unravel_index as unravelled
from wengert.primitives.shape import broadcast_to_, reshape_
from wengert.tensor import Tensor, as_operand, convert_to_tensor

__all__: list[str] = []


def _flat(x: Any) -> Any:
    return reshape_(x, shape=(x._array.size,))


def _refuse_out(function: str, out: Any) -> None:
    if out is not None:
        raise UnimplementedError(
            f"np.{function}(..., out=): what is written into an array is not recorded; use the returned tensor"
        )


@implements(np.take)
@method("take")
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    """The slices along an axis (of the flat tensor, without one) that ``indices`` names.

    ``mode`` says what happens to indices outside: ``"raise"``, ``"wrap"`` (around) or ``"clip"`` (to the range).
    """
    _refuse_out("take", out)
    a, indices = as_operand(a), index_tensor("take", indices)
    if axis is None:
        a, axis = _flat(a), 0
    axis = normalize_axis(axis, a._array.ndim)
    picked = _within("take", indices._array, a._array.shape[axis], mode, f"axis {axis}")
    return getitem_(a, Tensor(picked), key=(slice(None),) * axis + (HOLE,))


def _within(operation: str, indices: Any, size: int, mode: str, what: str) -> Any:
    """The indices brought into ``[0, size)`` by NumPy's mode."""
    indices = np.asarray(indices, np.intp)
    if mode == "raise":
        outside = (indices < -size) | (indices >= size)
        if outside.any():
            raise IndexOutOfRangeError(
                f"{operation}: index {indices[outside].flat[0]} is out of range for {what} of size {size}"
            )
        return np.where(indices < 0, indices + size, indices)
    if mode not in ("wrap", "clip"):
        raise InvalidArgumentError(f'{operation}: mode must be "raise", "wrap" or "clip", got {mode!r}')
    if indices.size and not size:
        raise IndexOutOfRangeError(f"{operation}: {what} is empty, so there is nothing to take from it")
    return indices % size if mode == "wrap" else np.clip(indices, 0, size - 1)


@implements(np.take_along_axis)
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    """Elements along an axis, each line picked from by its own line of indices."""
    arr = as_operand(arr)
    if axis is None:
        arr, axis = _flat(arr), 0
    return gather_module.take_along_axis(arr, indices, normalize_axis(axis, arr._array.ndim))


def _truth(condition: Any) -> Any:
    return np.asarray(as_operand(condition)._array).astype(bool)


@implements(np.compress)
def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    """The slices along an axis (of the flat tensor, without one) at which the condition, one-dimensional, holds."""
    _refuse_out("compress", out)
    truth = _truth(condition)
    if truth.ndim != 1:
        raise InvalidArgumentError(f"compress: the condition must have one axis, got shape {truth.shape}")
    return take(a, np.flatnonzero(truth), axis)


@method("compress")
def _compress_method(self: Any, condition: Any, axis: Any = None, out: Any = None) -> Any:
    return compress(condition, self, axis, out)


@implements(np.extract)
def extract(condition: Any, arr: Any) -> Any:
    """The elements at which the condition holds, both seen flat."""
    return compress(_truth(condition).ravel(), arr)


@implements(np.choose)
def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """Each element from the choice (of tensors that broadcast) whose number ``a`` has there."""
    _refuse_out("choose", out)
    number = index_tensor("choose", a, "a")._array
    options = [as_operand(c) for c in choices]
    if mode == "raise" and np.size(number) and np.min(number) < 0:
        raise IndexOutOfRangeError(f"choose: {np.min(number)} is no number of one of the {len(options)} choices")
    number = _within("choose", number, len(options), mode, "the choices")
    result = options[0]
    for k, option in enumerate(options[1:], 1):
        result = where(Tensor(number == k), option, result)
    return broadcast_to_(result, shape=broadcast_shapes(number.shape, result._array.shape))


@method("choose")
def _choose_method(self: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    return choose(self, choices, out, mode)


@implements(np.select)
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Each element from the first choice whose condition holds there, else the default."""
    if len(condlist) != len(choicelist) or not len(condlist):
        raise InvalidArgumentError(
            f"select takes as many conditions as choices, at least one; got {len(condlist)} and {len(choicelist)}"
        )
    result = default
    for condition, choice in reversed(list(zip(condlist, choicelist))):
        result = where(as_operand(condition), choice, result)
    return result


@implements(np.nonzero)
@method("nonzero")
def nonzero(a: Any) -> Any:
    """The indices of the elements that are not zero: a tuple with one tensor for each axis."""
    return tuple(Tensor(k) for k in np.nonzero(as_operand(a)._array))


@implements(np.flatnonzero)
def flatnonzero(a: Any) -> Any:
    """The flat indices of the elements that are not zero."""
    return Tensor(np.flatnonzero(as_operand(a)._array))


@implements(np.argwhere)
def argwhere(a: Any) -> Any:
    """The indices of the elements that are not zero, one in each row."""
    return Tensor(np.argwhere(as_operand(a)._array))


@implements(np.ix_)
def ix_(*args: Any) -> Any:
    """Indices of the cross product of one-dimensional sequences, one tensor for each axis."""
    return tuple(Tensor(k) for k in np.ix_(*(np.asarray(index_or_mask(a)) for a in args)))


def index_or_mask(x: Any) -> Any:
    """An array of indices from a list or a tensor; an empty list holds no integers."""
    array = convert_to_tensor(x)._array
    return array if np.size(array) or array.dtype.kind != "f" else np.zeros(0, np.intp)


@implements(np.digitize)
def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """The number of the bin, between monotonic edges, that each element falls into."""
    return Tensor(np.asarray(np.digitize(as_operand(x)._array, as_operand(bins)._array, right=right)))


@implements(np.unravel_index)
def unravel_index(indices: Any, shape: Any, order: str = "C") -> Any:
    """The coordinates of flat indices: a tuple with one tensor for each axis."""
    if order == "C":
        return tuple(unravelled(indices, shape))
    picked = index_tensor("unravel_index", indices)._array
    return tuple(Tensor(k) for k in np.unravel_index(np.asarray(picked), tuple(shape), order="F"))


@implements(np.ravel_multi_index)
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> Any:
    """The flat indices of coordinates, which are given as a sequence with one tensor for each axis."""
    arrays = tuple(np.asarray(index_tensor("ravel_multi_index", k)._array, np.intp) for k in multi_index)
    try:
        flat = np.ravel_multi_index(arrays, tuple(int(n) for n in dims), mode=mode, order=order)
    except ValueError as error:
        raise InvalidArgumentError(f"ravel_multi_index: {error} (dims {tuple(dims)})") from error
    return Tensor(np.asarray(flat))
