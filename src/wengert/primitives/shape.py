"""Shapes: the same elements under other axes, and what is known about a tensor's shape."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import Spec, TensorShape, broadcast_shapes, normalize_axes, normalize_axis
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import conj, identity_
from wengert.primitives.broadcasting import sum_to_shape
from wengert.primitives.primitive import primitive
from wengert.tensor import Tensor, TensorLike, as_operand, convert_to_tensor

__all__ = [
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "ensure_shape",
    "expand_dims",
    "identity",
    "identity_n",
    "is_single",
    "permutation",
    "rank",
    "reshape",
    "shape_",
    "shape_n",
    "size",
    "squeeze",
    "static_shape",
    "transpose",
]


def identity(input: Any, name: str | None = None) -> Any:
    """A tensor with the same value, as a new step on the tape.

    >>> float(tf.identity(tf.Variable(2.0)))
    2.0
    """
    return identity_(as_operand(input))


def identity_n(input: Any, name: str | None = None) -> list[Any]:
    """A list of tensors with the same values, as new steps on the tape.

    >>> [float(x) for x in tf.identity_n([1.0, 2.0])]
    [1.0, 2.0]
    """
    return [identity(x) for x in input]


# --- reshape ---------------------------------------------------------------------------------------------------------


def static_shape(shape: Any, operation: str = "shape") -> tuple[int, ...]:
    """A shape (or other list of integers) given as a number, an array, a tensor, or a list that mixes them.

    Raises:
        DTypeError: something in it is not an integer.
    """
    if isinstance(shape, TensorLike):
        shape = shape._array
    if not isinstance(shape, (list, tuple)):
        shape = (shape,) if is_single(shape) else np.ravel(shape).tolist()
    return tuple([n if n.__class__ is int else _integer(n, operation) for n in shape])


def is_single(value: Any) -> bool:
    """Whether an argument that may be a number or a list of numbers is a number."""
    return (
        not isinstance(value, (list, tuple)) and np.ndim(value._array if isinstance(value, TensorLike) else value) == 0
    )


def _integer(value: Any, operation: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        pass
    if isinstance(value, (TensorLike, np.ndarray)) and np.size(value) == 1:
        return _integer(np.asarray(value).reshape(())[()], operation)
    hint = "; for a size that follows from the others, use -1" if value is None else ""
    raise DTypeError(f"{operation}: sizes and axes are integers, got {value!r}{hint}")


@primitive(linear=("x",), moves=True)
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
    """The same elements, in order, in another shape.

    Args:
        tensor: of any shape and dtype.
        shape: integers; one of them may be -1, and a list may mix numbers and integer tensors of shape ``()``.

    Raises:
        InvalidArgumentError: the numbers of elements differ.

    >>> tf.reshape([1, 2, 3, 4], [2, -1]).numpy().tolist()
    [[1, 2], [3, 4]]
    >>> x = tf.zeros([2, 3, 4])
    >>> tf.reshape(x, [tf.shape(x)[0], -1]).shape
    TensorShape([2, 12])
    """
    return reshape_(tensor, shape=static_shape(shape, "reshape"))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """Without the axes of size 1: all of them, or those that ``axis`` names.

    Raises:
        InvalidArgumentError: a named axis is out of range, or its size is not 1.

    >>> tf.squeeze([[[1], [2]]]).numpy().tolist()
    [1, 2]
    >>> tf.squeeze([[[1], [2]]], axis=0).shape
    TensorShape([2, 1])
    """
    x: Any = as_operand(input)
    shape = x._array.shape
    if axis is None or (isinstance(axis, (list, tuple)) and not axis):
        return reshape_(x, shape=tuple(n for n in shape if n != 1))
    axes = normalize_axes(axis, len(shape))
    for k in axes:
        if shape[k] != 1:
            raise InvalidArgumentError(f"squeeze: axis {k} of shape {shape} has size {shape[k]}, not 1")
    return reshape_(x, shape=tuple(n for k, n in enumerate(shape) if k not in axes))


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """A new axis of size 1 at position ``axis`` of the result (several, if ``axis`` is a list).

    Raises:
        InvalidArgumentError: the axis is out of range.

    >>> tf.expand_dims([1, 2], 0).shape, tf.expand_dims([1, 2], -1).shape
    (TensorShape([1, 2]), TensorShape([2, 1]))
    """
    x: Any = as_operand(input)
    shape = x._array.shape
    wanted = static_shape(axis, "expand_dims")
    new = normalize_axes(wanted, len(shape) + len(wanted))
    sizes = iter(shape)
    return reshape_(x, shape=tuple(1 if k in new else next(sizes) for k in range(len(shape) + len(new))))


# --- transpose -------------------------------------------------------------------------------------------------------


@primitive(linear=("x",), moves=True)
def transpose_(xp: Any, x: Any, *, axes: tuple[int, ...]) -> Any:
    """The axes in another order."""
    return xp.transpose(x, axes)


@transpose_.vjp
def _transpose_vjp(xp: Any, g: Any, axes: tuple[int, ...]) -> Any:
    return xp.transpose(g, tuple([axes.index(k) for k in range(len(axes))]))


@transpose_.spec
def _transpose_spec(x: Spec, *, axes: tuple[int, ...]) -> Spec:
    return Spec(tuple(x.shape[k] for k in axes), x.dtype)


def permutation(perm: Any, ndim: int) -> tuple[int, ...]:
    """The order of axes that ``perm`` asks for: reversed, if it is None.

    Raises:
        InvalidArgumentError: it is not a permutation of the axes.
    """
    if perm is None:
        return tuple(range(ndim))[::-1]
    axes = tuple([normalize_axis(k, ndim) for k in static_shape(perm, "transpose")])
    if len(axes) != ndim or len(set(axes)) != ndim:
        raise InvalidArgumentError(f"transpose: perm {axes} is not a permutation of the {ndim} axes")
    return axes


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = None) -> Any:
    """The axes in another order: reversed, or as ``perm`` says.

    Args:
        a: of any shape and dtype.
        perm: for each axis of the result, which axis of ``a`` it is.
        conjugate: also take the complex conjugate.

    Raises:
        InvalidArgumentError: ``perm`` is not a permutation of the axes.

    >>> tf.transpose([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 3], [2, 4]]
    >>> tf.transpose(tf.zeros([2, 3, 4]), perm=[0, 2, 1]).shape
    TensorShape([2, 4, 3])
    """
    a = as_operand(a)
    result = transpose_(a, axes=permutation(perm, a._array.ndim))
    return conj(result) if conjugate else result


# --- broadcasting ----------------------------------------------------------------------------------------------------


@primitive(linear=("x",), moves=True)
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
    return broadcast_to_(input, shape=static_shape(shape, "broadcast_to"))


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The common shape of two shapes under broadcasting; a size that cannot be known is None.

    Raises:
        InvalidArgumentError: they do not broadcast.

    >>> tf.broadcast_static_shape([1, 2, 3], [5, 1, 3])
    TensorShape([5, 2, 3])
    """
    x, y = TensorShape(shape_x), TensorShape(shape_y)
    if x.rank is None or y.rank is None:
        return TensorShape(None)
    rank = max(len(x), len(y))
    pairs = zip((1,) * (rank - len(x)) + tuple(x), (1,) * (rank - len(y)) + tuple(y))
    return TensorShape([_broadcast_size(m, n, x, y) for m, n in pairs])


