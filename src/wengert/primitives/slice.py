"""Slices given as numbers: where they begin, and where they end or how large they are."""

from __future__ import annotations

from typing import Any

from wengert.errors import InvalidArgumentError
from wengert.primitives.index import getitem_, split_key
from wengert.primitives.shape import static_shape
from wengert.tensor import as_operand

__all__ = ["slice_", "strided_slice"]


def slice_(input_: Any, begin: Any, size: Any, name: str | None = None) -> Any:
    """The part of a tensor that begins at ``begin`` and has shape ``size``, -1 standing for all that remains.

    Raises:
        InvalidArgumentError: the part does not lie inside the tensor.

    >>> tf.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [-1, 2]).numpy().tolist()
    [[2, 3], [5, 6]]
    """
    x: Any = as_operand(input_)
    shape = x._array.shape
    begins, sizes = static_shape(begin), static_shape(size)
    if not len(begins) == len(sizes) == len(shape):
        raise InvalidArgumentError(
            f"slice: begin {begins} and size {sizes} need one entry for each axis of shape {shape}"
        )
    for axis, (b, s, n) in enumerate(zip(begins, sizes, shape)):
        if not 0 <= b <= n or not -1 <= s <= n - b:
            raise InvalidArgumentError(
                f"slice: begin {b} and size {s} do not lie inside axis {axis} of size {n} (shape {shape})"
            )
    return getitem_(x, key=tuple(slice(b, None if s == -1 else b + s) for b, s in zip(begins, sizes)))


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Any:
    """``input_[begin:end:strides]`` along the leading axes, with masks whose bit ``k`` changes what entry ``k`` means.

    Args:
        input_: tensor.
        begin: the first index of each axis; negative ones count from the end.
        end: the index at which each axis ends.
        strides: the steps; 1 by default.
        begin_mask: axes that begin at their beginning.
        end_mask: axes that end at their end.
        ellipsis_mask: at most one bit: the entry stands for ``...``.
        new_axis_mask: the entry stands for a new axis.
        shrink_axis_mask: the entry's ``begin`` is an index that takes the axis away.
        var: ignored.

    Raises:
        InvalidArgumentError: lengths differ, a stride is zero, or there are too many entries.
        IndexOutOfRangeError: a shrinking index lies outside its axis.

    >>> tf.strided_slice([1, 2, 3, 4], [-1], [-4], [-2]).numpy().tolist()
    [4, 2]
    """
    begins, ends = static_shape(begin), static_shape(end)
    steps = (1,) * len(begins) if strides is None else static_shape(strides)
    if not len(begins) == len(ends) == len(steps):
        raise InvalidArgumentError(f"strided_slice: begin {begins}, end {ends} and strides {steps} differ in length")
    if 0 in steps:
        raise InvalidArgumentError(f"strided_slice: strides {steps} must not be zero")
    if ellipsis_mask & (ellipsis_mask - 1):
        raise InvalidArgumentError("strided_slice: ellipsis_mask can have one bit only")
    key: list[Any] = []
    for k, (b, e, s) in enumerate(zip(begins, ends, steps)):
        bit = 1 << k
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(b)
        else:
            key.append(slice(None if begin_mask & bit else b, None if end_mask & bit else e, s))
    return getitem_(input_, key=split_key(tuple(key))[0])
