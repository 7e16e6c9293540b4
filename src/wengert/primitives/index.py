"""Indexing: reading from and writing to places that indices name."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec
from wengert.primitives.primitive import primitive
from wengert.tensor import TENSOR_CLASSES, TensorLike, convert_to_tensor

__all__ = ["getitem", "scatter_rows"]


class _Hole:
    """Stands in a static key for an array of indices, which is an input of the primitive."""

    def __repr__(self) -> str:
        return "array"


HOLE = _Hole()


def _filled(key: tuple[Any, ...], arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    remaining = iter(arrays)
    return tuple(next(remaining) if k is HOLE else k for k in key)


@primitive(linear=("x",))
def getitem_(xp: Any, x: Any, *indices: Any, key: tuple[Any, ...]) -> Any:
    """NumPy's basic and advanced indexing."""
    return x[_filled(key, indices)]


@getitem_.vjp_of("x")
def _getitem_vjp(xp: Any, g: Any, indices: Any, x_shape: Any, key: Any) -> Any:
    return xp.putitem(g, *indices, key=key, shape=x_shape)


@primitive(linear=("x",))
def putitem(xp: Any, x: Any, *indices: Any, key: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, with ``x`` added where indexing reads: the transpose of ``getitem``."""
    result = np.zeros(shape, x.dtype)
    if indices:
        np.add.at(result, _filled(key, indices), x)
    else:
        result[key] = x
    return result


putitem.vjp_of("x")(lambda xp, g, indices, key: xp.getitem(g, *indices, key=key))


@putitem.spec
def _putitem_spec(x: Spec, *indices: Spec, key: Any, shape: tuple[int, ...]) -> Spec:
    return Spec(tuple(shape), x.dtype)


@getitem_.spec
def _getitem_spec(x: Spec, *indices: Spec, key: Any) -> Spec:
    probe = np.broadcast_to(np.zeros((), x.dtype), x.shape)
    return Spec(probe[_filled(key, tuple(np.zeros(i.shape, i.dtype) for i in indices))].shape, x.dtype)


def getitem(x: Any, key: Any) -> Any:
    """``x[key]`` with all of NumPy's basic and advanced indexing; ``tf.newaxis`` adds an axis.

    Raises:
        IndexOutOfRangeError: an index lies outside its axis, or there are too many.

    >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> x[:, 1].numpy().tolist(), x[[1, 1]].numpy().tolist()
    ([2.0, 4.0], [[3.0, 4.0], [3.0, 4.0]])
    """
    static: list[Any] = []
    arrays: list[Any] = []
    for part in key if isinstance(key, tuple) else (key,):
        if isinstance(part, TensorLike) and (part._array.ndim or part._array.dtype.kind == "b"):
            static.append(HOLE)
            arrays.append(part)
        elif isinstance(part, TensorLike):
            static.append(int(part))
        elif isinstance(part, (list, np.ndarray)):
            static.append(HOLE)
            arrays.append(convert_to_tensor(np.asarray(part, dtype=None if len(part) else np.int64)))
        elif isinstance(part, slice):
            static.append(slice(*(int(p) if isinstance(p, TensorLike) else p for p in (part.start, part.stop, part.step))))
        else:
            static.append(part)
    x = x if x.__class__ in TENSOR_CLASSES else convert_to_tensor(x)
    return getitem_(x, *arrays, key=tuple(static))


@primitive(linear=("values",))
def scatter_rows(xp: Any, values: Any, indices: Any, *, rows: int) -> Any:
    """An array of ``rows`` rows, zero but for ``values`` added at ``indices``."""
    result = np.zeros((rows, *values.shape[indices.ndim :]), values.dtype)
    np.add.at(result, indices, values)
    return result


scatter_rows.vjp(lambda xp, g, indices: g[indices], None)


@scatter_rows.spec
def _scatter_rows_spec(values: Spec, indices: Spec, *, rows: int) -> Spec:
    return Spec((rows, *values.shape[indices.ndim :]), values.dtype)
