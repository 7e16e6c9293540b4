"""Sorting, searching and counting under NumPy's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import normalize_axis
from wengert.numpy.dispatch import implements, method, only_defaults
from wengert.primitives import counting
from wengert.primitives.arithmetic import cast
from wengert.primitives.index import getitem
from wengert.primitives.shape import reshape_
from wengert.primitives.sort import ranking, sort_, sorted_places
from wengert.tensor import Tensor, as_operand

__all__: list[str] = []


def _lines(name: str, a: Any, axis: Any) -> tuple[Any, int]:
    """The tensor, flat if no axis is named, and the axis to sort along."""
    a = as_operand(a)
    if axis is None:
        return reshape_(a, shape=(a._array.size,)), 0
    return a, normalize_axis(axis, a._array.ndim, name)


@implements(np.sort)
def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """The elements sorted along an axis (None: all of them, flat)."""
    only_defaults("sort", order=order)
    a, along = _lines("sort", a, axis)
    return sort_(a, axis=along, descending=False)


@implements(np.argsort)
@method("argsort")
def argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """The indices that sort along an axis (None: all elements, flat); of equal elements the first comes first."""
    only_defaults("argsort", order=order)
    a, along = _lines("argsort", a, axis)
    return ranking(a, axis=along, descending=False, dtype=np.dtype(np.intp))


@implements(np.searchsorted)
@method("searchsorted")
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where values would have to be inserted to keep a sequence sorted."""
    a = as_operand(a)
    if sorter is not None:
        a = getitem(a, as_operand(sorter))
    return sorted_places(a, as_operand(v), side=side, dtype=np.dtype(np.intp))


@implements(np.unique)
def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """The distinct elements (or, along an axis, slices) in order. Their gradient goes to where each occurs first."""
    ar = as_operand(ar)
    distinct: Any = np.unique
    _, first, *others = distinct(ar._array, True, return_inverse, return_counts, axis, equal_nan=equal_nan)
    if axis is None:
        values = getitem(reshape_(ar, shape=(ar._array.size,)), first)
    else:
        values = getitem(ar, (slice(None),) * normalize_axis(axis, ar._array.ndim) + (first,))
    others = [first, *others] if return_index else others
    return (values, *map(Tensor, others)) if others else values


@implements(np.bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    """How often each integer occurs, or the float64 sum of the weights at its places."""
    weights = None if weights is None else cast(as_operand(weights), np.float64)
    return counting.bincount(as_operand(x), weights, minlength, dtype=np.int64)
