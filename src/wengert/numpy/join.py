"""Joining, taking apart, copying and padding under NumPy's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import normalize_axis
from wengert.errors import InvalidArgumentError, UnimplementedError
from wengert.numpy.dispatch import implements, method
from wengert.numpy.shape import moveaxis, ravel
from wengert.primitives import arithmetic, join, pad
from wengert.primitives import shape as shape_module
from wengert.primitives.index import HOLE, getitem_
from wengert.primitives.primitive import tensor_namespace
from wengert.tensor import Tensor, TensorLike, as_operand

__all__: list[str] = []


def _parts(arrays: Any, out: Any = None, dtype: Any = None) -> list[Any]:
    if out is not None:
        raise UnimplementedError(
            "out=: a tensor cannot be written to, and what is written into an array is not recorded"
        )
    parts = join.unstack(arrays) if isinstance(arrays, TensorLike) else list(arrays)
    return parts if dtype is None else [arithmetic.cast(x, dtype) for x in parts]


# --- joining ---------------------------------------------------------------------------------------------------------


@implements(np.concatenate)
def concatenate(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """Tensors joined along an axis that they have; flattened first, if it is None."""
    parts = _parts(arrays, out, dtype)
    return join.concat([ravel(x) for x in parts], 0) if axis is None else join.concat(parts, axis)


@implements(np.stack)
def stack(arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Tensors of one shape joined along a new axis."""
    return join.stack(_parts(arrays, out, dtype), axis)


@implements(np.hstack)
def hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Tensors joined along the second axis, or along the only one."""
    parts = [tensor_namespace.atleast_1d(x) for x in _parts(tup, None, dtype)]
    return join.concat(parts, 0 if parts and parts[0]._array.ndim == 1 else 1)


@implements(np.vstack)
def vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Tensors joined along the first axis, vectors as rows."""
    return join.concat([tensor_namespace.atleast_2d(x) for x in _parts(tup, None, dtype)], 0)


@implements(np.dstack)
def dstack(tup: Any) -> Any:
    """Tensors joined along the third axis."""
    return join.concat([tensor_namespace.atleast_3d(x) for x in _parts(tup)], 2)


@implements(np.column_stack)
def column_stack(tup: Any) -> Any:
    """Matrices joined along the second axis, vectors as columns."""
    parts = [as_operand(x) for x in _parts(tup)]
    return join.concat([x if x._array.ndim > 1 else shape_module.reshape(x, [-1, 1]) for x in parts], 1)


@implements(np.block)
def block(arrays: Any) -> Any:
    """A tensor put together from nested lists of blocks; the innermost lists are joined along the last axis."""
    depth = _depth(arrays)
    ndim = max(depth, *(as_operand(x)._array.ndim for x in _leaves(arrays)))

    def assembled(part: Any, level: int) -> Any:
        if level == depth:
            x = as_operand(part)
            return shape_module.expand_dims(x, tuple(range(ndim - x._array.ndim)))
        return join.concat([assembled(p, level + 1) for p in part], level - depth)

    return assembled(arrays, 0)


def _depth(arrays: Any) -> int:
    if not isinstance(arrays, list):
        return 0
    depths = {_depth(x) for x in arrays}
    if len(depths) != 1:
        raise InvalidArgumentError(
            "block: the lists must not be empty, and must be nested to the same depth everywhere"
        )
    return 1 + depths.pop()


def _leaves(arrays: Any) -> Any:
    if isinstance(arrays, list):
        for x in arrays:
            yield from _leaves(x)
    else:
        yield arrays


@implements(np.append)
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    """``values`` joined to the end of ``arr``; both flattened first, if ``axis`` is None."""
    return concatenate((arr, values), axis=axis)


# --- taking apart ----------------------------------------------------------------------------------------------------


@implements(np.array_split)
def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Parts along an axis: so many, as equal as possible, or between the given indices."""
    x = as_operand(ary)
    axis = normalize_axis(axis, x._array.ndim)
    length = x._array.shape[axis]
    numbers = shape_module.static_shape(indices_or_sections, "array_split")
    if shape_module.is_single(indices_or_sections):
        (count,) = numbers
        if count < 1:
            raise InvalidArgumentError(f"array_split: the number of parts must be positive, got {count}")
        sizes = tuple(length // count + (k < length % count) for k in range(count))
    else:
        ends = [slice(n).indices(length)[1] for n in numbers] + [length]
        sizes = tuple(end - start for start, end in zip([0, *ends], ends))
        if min(sizes) < 0:
            raise InvalidArgumentError(f"array_split: indices must not decrease, got {list(numbers)}")
    return list(join.split_sizes(x, sizes=sizes, axis=axis))


@implements(np.split)
def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Equal parts along an axis, or those between the given indices."""
    if shape_module.is_single(indices_or_sections):
        return join.split(ary, indices_or_sections, axis)
    return array_split(ary, indices_or_sections, axis)


@implements(np.hsplit)
def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    """Parts along the second axis, or along the only one."""
    return split(ary, indices_or_sections, 1 if as_operand(ary)._array.ndim > 1 else 0)


@implements(np.vsplit)
def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    """Parts along the first of two or more axes."""
    if as_operand(ary)._array.ndim < 2:
        raise InvalidArgumentError("vsplit takes a tensor with 2 axes or more")
    return split(ary, indices_or_sections, 0)


