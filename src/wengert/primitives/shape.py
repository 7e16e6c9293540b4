"""Shapes and the arrangement of elements."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec, normalize_axes, normalize_axis
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import conj, identity_
from wengert.primitives.broadcasting import sum_to_shape
from wengert.primitives.primitive import primitive
from wengert.tensor import TENSOR_CLASSES, TensorLike, convert_to_tensor

__all__ = ["broadcast_to", "expand_dims", "identity", "reshape", "stack", "transpose"]


def identity(input: Any, name: str | None = None) -> Any:
    """A tensor with the same value, as a new step on the tape.

    >>> float(tf.identity(tf.Variable(2.0)))
    2.0
    """
    return identity_(convert_to_tensor(input) if input.__class__ not in TENSOR_CLASSES else input)


def static_shape(shape: Any) -> tuple[int, ...]:
    """A shape given as numbers, an array, a tensor, or a list that mixes them, as a tuple of ints."""
    if isinstance(shape, TensorLike):
        shape = shape._array
    if np.ndim(shape) == 0 and not isinstance(shape, (list, tuple)):
        shape = (shape,)
    return tuple(int(n._array if isinstance(n, TensorLike) else n) for n in shape)


@primitive(linear=("x",))
def reshape_(xp: Any, x: Any, *, shape: tuple[int, ...]) -> Any:
    """The same elements in another shape."""
    return xp.reshape(x, shape)


reshape_.vjp(lambda xp, g, x_shape: xp.reshape(g, x_shape))


@reshape_.spec
def _reshape_spec(x: Spec, *, shape: tuple[int, ...]) -> Spec:
    if -1 in shape:
        known = math.prod(n for n in shape if n != -1)
        shape = tuple(x.size // known if n == -1 else n for n in shape)
    return Spec(tuple(shape), x.dtype)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    """The same elements, in order, in another shape; one size may be -1.

    Raises:
        InvalidArgumentError: the numbers of elements differ.

    >>> tf.reshape([1, 2, 3, 4], [2, -1]).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    return reshape_(tensor, shape=static_shape(shape))


@primitive(linear=("x",))
def broadcast_to_(xp: Any, x: Any, *, shape: tuple[int, ...]) -> Any:
    """The array repeated along new axes and axes of size 1."""
    return xp.broadcast_to(x, shape)


broadcast_to_.vjp(lambda xp, g, x_shape: sum_to_shape(xp, g, x_shape))


@broadcast_to_.spec
def _broadcast_to_spec(x: Spec, *, shape: tuple[int, ...]) -> Spec:
    return Spec(tuple(shape), x.dtype)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Any:
    """The tensor repeated along new axes and axes of size 1.

    Raises:
        InvalidArgumentError: the shape does not broadcast.

    >>> tf.broadcast_to([1, 2], [2, 2]).numpy().tolist()
    [[1, 2], [1, 2]]
    """
    return broadcast_to_(input, shape=static_shape(shape))


@primitive(linear=("x",))
def transpose_(xp: Any, x: Any, *, axes: tuple[int, ...]) -> Any:
    """The axes in another order."""
    return xp.transpose(x, axes)


transpose_.vjp(lambda xp, g, axes: xp.transpose(g, tuple(int(k) for k in np.argsort(axes))))


@transpose_.spec
def _transpose_spec(x: Spec, *, axes: tuple[int, ...]) -> Spec:
    return Spec(tuple(x.shape[k] for k in axes), x.dtype)


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = None) -> Any:
    """The axes in another order: reversed, or as ``perm`` says.

    Raises:
        InvalidArgumentError: ``perm`` is not a permutation of the axes.

    >>> tf.transpose([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    a = convert_to_tensor(a) if a.__class__ not in TENSOR_CLASSES else a
    ndim = a._array.ndim
    axes = tuple(range(ndim))[::-1] if perm is None else tuple(normalize_axis(k, ndim) for k in static_shape(perm))
    if sorted(axes) != list(range(ndim)):
        raise InvalidArgumentError(f"transpose: perm {axes} is not a permutation of the {ndim} axes")
    result = transpose_(a, axes=axes)
    return conj(result) if conjugate else result


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """A new axis of size 1 at position ``axis`` of the result.

    >>> tf.expand_dims([1, 2], 0).shape
    TensorShape([1, 2])
    """
    x = convert_to_tensor(input) if input.__class__ not in TENSOR_CLASSES else input
    (at,) = normalize_axes(axis, x._array.ndim + 1)
    shape = x._array.shape
    return reshape_(x, shape=(*shape[:at], 1, *shape[at:]))


@primitive(linear=("xs",), same_dtype=("xs",))
def stack_(xp: Any, *xs: Any, axis: int) -> Any:
    """Arrays of one shape, joined along a new axis."""
    return xp.stack(xs, axis=axis)


@stack_.vjp
def _stack_vjp(xp: Any, g: Any, axis: Any, position: Any) -> Any:
    return g[(slice(None),) * axis + (position,)]


@stack_.spec
def _stack_spec(*xs: Spec, axis: int) -> Spec:
    shape = xs[0].shape
    return Spec((*shape[:axis], len(xs), *shape[axis:]), xs[0].dtype)


def stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    """Tensors of one shape joined along a new axis.

    Raises:
        InvalidArgumentError: the list is empty, or the shapes differ.

    >>> tf.stack([[1, 2], [3, 4]], axis=1).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    values = list(values)
    if not values:
        raise InvalidArgumentError("stack needs at least one tensor")
    tensors = stack_.align(tuple(values))
    shapes = {t._array.shape for t in tensors}
    if len(shapes) > 1:
        raise InvalidArgumentError(f"stack: all tensors must have one shape, got {sorted(shapes)}")
    return stack_(*tensors, axis=normalize_axis(axis, tensors[0]._array.ndim + 1))
