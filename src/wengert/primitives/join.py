"""Joining tensors and taking them apart: concat and split, stack and unstack, tile and repeat."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec, normalize_axis
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import identity_
from wengert.primitives.index import HOLE, getitem_
from wengert.primitives.primitive import primitive
from wengert.primitives.shape import is_single, reshape_, static_shape
from wengert.tensor import Tensor, TensorLike, as_operand, convert_to_tensor

__all__ = ["concat", "repeat", "split", "stack", "tile", "unstack"]


# --- along an axis that is there: concat and split -------------------------------------------------------------------


@primitive(linear=("xs",), same_dtype=("xs",), moves=True)
def concat_(xp: Any, *xs: Any, axis: int) -> Any:
    """Arrays whose shapes differ along one axis only, joined along it."""
    return xp.concatenate(xs, axis=axis)


@concat_.vjp_joint
def _concat_vjp(xp: Any, g: Any, xs_shape: Any, axis: Any) -> Any:
    return xp.split_sizes(g, sizes=tuple([shape[axis] for shape in xs_shape]), axis=axis)


@concat_.spec
def _concat_spec(*xs: Spec, axis: int) -> Spec:
    shape = xs[0].shape
    return Spec((*shape[:axis], sum(x.shape[axis] for x in xs), *shape[axis + 1 :]), xs[0].dtype)


def concat(values: Any, axis: Any, name: str | None = None) -> Any:
    """Tensors joined along an axis that they have; all other sizes must agree.

    Args:
        values: a list of tensors of one dtype and at least one axis.
        axis: integer; negative counts from the end.

    Raises:
        InvalidArgumentError: the list is empty, the shapes do not fit, or the axis is out of range.
        DTypeError: the dtypes are not of one kind.

    >>> tf.concat([[[1, 2]], [[3, 4], [5, 6]]], axis=0).numpy().tolist()
    [[1, 2], [3, 4], [5, 6]]
    """
    parts = concat_.align(tuple(values)) if isinstance(values, (list, tuple)) else (convert_to_tensor(values),)
    if not parts:
        raise InvalidArgumentError("concat needs at least one tensor")
    first = parts[0]._array.shape
    if not first:
        raise InvalidArgumentError("concat: tensors of shape () have no axis to be joined along; use tf.stack")
    axis = normalize_axis(axis, len(first))
    if len(parts) == 1:
        return identity_(parts[0])
    for k, part in enumerate(parts):
        shape = part._array.shape
        if len(shape) != len(first) or shape[:axis] != first[:axis] or shape[axis + 1 :] != first[axis + 1 :]:
            raise InvalidArgumentError(
                f"concat: tensor 0 has shape {first} and tensor {k} has shape {shape}, which differ elsewhere than "
                f"along axis {axis}"
            )
    return concat_(*parts, axis=axis)


@primitive(linear=("x",), outputs=0, moves=True)
def split_sizes(xp: Any, x: Any, *, sizes: tuple[int, ...], axis: int) -> Any:
    """Consecutive parts along an axis, of the given sizes: the transpose of ``concat``."""
    lead = (slice(None),) * axis
    ends = itertools.accumulate(sizes)
    return tuple([x[(*lead, slice(end - size, end))] for size, end in zip(sizes, ends)])


@split_sizes.vjp
def _split_sizes_vjp(xp: Any, g: Any, sizes: Any, axis: Any) -> Any:
    return xp.concatenate(g, axis=axis) if len(sizes) > 1 else g


@split_sizes.spec
def _split_sizes_spec(x: Spec, *, sizes: tuple[int, ...], axis: int) -> tuple[Spec, ...]:
    return tuple(Spec((*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype) for size in sizes)


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str | None = None
) -> list[Any]:
    """The tensor cut along an axis into a list of tensors.

    Args:
        value: tensor with at least one axis.
        num_or_size_splits: the number of equal parts, or the size of each part, one of which may be -1.
        axis: the axis to cut.
        num: the number of parts, if it is to be checked.

    Raises:
        InvalidArgumentError: the axis is not divisible by the number, or the sizes do not add up to it.

    >>> [x.numpy().tolist() for x in tf.split([1, 2, 3, 4], 2)]
    [[1, 2], [3, 4]]
    >>> [x.numpy().tolist() for x in tf.split([1, 2, 3, 4], [1, -1])]
    [[1], [2, 3, 4]]
    """
    x: Any = as_operand(value)
    shape = x._array.shape
    axis = normalize_axis(axis, len(shape))
    length = shape[axis]
    wanted = static_shape(num_or_size_splits, "split")
    if is_single(num_or_size_splits):
        (count,) = wanted
        if count < 1 or length % count:
            raise InvalidArgumentError(
                f"split: axis {axis} of shape {shape} has size {length}, not divisible into {count}"
            )
        sizes = (length // count,) * count
    else:
        rest = length - sum(n for n in wanted if n != -1)
        sizes = tuple(rest if n == -1 else n for n in wanted)
        if wanted.count(-1) > 1 or sum(sizes) != length or min(sizes, default=0) < 0:
            raise InvalidArgumentError(
                f"split: sizes {list(wanted)} do not add up to {length}, the size of axis {axis} of shape {shape}"
            )
    if num is not None and num != len(sizes):
        raise InvalidArgumentError(f"split: num is {num}, but {len(sizes)} sizes are given")
    return list(split_sizes(x, sizes=sizes, axis=axis))


# --- along an axis that is new: stack and unstack --------------------------------------------------------------------


@primitive(linear=("xs",), same_dtype=("xs",), moves=True)
def stack_(xp: Any, *xs: Any, axis: int) -> Any:
    """Arrays of one shape, joined along a new axis."""
    return xp.stack(xs, axis=axis)


stack_.vjp_joint(lambda xp, g, axis: xp.unstack(g, axis=axis))


@stack_.spec
def _stack_spec(*xs: Spec, axis: int) -> Spec:
    shape = xs[0].shape
    return Spec((*shape[:axis], len(xs), *shape[axis:]), xs[0].dtype)


def stack(values: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Tensors of one shape joined along a new axis.

    Raises:
        InvalidArgumentError: the list is empty, the shapes differ, or the axis is out of range.
        DTypeError: the dtypes are not of one kind.

    >>> tf.stack([[1, 2], [3, 4]], axis=1).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    values = tuple(unstack(values) if isinstance(values, TensorLike) else values)
    if not values:
        raise InvalidArgumentError("stack needs at least one tensor")
    tensors = stack_.align(values)
    shape = tensors[0]._array.shape
    for k, t in enumerate(tensors):
        if t._array.shape != shape:
            raise InvalidArgumentError(
                f"stack: all tensors must have one shape; tensor 0 has {shape}, tensor {k} has {t._array.shape}"
            )
    return stack_(*tensors, axis=normalize_axis(axis, len(shape) + 1))


@primitive(linear=("x",), outputs=0, moves=True)
def unstack_(xp: Any, x: Any, *, axis: int) -> Any:
    """The parts along an axis, each without it."""
    lead = (slice(None),) * axis
    return tuple([x[(*lead, k)] for k in range(x.shape[axis])])


@unstack_.vjp
def _unstack_vjp(xp: Any, g: Any, x_shape: Any, axis: Any) -> Any:
    return xp.stack(g if x_shape[axis] > 1 else (g,), axis=axis)


@unstack_.spec
def _unstack_spec(x: Spec, *, axis: int) -> tuple[Spec, ...]:
    return (Spec(x.shape[:axis] + x.shape[axis + 1 :], x.dtype),) * x.shape[axis]


def unstack(value: Any, num: int | None = None, axis: Any = 0, name: str | None = None) -> list[Any]:
    """The parts of a tensor along an axis, each without it, as a list.

    Args:
        value: tensor with at least one axis.
        num: the size of that axis, if it is to be checked.
        axis: integer; negative counts from the end.

    Raises:
        InvalidArgumentError: the axis is out of range, or its size is not ``num``.

    >>> [x.numpy().tolist() for x in tf.unstack([[1, 2], [3, 4]], axis=1)]
    [[1, 3], [2, 4]]
    """
    x: Any = as_operand(value)
    shape = x._array.shape
    axis = normalize_axis(axis, len(shape))
    if num is not None and num != shape[axis]:
        raise InvalidArgumentError(f"unstack: num is {num}, but axis {axis} of shape {shape} has size {shape[axis]}")
    return list(unstack_(x, axis=axis))


# --- copies: tile and repeat -----------------------------------------------------------------------------------------


@primitive(linear=("x",), moves=True)
def tile_(xp: Any, x: Any, *, reps: tuple[int, ...]) -> Any:
    """The array laid out ``reps[k]`` times along each axis ``k``."""
    return xp.tile(x, reps)


@tile_.vjp
def _tile_vjp(xp: Any, g: Any, x_shape: Any, reps: Any) -> Any:
    apart = tuple(itertools.chain.from_iterable(zip(reps, x_shape)))
    return xp.sum(xp.reshape(g, apart), axis=tuple(range(0, len(apart), 2)))


@tile_.spec
def _tile_spec(x: Spec, *, reps: tuple[int, ...]) -> Spec:
    return Spec(tuple(n * r for n, r in zip(x.shape, reps)), x.dtype)


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """The tensor laid out ``multiples[k]`` times along each axis ``k``.

    Raises:
        InvalidArgumentError: there is not one number for each axis, or one is negative.

    >>> tf.tile([[1, 2]], [2, 2]).numpy().tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    x: Any = as_operand(input)
    reps = static_shape(multiples, "tile")
    if len(reps) != x._array.ndim or min(reps, default=0) < 0:
        raise InvalidArgumentError(
            f"tile takes one number, not negative, for each of the axes of shape {x._array.shape}; got {list(reps)}"
        )
    return tile_(x, reps=reps)