def _broadcast_size(m: int | None, n: int | None, x: TensorShape, y: TensorShape) -> int | None:
    if m == n or n == 1:
        return m
    if m == 1:
        return n
    if m is None or n is None:  # the unknown size must be 1 or equal to the known one
        return n if m is None else m
    raise InvalidArgumentError(
        f"broadcast_static_shape: shapes {x} and {y} do not broadcast: sizes must be equal or 1, counted from the last "
        "axis"
    )


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The common shape of two shapes under broadcasting, as an integer tensor.

    Raises:
        InvalidArgumentError: they do not broadcast.

    >>> tf.broadcast_dynamic_shape(tf.constant([1, 2, 3]), tf.constant([5, 1, 3])).numpy().tolist()
    [5, 2, 3]
    """
    x, y = convert_to_tensor(shape_x, dtype_hint=np.int32), convert_to_tensor(shape_y, dtype_hint=np.int32)
    dtype = np.result_type(x._array.dtype, y._array.dtype)
    return Tensor(np.array(broadcast_shapes(static_shape(x), static_shape(y)), dtype))


# --- questions about the shape ---------------------------------------------------------------------------------------


def shape_(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The shape of a tensor as an integer tensor; the attribute ``.shape`` gives it as Python's integers.

    Args:
        input: of any shape and dtype.
        out_type: int32 (the default) or int64.

    >>> tf.shape([[1, 2, 3], [4, 5, 6]]).numpy().tolist()
    [2, 3]
    """
    x: Any = as_operand(input)
    return Tensor(np.array(x._array.shape, _integer_dtype(out_type)))


def shape_n(input: Sequence[Any], out_type: Any = None, name: str | None = None) -> list[Tensor]:
    """The shape of each tensor of a list, as integer tensors.

    >>> [s.numpy().tolist() for s in tf.shape_n([[1, 2], 3.0])]
    [[2], []]
    """
    return [shape_(x, out_type) for x in input]


def size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements, as an integer tensor of shape ``()``.

    >>> int(tf.size([[1, 2, 3], [4, 5, 6]]))
    6
    """
    x: Any = as_operand(input)
    return Tensor(np.array(x._array.size, _integer_dtype(out_type)))


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes, as an int32 tensor of shape ``()``.

    >>> int(tf.rank([[1, 2, 3], [4, 5, 6]]))
    2
    """
    x: Any = as_operand(input)
    return Tensor(np.array(x._array.ndim, np.int32))


def _integer_dtype(dtype: Any) -> np.dtype[Any]:
    wanted = np.dtype(np.int32) if dtype is None else as_numpy_dtype(dtype)
    if wanted.kind not in "iu":
        raise DTypeError(f"a shape or size is int32 or int64, not {wanted}")
    return wanted


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """The tensor itself, once its shape is found to be compatible with ``shape``, where None stands for any size.

    Raises:
        InvalidArgumentError: it is not.

    >>> tf.ensure_shape([[1.0, 2.0]], [None, 2]).shape
    TensorShape([1, 2])
    """
    x = as_operand(x)
    wanted = TensorShape(shape)
    if not wanted.is_compatible_with(x._array.shape):
        raise InvalidArgumentError(f"ensure_shape: the tensor has shape {x._array.shape}, which does not fit {wanted}")
    return identity_(x)