@implements(np.dsplit)
def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    """Parts along the third axis."""
    return split(ary, indices_or_sections, 2)


@implements("unstack")
def unstack(x: Any, /, *, axis: int = 0) -> Any:
    """The parts along an axis, each without it."""
    return tuple(join.unstack(x, axis=axis))


@implements(np.delete)
def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    """Without the parts that ``obj`` names."""
    x, axis = (ravel(arr), 0) if axis is None else (as_operand(arr), axis)
    axis = normalize_axis(axis, x._array.ndim)
    return _taken(x, np.delete(np.arange(x._array.shape[axis]), _plain(obj)), axis)


@implements(np.insert)
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    """With ``values`` put before the positions that ``obj`` names."""
    x, axis = (ravel(arr), 0) if axis is None else (as_operand(arr), axis)
    axis = normalize_axis(axis, x._array.ndim)
    shape = x._array.shape
    new = arithmetic.cast(values, x._array.dtype)
    new = shape_module.expand_dims(new, tuple(range(max(len(shape) - new._array.ndim, 0))))
    where = _plain(obj)
    if np.ndim(where) == 0 and not isinstance(where, slice):  # the values' first axis is the one that is inserted
        new = moveaxis(new, 0, axis)
        count = new._array.shape[axis]
    else:
        count = len(range(shape[axis])[where]) if isinstance(where, slice) else np.size(where)
        count = new._array.shape[axis] if count == 1 else count
    new = shape_module.broadcast_to_(new, shape=(*shape[:axis], count, *shape[axis + 1 :]))
    origin = np.insert(np.arange(shape[axis]), where, shape[axis] + np.arange(count))
    return _taken(join.concat_(x, new, axis=axis), origin, axis)


def _plain(index: Any) -> Any:
    return index._array if isinstance(index, TensorLike) else index


def _taken(x: Any, indices: np.ndarray[Any, Any], axis: int) -> Any:
    return getitem_(x, Tensor(indices), key=(*(slice(None),) * axis, HOLE))


# --- copies and borders ----------------------------------------------------------------------------------------------


@implements(np.tile)
def tile(A: Any, reps: Any) -> Any:
    """The tensor laid out so many times along each axis; missing numbers and missing axes come first."""
    x = as_operand(A)
    numbers = shape_module.static_shape(reps, "tile")
    numbers = (1,) * (x._array.ndim - len(numbers)) + numbers
    return join.tile(shape_module.expand_dims(x, tuple(range(len(numbers) - x._array.ndim))), numbers)


@implements(np.repeat)
@method("repeat")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element, or each part along an axis, several times in a row."""
    return join.repeat(a, repeats, axis)


@implements(np.pad)
def pad_(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """The tensor continued beyond its borders, in the modes constant, reflect, symmetric, edge and wrap."""
    x = as_operand(array)
    shape = x._array.shape
    paddings = _paddings(pad_width, len(shape))
    if mode in ("constant", "empty") and not set(kwargs) - {"constant_values"}:
        fill = kwargs.get("constant_values", 0)
        if not isinstance(fill, TensorLike) and np.ndim(fill):
            fill = np.pad(np.zeros(shape, x._array.dtype), paddings, constant_values=fill)
        elif isinstance(fill, TensorLike) and fill._array.ndim:
            raise UnimplementedError("np.pad: constant_values that are a tensor must have shape ()")
        return pad.pad_with(x, paddings, fill)
    if mode not in ("reflect", "symmetric", "edge", "wrap") or kwargs.get("reflect_type", "even") != "even":
        settings = "".join(f", {k}={v!r}" for k, v in kwargs.items())
        raise UnimplementedError(
            f"np.pad(mode={mode!r}{settings}) is not available for tensors; the modes are constant, reflect, "
            "symmetric, edge and wrap"
        )
    for k, (n, pair) in enumerate(zip(shape, paddings)):
        if not n and any(pair):
            raise InvalidArgumentError(f"pad: axis {k} of shape {shape} has no elements to continue it with")
    return pad.extend(x, paddings=paddings, mode=mode)


def _paddings(width: Any, ndim: int) -> Any:
    """NumPy's forms of ``pad_width``: a number, a pair, a pair for each axis, or a dictionary from axis to these."""
    if isinstance(width, dict):
        pairs = [(0, 0)] * ndim
        for axis, pair in width.items():
            pairs[normalize_axis(axis, ndim)] = pair if isinstance(pair, tuple) else (pair, pair)
        width = pairs
    try:
        pairs = np.broadcast_to(np.asarray(_plain(width)), (ndim, 2)).tolist()
    except ValueError:
        raise InvalidArgumentError(f"pad: pad_width {width!r} does not fit a tensor with {ndim} axes") from None
    result = tuple(shape_module.static_shape(pair, "pad") for pair in pairs)
    if any(min(pair) < 0 for pair in result):
        raise InvalidArgumentError(f"pad: pad_width must not be negative, got {pairs}")
    return result


# under these names there are primitives too; rules call them as NumPy's functions
for _name, _function in {"concat": concatenate, "unstack": unstack}.items():
    setattr(tensor_namespace, _name, _function)