@primitive(linear=("x",), moves=True)
def repeat_(xp: Any, x: Any, *, repeats: int, axis: int) -> Any:
    """Each part along an axis, so many times in a row."""
    return xp.repeat(x, repeats, axis=axis)


@repeat_.vjp
def _repeat_vjp(xp: Any, g: Any, x_shape: Any, repeats: Any, axis: Any) -> Any:
    apart = (*x_shape[: axis + 1], repeats, *x_shape[axis + 1 :])
    return xp.sum(xp.reshape(g, apart), axis=axis + 1)


@repeat_.spec
def _repeat_spec(x: Spec, *, repeats: int, axis: int) -> Spec:
    return Spec((*x.shape[:axis], x.shape[axis] * repeats, *x.shape[axis + 1 :]), x.dtype)


def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Any:
    """Each element (or each part along ``axis``) several times in a row.

    Args:
        input: tensor.
        repeats: how often: one integer, or one for each part.
        axis: which axis; by default the tensor is flattened first.

    Raises:
        InvalidArgumentError: there is not one number for each part, or one is negative.

    >>> tf.repeat([[1, 2], [3, 4]], 2).numpy().tolist()
    [1, 1, 2, 2, 3, 3, 4, 4]
    >>> tf.repeat([[1, 2], [3, 4]], [1, 2], axis=0).numpy().tolist()
    [[1, 2], [3, 4], [3, 4]]
    """
    x: Any = as_operand(input)
    if axis is None:
        x, axis = reshape_(x, shape=(x._array.size,)), 0
    elif not x._array.ndim:
        x = reshape_(x, shape=(1,))
    axis = normalize_axis(axis, x._array.ndim)
    shape = x._array.shape
    counts = static_shape(repeats, "repeat")
    if min(counts, default=0) < 0 or len(counts) not in (1, shape[axis]):
        raise InvalidArgumentError(
            f"repeat: repeats must be one number, or one for each of the {shape[axis]} parts along axis {axis} of "
            f"shape {shape}, none negative; got {list(counts)}"
        )
    if len(counts) == 1:
        return repeat_(x, repeats=counts[0], axis=axis)
    which = Tensor(np.repeat(np.arange(shape[axis]), counts))
    return getitem_(x, which, key=(*(slice(None),) * axis, HOLE))
