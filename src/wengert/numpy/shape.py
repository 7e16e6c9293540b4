"""Shapes and the order of elements under NumPy's names, as functions, methods and attributes of tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wengert.arrays.shapes import broadcast_shapes, normalize_axes, normalize_axis
from wengert.errors import InvalidArgumentError, UnimplementedError
from wengert.lineage import note_event
from wengert.numpy.dispatch import implements, method
from wengert.primitives import arithmetic, order
from wengert.primitives import shape as shape_module
from wengert.tensor import TensorLike, as_operand

__all__: list[str] = []


# --- reshape ---------------------------------------------------------------------------------------------------------


@implements(np.reshape)
def reshape(a: Any, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: Any = None) -> Any:
    """The elements in another shape, read and written in C or Fortran order."""
    a = as_operand(a)
    sizes = shape_module.static_shape(newshape if shape is None else shape, "reshape")
    if _is_fortran(order, "reshape"):
        return transpose(shape_module.reshape_(transpose(a), shape=sizes[::-1]))
    return shape_module.reshape_(a, shape=sizes)


def _is_fortran(order: str, operation: str) -> bool:
    """Whether elements are read with the first axis fastest; how they lie in memory is not for the user to see."""
    if order not in ("C", "F"):
        raise UnimplementedError(f"{operation}: order is 'C' or 'F' for tensors, got {order!r}")
    return order == "F"


@method("reshape")
def _reshape(self: Any, *shape: Any, order: str = "C", copy: Any = None) -> Any:
    """The elements in another shape, given as numbers or as a tuple."""
    return reshape(self, shape[0] if len(shape) == 1 else shape, order)


@implements(np.ravel)
@method("ravel")
@method("flatten")
def ravel(a: Any, order: str = "C") -> Any:
    """The elements in one axis."""
    return reshape(a, (-1,) if as_operand(a)._array.size else (0,), order)


@implements(np.squeeze)
@method("squeeze")
def squeeze(a: Any, axis: Any = None) -> Any:
    """Without the axes of size 1, or without those of them that ``axis`` names."""
    return as_operand(a) if axis == () else shape_module.squeeze(a, axis)


@implements(np.expand_dims)
def expand_dims(a: Any, axis: Any) -> Any:
    """With new axes of size 1 at the given positions of the result."""
    return shape_module.expand_dims(a, axis)


def _at_least(function: Any, ndim: int, axes: Any) -> None:
    def widen(x: Any) -> Any:
        x = as_operand(x)
        return x if x._array.ndim >= ndim else shape_module.expand_dims(x, axes(x._array.ndim))

    @implements(function)
    def at_least(*arys: Any) -> Any:
        return widen(arys[0]) if len(arys) == 1 else tuple(map(widen, arys))

    at_least.__doc__ = f"Each tensor with {ndim} axes at least."


_at_least(np.atleast_1d, 1, lambda ndim: (0,))
_at_least(np.atleast_2d, 2, lambda ndim: tuple(range(2 - ndim)))
_at_least(np.atleast_3d, 3, lambda ndim: {0: (0, 1, 2), 1: (0, 2), 2: (2,)}[ndim])


@implements(np.broadcast_to)
def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    """The tensor repeated along new axes and axes of size 1."""
    return shape_module.broadcast_to_(as_operand(array), shape=shape_module.static_shape(shape, "broadcast_to"))


@implements(np.broadcast_arrays)
def broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    """The tensors in their common shape."""
    tensors = [as_operand(x) for x in args]
    shape = broadcast_shapes(*(x._array.shape for x in tensors))
    return tuple(x if x._array.shape == shape else shape_module.broadcast_to_(x, shape=shape) for x in tensors)


@implements(np.resize)
def resize(a: Any, new_shape: Any) -> Any:
    """The elements in another shape, repeated or cut as that needs."""
    a = ravel(a)
    shape = shape_module.static_shape(new_shape, "resize")
    size, present = math.prod(shape), a._array.size
    if min(shape, default=0) < 0:
        raise InvalidArgumentError(f"resize: a shape has no negative sizes, got {shape}")
    if not present:
        return shape_module.broadcast_to_(arithmetic.cast(0, a._array.dtype), shape=shape)
    return shape_module.reshape_(a[np.arange(size) % present], shape=shape)


# --- transpose -------------------------------------------------------------------------------------------------------


@implements(np.transpose)
def transpose(a: Any, axes: Any = None) -> Any:
    """The axes in another order."""
    return shape_module.transpose(a, axes)


@method("transpose")
def _transpose(self: Any, *axes: Any) -> Any:
    """The axes in another order, given as numbers or as a tuple."""
    return shape_module.transpose(self, (axes[0] if len(axes) == 1 else axes) if axes else None)


@implements(np.swapaxes)
@method("swapaxes")
def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """Two axes exchanged."""
    a = as_operand(a)
    axes = list(range(a._array.ndim))
    i, j = normalize_axis(axis1, len(axes)), normalize_axis(axis2, len(axes))
    axes[i], axes[j] = axes[j], axes[i]
    return shape_module.transpose_(a, axes=tuple(axes))


@implements(np.matrix_transpose, np.linalg.matrix_transpose)
def matrix_transpose(x: Any, /) -> Any:
    """The last two axes exchanged."""
    return swapaxes(x, -1, -2)


@implements(np.moveaxis)
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Axes moved to other positions, the others keeping their order."""
    a = as_operand(a)
    ndim = a._array.ndim
    origins = [normalize_axis(k, ndim) for k in shape_module.static_shape(source, "moveaxis")]
    places = [normalize_axis(k, ndim) for k in shape_module.static_shape(destination, "moveaxis")]
    if len(origins) != len(places) or len(set(origins)) != len(origins) or len(set(places)) != len(places):
        raise InvalidArgumentError(
            f"moveaxis: source {origins} and destination {places} must be as many different axes"
        )
    axes = [k for k in range(ndim) if k not in origins]
    for place, origin in sorted(zip(places, origins)):
        axes.insert(place, origin)
    return shape_module.transpose_(a, axes=tuple(axes))


