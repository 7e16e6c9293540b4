"""Blocks of space moved to the batch or to the features, and back."""

from __future__ import annotations

import math
from typing import Any

from wengert.errors import InvalidArgumentError
from wengert.primitives.index import getitem_
from wengert.primitives.pad import pad
from wengert.primitives.shape import is_single, reshape_, static_shape, transpose_
from wengert.tensor import TensorLike, as_operand

__all__ = ["batch_to_space", "depth_to_space", "space_to_batch", "space_to_depth"]


def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Any:
    """Space cut into blocks, each place within a block becoming a batch of its own.

    Args:
        input: tensor of shape ``(batch, *space, ...)``.
        block_shape: the size of a block along each axis of space; a single integer serves all of ``paddings``.
        paddings: integers of shape ``(len(block_shape), 2)``: zeros to add before and after each axis of space first.

    Returns:
        A tensor of shape ``(batch * prod(block_shape), *(padded space / block_shape), ...)``.

    Raises:
        InvalidArgumentError: the padded space is not divisible by the block, or the arguments do not fit each other.

    >>> x = tf.reshape(tf.range(4), [1, 2, 2, 1])
    >>> tf.space_to_batch(x, [2, 2], [[0, 0], [0, 0]]).shape
    TensorShape([4, 1, 1, 1])
    """
    x: Any = as_operand(input)
    ndim = x._array.ndim
    pairs = _pairs("space_to_batch", "paddings", paddings)
    block = _block("space_to_batch", block_shape, pairs, ndim)
    axes = len(block)
    if any(map(any, pairs)):
        x = pad(x, ((0, 0), *pairs, *((0, 0),) * (ndim - 1 - axes)))
    batch, *rest = x._array.shape
    space, others = tuple(rest[:axes]), tuple(rest[axes:])
    if any(n % b for n, b in zip(space, block)):
        raise InvalidArgumentError(f"space_to_batch: the padded space {space} is not divisible by block_shape {block}")
    coarse = tuple(n // b for n, b in zip(space, block))
    x = reshape_(x, shape=(batch, *_interleaved(coarse, block), *others))
    inner, outer = range(2, 2 * axes + 1, 2), range(1, 2 * axes + 1, 2)
    x = transpose_(x, axes=(*inner, 0, *outer, *range(2 * axes + 1, x._array.ndim)))
    return reshape_(x, shape=(batch * math.prod(block), *coarse, *others))


def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Any:
    """The inverse of :func:`space_to_batch`, with borders cropped instead of added.

    Args:
        input: tensor of shape ``(batch * prod(block_shape), *space, ...)``.
        block_shape: the size of a block along each axis of space; a single integer serves all of ``crops``.
        crops: integers of shape ``(len(block_shape), 2)``: how much to cut off before and after each axis of space.

    Raises:
        InvalidArgumentError: the batch is not divisible by the size of the block, or more is cropped than there is.

    >>> x = tf.reshape(tf.range(4), [4, 1, 1, 1])
    >>> tf.batch_to_space(x, [2, 2], [[0, 0], [0, 0]]).numpy().ravel().tolist()
    [0, 1, 2, 3]
    """
    x: Any = as_operand(input)
    pairs = _pairs("batch_to_space", "crops", crops)
    block = _block("batch_to_space", block_shape, pairs, x._array.ndim)
    axes = len(block)
    batch, *rest = x._array.shape
    space, others = tuple(rest[:axes]), tuple(rest[axes:])
    count = math.prod(block)
    if batch % count:
        raise InvalidArgumentError(f"batch_to_space: the batch {batch} is not divisible by the block's size {count}")
    fine = tuple(n * b for n, b in zip(space, block))
    if any(before + after > n for n, (before, after) in zip(fine, pairs)):
        raise InvalidArgumentError(f"batch_to_space: crops {pairs} are larger than the space {fine}")
    x = reshape_(x, shape=(*block, batch // count, *space, *others))
    apart = _interleaved(tuple(range(axes + 1, 2 * axes + 1)), tuple(range(axes)))
    x = transpose_(x, axes=(axes, *apart, *range(2 * axes + 1, x._array.ndim)))
    x = reshape_(x, shape=(batch // count, *fine, *others))
    if not any(map(any, pairs)):
        return x
    return getitem_(x, key=(slice(None), *(slice(before, n - after) for n, (before, after) in zip(fine, pairs))))


def space_to_depth(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Any:
    """Blocks of an image moved to its features.

    Args:
        input: tensor of shape ``(batch, height, width, features)``, or ``(batch, features, height, width)`` for NCHW.
        block_size: the side of a block.
        data_format: ``"NHWC"`` or ``"NCHW"``.

    Raises:
        InvalidArgumentError: height or width is not divisible by the block size.

    >>> tf.nn.space_to_depth(tf.reshape(tf.range(4), [1, 2, 2, 1]), 2).numpy().tolist()
    [[[[0, 1, 2, 3]]]]
    """
    x, size = _image("space_to_depth", input, block_size, data_format)
    if data_format == "NHWC":
        n, h, w, c = x._array.shape
    else:
        n, c, h, w = x._array.shape
    if h % size or w % size:
        raise InvalidArgumentError(f"space_to_depth: height {h} and width {w} are not divisible by block_size {size}")
    coarse_h, coarse_w, depth = h // size, w // size, c * size * size
    if data_format == "NHWC":
        x = reshape_(x, shape=(n, coarse_h, size, coarse_w, size, c))
        return reshape_(transpose_(x, axes=(0, 1, 3, 2, 4, 5)), shape=(n, coarse_h, coarse_w, depth))
    x = reshape_(x, shape=(n, c, coarse_h, size, coarse_w, size))
    return reshape_(transpose_(x, axes=(0, 3, 5, 1, 2, 4)), shape=(n, depth, coarse_h, coarse_w))


def depth_to_space(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Any:
    """Features of an image moved to blocks of it: the inverse of :func:`space_to_depth`, known as pixel shuffle.

    Args:
        input: tensor of shape ``(batch, height, width, features)``, or ``(batch, features, height, width)`` for NCHW.
        block_size: the side of a block.
        data_format: ``"NHWC"`` or ``"NCHW"``.

    Raises:
        InvalidArgumentError: the number of features is not divisible by the number of places in a block.

    >>> tf.nn.depth_to_space([[[[1, 2, 3, 4]]]], 2).numpy().tolist()
    [[[[1], [2]], [[3], [4]]]]
    """
    x, size = _image("depth_to_space", input, block_size, data_format)
    if data_format == "NHWC":
        n, h, w, depth = x._array.shape
    else:
        n, depth, h, w = x._array.shape
    c = depth // (size * size)
    if depth % (size * size):
        raise InvalidArgumentError(
            f"depth_to_space: the number of features {depth} is not divisible by the square {size * size} of block_size"
        )
    if data_format == "NHWC":
        x = reshape_(x, shape=(n, h, w, size, size, c))
        return reshape_(transpose_(x, axes=(0, 1, 3, 2, 4, 5)), shape=(n, h * size, w * size, c))
    x = reshape_(x, shape=(n, size, size, c, h, w))
    return reshape_(transpose_(x, axes=(0, 3, 4, 1, 5, 2)), shape=(n, c, h * size, w * size))


def _image(operation: str, input: Any, block_size: Any, data_format: str) -> tuple[Any, int]:
    x: Any = as_operand(input)
    (size,) = static_shape(block_size, operation)
    if data_format not in ("NHWC", "NCHW"):
        raise InvalidArgumentError(f"{operation}: data_format is 'NHWC' or 'NCHW', got {data_format!r}")
    if x._array.ndim != 4 or size < 2:
        raise InvalidArgumentError(
            f"{operation} takes a tensor with 4 axes and a block_size of 2 or more, got shape {x._array.shape} and "
            f"{size}"
        )
    return x, size


def _pairs(operation: str, argument: str, pairs: Any) -> tuple[tuple[int, int], ...]:
    if isinstance(pairs, TensorLike):
        pairs = pairs._array
    result = tuple(static_shape(pair, operation) for pair in pairs)
    if any(len(pair) != 2 or min(pair) < 0 for pair in result):
        raise InvalidArgumentError(
            f"{operation}: {argument} are pairs (before, after), none negative; got {list(result)}"
        )
    return result  # type: ignore[return-value]


def _block(operation: str, block_shape: Any, pairs: tuple[tuple[int, int], ...], ndim: int) -> tuple[int, ...]:
    block = static_shape(block_shape, operation)
    if is_single(block_shape):
        block = block * len(pairs)
    if len(block) != len(pairs) or not 1 <= len(block) < ndim or min(block) < 1:
        raise InvalidArgumentError(
            f"{operation}: block_shape {list(block)} and {len(pairs)} pairs do not fit each other, or a tensor with "
            f"{ndim} axes, the first of which is the batch"
        )
    return block


def _interleaved(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for pair in zip(first, second) for n in pair)
