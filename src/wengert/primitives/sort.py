"""Sorting and ranking: sort, argsort, top_k, searchsorted and unique."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import Spec, normalize_axis
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.index import getitem
from wengert.primitives.primitive import primitive
from wengert.tensor import convert_to_tensor

__all__ = [
    "TopK",
    "Unique",
    "UniqueWithCounts",
    "argsort",
    "in_top_k",
    "searchsorted",
    "sort",
    "top_k",
    "unique",
    "unique_with_counts",
]


# --- elements picked along an axis, each at most once ----------------------------------------------------------------


@primitive(linear=("x",))
def pick_along(xp: Any, x: Any, indices: Any, *, axis: int) -> Any:
    """The elements of ``x`` at indices along an axis, which differ from each other within each line."""
    return xp.take_along_axis(x, indices, axis=axis)


@pick_along.vjp_of("x")
def _pick_along_vjp(xp: Any, g: Any, indices: Any, x_shape: Any, axis: Any) -> Any:
    return xp.place_along(g, indices, axis=axis, size=x_shape[axis])


@pick_along.spec
def _pick_along_spec(x: Spec, indices: Spec, *, axis: int) -> Spec:
    return Spec(indices.shape, x.dtype)


@primitive(linear=("x",))
def place_along(xp: Any, x: Any, indices: Any, *, axis: int, size: int) -> Any:
    """Zeros with the elements of ``x`` at indices along an axis of the given size: the transpose of ``pick_along``."""
    out = np.zeros((*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype)
    np.put_along_axis(out, indices, x, axis=axis)
    return out


place_along.vjp_of("x")(lambda xp, g, indices, axis: xp.pick_along(g, indices, axis=axis))


@place_along.spec
def _place_along_spec(x: Spec, indices: Spec, *, axis: int, size: int) -> Spec:
    return Spec((*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype)


# --- sort and argsort ------------------------------------------------------------------------------------------------


@primitive()
def sort_(xp: Any, x: Any, *, axis: int, descending: bool) -> Any:
    """The elements in order along an axis; equal ones share their derivative equally."""
    ordered = xp.sort(x, axis=axis)
    return xp.flip(ordered, axis) if descending else ordered


def _order(xp: Any, x: Any, axis: int, descending: bool) -> Any:
    """Indices that sort; in what order equal elements come does not matter, since they share."""
    order = xp.argsort(x, axis=axis)
    return xp.flip(order, axis) if descending else order


@sort_.vjp
def _sort_vjp(xp: Any, g: Any, x: Any, out: Any, axis: Any, descending: Any) -> Any:
    order = _order(xp, x, axis, descending)
    return xp.place_along(xp.shared_by_ties(g, out, axis=axis), order, axis=axis, size=int(x.shape[axis]))


@sort_.jvp
def _sort_jvp(xp: Any, t: Any, x: Any, out: Any, axis: Any, descending: Any) -> Any:
    order = _order(xp, x, axis, descending)
    return xp.shared_by_ties(xp.pick_along(t, order, axis=axis), out, axis=axis)


sort_.spec(lambda x, axis, descending: x)


@primitive(linear=("x",))
def shared_by_ties(xp: Any, x: Any, keys: Any, *, axis: int) -> Any:
    """``x``, averaged over each run of equal ``keys`` along an axis: a symmetric projection."""
    lines = np.moveaxis(keys, axis, -1)
    first = np.ones(lines.shape, np.bool_)
    np.not_equal(lines[..., 1:], lines[..., :-1], out=first[..., 1:])
    if first.all():
        return x
    starts = np.flatnonzero(first)
    moved = np.moveaxis(x, axis, -1)
    counts = np.diff(starts, append=first.size)
    means = np.add.reduceat(moved.ravel(), starts, dtype=x.dtype) / counts.astype(x.dtype)
    return np.moveaxis(np.repeat(means, counts).reshape(moved.shape), -1, axis)


shared_by_ties.vjp_of("x")(lambda xp, g, keys, axis: xp.shared_by_ties(g, keys, axis=axis))
shared_by_ties.spec(lambda x, keys, axis: x)


@primitive(differentiable=False)
def ranking(xp: Any, x: Any, *, axis: int, descending: bool, dtype: Any) -> Any:
    """The indices along an axis that sort it; of equal elements, the first comes first."""
    if not descending:
        return xp.argsort(x, axis=axis, kind="stable").astype(dtype)
    order = xp.argsort(xp.flip(x, axis), axis=axis, kind="stable")
    return xp.flip(x.shape[axis] - 1 - order, axis).astype(dtype)


ranking.spec(lambda x, axis, descending, dtype: Spec(x.shape, dtype))


def _descends(operation: str, direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise InvalidArgumentError(f"{operation}: direction must be 'ASCENDING' or 'DESCENDING', got {direction!r}")
    return direction == "DESCENDING"


def _check_real(operation: str, x: Any) -> None:
    if x._array.dtype.kind in "bc":
        raise DTypeError(f"{operation}: takes real numbers, got {x._array.dtype}{list(x._array.shape)}")


def sort(values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None) -> Any:
    """The elements sorted along an axis. The gradient goes back to where each came from; equal ones share it equally.

    Args:
        values: tensor of real numbers with at least one axis.
        axis: the axis to sort along.
        direction: ``"ASCENDING"`` or ``"DESCENDING"``.

    Raises:
        InvalidArgumentError: the axis is out of range, or the direction is neither of the two.
        DTypeError: the tensor is complex or boolean.

    >>> tf.sort([3, 1, 2]).numpy().tolist(), tf.sort([3, 1, 2], direction="DESCENDING").numpy().tolist()
    ([1, 2, 3], [3, 2, 1])
    """
    x = convert_to_tensor(values)
    _check_real("sort", x)
    return sort_(x, axis=normalize_axis(axis, x._array.ndim, "sort"), descending=_descends("sort", direction))


def argsort(
    values: Any, axis: Any = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Any:
    """The int32 indices that sort a tensor along an axis. They have no gradient.

    Args:
        values: tensor of real numbers with at least one axis.
        axis: the axis to sort along.
        direction: ``"ASCENDING"`` or ``"DESCENDING"``.
        stable: of equal elements the first comes first, as it does always.

    Raises:
        InvalidArgumentError: the axis is out of range, or the direction is neither of the two.
        DTypeError: the tensor is complex or boolean.

    >>> tf.argsort([3, 1, 2]).numpy().tolist(), tf.argsort([3, 1, 2], direction="DESCENDING").numpy().tolist()
    ([1, 2, 0], [0, 2, 1])
    """
    x = convert_to_tensor(values)
    _check_real("argsort", x)
    along = normalize_axis(axis, x._array.ndim, "argsort")
    return ranking(x, axis=along, descending=_descends("argsort", direction), dtype=np.dtype(np.int32))


# --- the largest elements --------------------------------------------------------------------------------------------


class TopK(NamedTuple):
    """The largest elements, and where they are."""

    values: Any
    indices: Any


@primitive(differentiable=False)
def top_k_indices(xp: Any, x: Any, *, k: int, dtype: Any) -> Any:
    """Where along the last axis the ``k`` largest elements are, the largest first; of equal ones, the first first."""
    n = x.shape[-1]
    if n >= 256 and 4 * k <= n:
        found = _largest(x.reshape(-1, n), k)
        if found is not None:
            return found.reshape(*x.shape[:-1], k).astype(dtype)
    return n - 1 - xp.flip(xp.argsort(xp.flip(x, -1), axis=-1, kind="stable"), -1)[..., :k].astype(dtype)


def _largest(rows: Any, k: int) -> Any:
    """The indices without sorting whole rows; None where a NaN has no place in the order."""
    n = rows.shape[1]
    if k == 0 or not rows.size:
        return np.zeros((len(rows), k), np.intp)
    least = np.partition(rows, n - k, axis=1)[:, n - k : n - k + 1]
    above, equal = ~(rows <= least), rows == least
    missing = k - np.count_nonzero(above, axis=1, keepdims=True)
    taken = above | (equal & (np.cumsum(equal, axis=1) <= missing))
    places: Any = np.nonzero(taken)[1]
    if places.size != len(rows) * k:
        return None
    places = places.reshape(len(rows), k)
    order = np.argsort(np.take_along_axis(rows, places, axis=1)[:, ::-1], axis=1, kind="stable")[:, ::-1]
    return np.take_along_axis(places, k - 1 - order, axis=1)


@top_k_indices.spec
def _top_k_indices_spec(x: Spec, *, k: int, dtype: Any) -> Spec:
    return Spec((*x.shape[:-1], k), dtype)


def top_k(input: Any, k: Any = 1, sorted: bool = True, index_type: Any = np.int32, name: str | None = None) -> TopK:
    """The ``k`` largest elements along the last axis, the largest first, and their indices.

    Args:
        input: tensor of real numbers, of shape ``(..., n)``.
        k: how many, at most ``n``.
        sorted: without it the order would be arbitrary; they are sorted all the same.
        index_type: dtype of the indices.

    Returns:
        A named tuple of ``values``, through which the gradient goes back to the elements chosen, and ``indices``,
        both of shape ``(..., k)``. Of equal elements the one with the lower index comes first.

    Raises:
        InvalidArgumentError: the tensor has no axis, or fewer than ``k`` elements along the last.
        DTypeError: the tensor is complex or boolean.

    >>> values, indices = tf.math.top_k([1.0, 5.0, 3.0], k=2)
    >>> values.numpy().tolist(), indices.numpy().tolist()
    ([5.0, 3.0], [1, 2])
    """
    x = convert_to_tensor(input)
    _check_real("top_k", x)
    k, shape = int(k), x._array.shape
    if not shape or not 0 <= k <= shape[-1]:
        raise InvalidArgumentError(
            f"top_k: the last axis must have at least k = {k} elements (and k not be negative), got shape {shape}"
        )
    indices = top_k_indices(x, k=k, dtype=as_numpy_dtype(index_type))
    return TopK(pick_along(x, indices, axis=len(shape) - 1), indices)


@primitive(differentiable=False)
def is_in_top_k(xp: Any, targets: Any, predictions: Any, *, k: int) -> Any:
    """Whether fewer than ``k`` predictions of a row exceed that of the target, and all of them are finite."""
    classes = predictions.shape[1]
    valid = (targets >= 0) & (targets < classes)
    chosen = xp.take_along_axis(predictions, xp.where(valid, targets, 0)[:, None], axis=1)
    better = xp.count_nonzero(predictions > chosen, axis=1)
    return valid & (better < k) & xp.all(xp.isfinite(predictions), axis=1)


is_in_top_k.spec(lambda targets, predictions, k: Spec(targets.shape, np.dtype(np.bool_)))


def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Any:
    """Whether the target of each row is among its ``k`` largest predictions; those tied at the edge all are.

    Args:
        targets: integer class of each row, of shape ``(batch,)``.
        predictions: floating tensor of shape ``(batch, classes)``.
        k: how many predictions count.

    Returns:
        Booleans of shape ``(batch,)``; False where the target is no class, or where a prediction is not finite.

    Raises:
        InvalidArgumentError: the shapes do not fit.
        DTypeError: the targets are not integers, or the predictions not floating.

    >>> tf.math.in_top_k([1, 0], [[0.1, 0.9], [0.2, 0.8]], k=1).numpy().tolist()
    [True, False]
    """
    targets, predictions = convert_to_tensor(targets), convert_to_tensor(predictions)
    if targets._array.dtype.kind not in "iu" or not predictions.dtype.is_floating:
        raise DTypeError(
            f"in_top_k: takes integer targets and floating predictions, got {targets._array.dtype} and "
            f"{predictions._array.dtype}"
        )
    if predictions._array.ndim != 2 or targets._array.shape != predictions._array.shape[:1]:
        raise InvalidArgumentError(
            f"in_top_k: takes targets of shape (batch,) and predictions of shape (batch, classes), got "
            f"{targets._array.shape} and {predictions._array.shape}"
        )
    return is_in_top_k(targets, predictions, k=int(k))


# --- places in a sorted sequence -------------------------------------------------------------------------------------


@primitive(differentiable=False)
def sorted_places(xp: Any, sequence: Any, values: Any, *, side: str, dtype: Any) -> Any:
    """Where values would be inserted into sequences sorted along the last axis, whose leading axes are a batch."""
    if sequence.ndim == 1:
        return xp.searchsorted(sequence, values, side=side).astype(dtype)
    batch = math.prod(sequence.shape[:-1])
    rows, wanted = (x.reshape(batch, x.shape[-1]) for x in (sequence, values))
    out = np.empty(wanted.shape, dtype)
    for k in range(batch):
        out[k] = xp.searchsorted(rows[k], wanted[k], side=side)
    return out.reshape(values.shape)


sorted_places.spec(lambda sequence, values, side, dtype: Spec(values.shape, dtype))


def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = np.int32, name: str | None = None
) -> Any:
    """Where values would have to be inserted to keep sequences sorted. It has no gradient.

    Args:
        sorted_sequence: tensor of shape ``(..., n)``, ascending along the last axis.
        values: tensor of the same dtype, of shape ``(..., m)`` with the same leading sizes; of any shape, if there is
            only one sequence, of shape ``(n,)``.
        side: ``"left"`` for the first possible place, ``"right"`` for the last.
        out_type: dtype of the result.

    Returns:
        Indices from 0 to ``n``, in the shape of ``values``.

    Raises:
        InvalidArgumentError: the leading sizes differ, or the side is neither of the two.
        DTypeError: the dtypes differ.

    >>> tf.searchsorted([1, 2, 2, 3], [2, 4]).numpy().tolist()
    [1, 4]
    >>> tf.searchsorted([1, 2, 2, 3], [2, 4], side="right").numpy().tolist()
    [3, 4]
    """
    if side not in ("left", "right"):
        raise InvalidArgumentError(f"searchsorted: side must be 'left' or 'right', got {side!r}")
    sequence = convert_to_tensor(sorted_sequence)
    wanted = convert_to_tensor(values, dtype_hint=sequence.dtype)
    if wanted._array.dtype != sequence._array.dtype:
        raise DTypeError(
            f"searchsorted: the sequence has dtype {sequence._array.dtype} and the values {wanted._array.dtype}; "
            "convert one with tf.cast"
        )
    leading, own = sequence._array.shape[:-1], wanted._array.shape[:-1]
    if not sequence._array.ndim or (sequence._array.ndim > 1 and (leading != own or not wanted._array.ndim)):
        raise InvalidArgumentError(
            f"searchsorted: shapes {sequence._array.shape} and {wanted._array.shape} must agree but for the last axis"
        )
    return sorted_places(sequence, wanted, side=side, dtype=as_numpy_dtype(out_type))


# --- distinct elements -----------------------------------------------------------------------------------------------


class Unique(NamedTuple):
    """The distinct elements, and which of them each element is."""

    y: Any
    idx: Any


class UniqueWithCounts(NamedTuple):
    """The distinct elements, which of them each element is, and how often each occurs."""

    y: Any
    idx: Any
    count: Any


@primitive(differentiable=False, outputs=3)
def distinct(xp: Any, x: Any, *, dtype: Any) -> Any:
    """Where distinct elements first occur, which of them each element is, and how often each occurs."""
    _, first, inverse, counts = xp.unique(x, return_index=True, return_inverse=True, return_counts=True)
    order = xp.argsort(first)
    place = np.empty(order.size, dtype)
    place[order] = np.arange(order.size)
    return first[order], place[inverse], counts[order].astype(dtype)


def _distinct(operation: str, x: Any, out_idx: Any) -> tuple[Any, Any, Any]:
    x = convert_to_tensor(x)
    if x._array.ndim != 1:
        raise InvalidArgumentError(f"{operation}: takes a tensor of shape (n,), got shape {x._array.shape}")
    first, index, counts = distinct(x, dtype=as_numpy_dtype(out_idx))
    return getitem(x, first), index, counts


def unique(x: Any, out_idx: Any = np.int32, name: str | None = None) -> Unique:
    """The distinct elements of a tensor in the order of their first occurrence, where the gradient goes.

    Args:
        x: tensor of shape ``(n,)``.
        out_idx: dtype of the indices.

    Returns:
        A named tuple of ``y``, the distinct elements, and ``idx``, such that ``y[idx]`` is ``x``.

    Raises:
        InvalidArgumentError: the tensor has not exactly one axis.

    >>> y, idx = tf.unique([3, 1, 3, 2])
    >>> y.numpy().tolist(), idx.numpy().tolist()
    ([3, 1, 2], [0, 1, 0, 2])
    """
    y, idx, _ = _distinct("unique", x, out_idx)
    return Unique(y, idx)


def unique_with_counts(x: Any, out_idx: Any = np.int32, name: str | None = None) -> UniqueWithCounts:
    """The distinct elements of a tensor in the order of their first occurrence, and how often each occurs.

    Args:
        x: tensor of shape ``(n,)``.
        out_idx: dtype of the indices and counts.

    Returns:
        A named tuple of ``y``, the distinct elements, ``idx``, such that ``y[idx]`` is ``x``, and ``count``.

    Raises:
        InvalidArgumentError: the tensor has not exactly one axis.

    >>> tf.unique_with_counts([3, 1, 3, 2]).count.numpy().tolist()
    [2, 1, 1]
    """
    return UniqueWithCounts(*_distinct("unique_with_counts", x, out_idx))