@implements(np.rollaxis)
def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """An axis moved before the one that is at ``start``."""
    a = as_operand(a)
    ndim = a._array.ndim
    axis, start = normalize_axis(axis, ndim), normalize_axis(start, ndim + 1) if start >= 0 else start + ndim
    return moveaxis(a, axis, start - 1 if axis < start else start)


# --- order along axes ------------------------------------------------------------------------------------------------


@implements(np.flip)
def flip(m: Any, axis: Any = None) -> Any:
    """The elements in reverse order along axes (all, by default)."""
    m = as_operand(m)
    return order.reverse_(m, axis=normalize_axes(axis, m._array.ndim))


@implements(np.fliplr)
def fliplr(m: Any) -> Any:
    """The columns in reverse order."""
    return flip(m, 1)


@implements(np.flipud)
def flipud(m: Any) -> Any:
    """The rows in reverse order."""
    return flip(m, 0)


@implements(np.rot90)
def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Turned by 90 degrees, ``k`` times, from the first of the axes towards the second."""
    m = as_operand(m)
    first, second = (normalize_axis(axis, m._array.ndim) for axis in axes)
    if first == second:
        raise InvalidArgumentError(f"rot90: the axes must be different, got {tuple(axes)}")
    if k % 2 == 0:
        return flip(m, (first, second)) if k % 4 else as_operand(m)
    turned = swapaxes(m, first, second)
    return flip(turned, first if k % 4 == 1 else second)


@implements(np.roll)
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """The elements moved along axes, or in the flattened tensor, what leaves at one end entering at the other."""
    if axis is None:
        return shape_module.reshape_(roll(ravel(a), shift, 0), shape=as_operand(a)._array.shape)
    shifts, axes = np.broadcast_arrays(shape_module.static_shape(shift), shape_module.static_shape(axis))
    return order.roll(a, shifts.tolist(), axes.tolist())


# --- questions, and ways out of the tape -----------------------------------------------------------------------------


@implements(np.shape)
def shape(a: Any) -> tuple[int, ...]:
    """The size of each axis."""
    return tuple(as_operand(a)._array.shape)


@implements(np.ndim)
def ndim(a: Any) -> int:
    """The number of axes."""
    return int(as_operand(a)._array.ndim)


@implements(np.size)
def size(a: Any, axis: Any = None) -> int:
    """The number of elements, altogether or along axes."""
    array = as_operand(a)._array
    return math.prod(array.shape[k] for k in normalize_axes(axis, array.ndim))


@method("item")
def _item(self: Any, *args: Any) -> Any:
    """An element as a Python number. Gradients do not follow it."""
    note_event(".item()", self._id)
    return self._array.item(*args)


@method("tolist")
def _tolist(self: Any) -> Any:
    """The elements as nested lists of Python numbers. Gradients do not follow them."""
    note_event(".tolist()", self._id)
    return self._array.tolist()


for _name, _function in {
    "T": transpose,
    "mT": matrix_transpose,
    "real": arithmetic.real.function,
    "imag": arithmetic.imag.function,
}.items():
    setattr(TensorLike, _name, property(_function, doc=_function.__doc__))
