"""Padding: an array continued beyond its borders, by constants or by its own elements."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import where_
from wengert.primitives.primitive import primitive
from wengert.primitives.shape import is_single, static_shape
from wengert.tensor import Tensor, TensorLike, as_operand

__all__ = ["Paddings", "pad", "pad_with"]

#: how many elements to add before and after, for each axis
Paddings = tuple[tuple[int, int], ...]


def _padded_spec(x: Spec, *, paddings: Paddings, mode: str = "constant") -> Spec:
    return Spec(tuple(before + n + after for n, (before, after) in zip(x.shape, paddings)), x.dtype)


def _interior(shape: tuple[int, ...], paddings: Paddings) -> tuple[slice, ...]:
    """Where the original elements are in a padded array of that shape."""
    return tuple([slice(before, n - after) for n, (before, after) in zip(shape, paddings)])


# --- zeros -----------------------------------------------------------------------------------------------------------


@primitive(linear=("x",), moves=True)
def pad_(xp: Any, x: Any, *, paddings: Paddings) -> Any:
    """The array with zeros around it."""
    shape = tuple([before + n + after for n, (before, after) in zip(x.shape, paddings)])
    padded = np.zeros(shape, x.dtype)
    padded[_interior(shape, paddings)] = x
    return padded


pad_.vjp(lambda xp, g, out_shape, paddings: g[_interior(out_shape, paddings)])
pad_.spec(_padded_spec)


# --- the array's own elements ----------------------------------------------------------------------------------------


@primitive(linear=("x",), moves=True)
def extend(xp: Any, x: Any, *, paddings: Paddings, mode: str) -> Any:
    """The array continued by its own elements, in NumPy's mode ``reflect``, ``symmetric``, ``edge`` or ``wrap``."""
    return xp.pad(x, paddings, mode=mode)


extend.vjp(lambda xp, g, paddings, mode: xp.fold(g, paddings=paddings, mode=mode))
extend.spec(_padded_spec)


@primitive(linear=("x",))
def fold(xp: Any, x: Any, *, paddings: Paddings, mode: str) -> Any:
    """The borders of an array added to the elements that they would be copies of: the transpose of ``extend``."""
    for axis, (before, after) in enumerate(paddings):
        if not (before or after):
            continue
        lead = (slice(None),) * axis
        length = x.shape[axis] - before - after
        folded = x[(*lead, slice(before, before + length))].copy()
        for here, there, step in _border(length, before, after, mode):
            part = x[(*lead, here)]
            if step == 0:
                part = part.sum(axis, keepdims=True, dtype=x.dtype)
            elif step < 0:
                part = np.flip(part, axis)
            folded[(*lead, there)] += part
        x = folded
    return x


fold.vjp(lambda xp, g, paddings, mode: xp.extend(g, paddings=paddings, mode=mode))


@fold.spec
def _fold_spec(x: Spec, *, paddings: Paddings, mode: str) -> Spec:
    return Spec(tuple(n - before - after for n, (before, after) in zip(x.shape, paddings)), x.dtype)


@functools.lru_cache(maxsize=256)
def _border(length: int, before: int, after: int, mode: str) -> tuple[tuple[slice, slice, int], ...]:
    """What the borders along an axis are copies of.

    Returns:
        For each stretch of the borders: where it is in the padded axis, where its originals are in the unpadded one,
        and their direction: 1 forwards, -1 backwards, 0 for one element that is repeated.
    """
    origin = np.pad(np.arange(length), (before, after), mode=mode).tolist()  # type: ignore[call-overload]
    runs = []
    for start, stop in ((0, before), (before + length, len(origin))):
        while start < stop:
            step = origin[start + 1] - origin[start] if start + 1 < stop else 1
            step = step if step in (-1, 0, 1) else 1
            end = start + 1
            while end < stop and origin[end] - origin[end - 1] == step:
                end += 1
            low, high = sorted((origin[start], origin[end - 1]))
            runs.append((slice(start, end), slice(low, high + 1), step))
            start = end
    return tuple(runs)


# --- public ----------------------------------------------------------------------------------------------------------


def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None) -> Any:
    """The tensor continued beyond its borders.

    Args:
        tensor: of any shape ``(n_1, ..., n_k)``.
        paddings: integers of shape ``(k, 2)``: how many elements to add before and after, for each axis.
        mode: ``"CONSTANT"``; ``"REFLECT"``, which mirrors the tensor about its outermost elements; or ``"SYMMETRIC"``,
            which mirrors it about its border and so repeats the outermost elements. Upper or lower case.
        constant_values: the number to fill with, in mode ``"CONSTANT"``; a tensor of shape ``()`` gets a gradient.

    Raises:
        InvalidArgumentError: ``paddings`` has another shape or is negative, the mode is unknown, or more elements are
            asked for than the mirror holds.

    >>> tf.pad([[1, 2, 3]], [[0, 1], [2, 0]], constant_values=9).numpy().tolist()
    [[9, 9, 1, 2, 3], [9, 9, 9, 9, 9]]
    >>> tf.pad([1, 2, 3], [[2, 2]], "REFLECT").numpy().tolist()
    [3, 2, 1, 2, 3, 2, 1]
    >>> tf.pad([1, 2, 3], [[2, 2]], "SYMMETRIC").numpy().tolist()
    [2, 1, 1, 2, 3, 3, 2]
    """
    x: Any = as_operand(tensor)
    shape = x._array.shape
    widths = _paddings(paddings, len(shape))
    kind = mode.lower() if isinstance(mode, str) else mode
    if kind == "constant":
        if not is_single(constant_values):
            raise InvalidArgumentError(f"pad: constant_values must have shape (), got {np.shape(constant_values)}")
        return pad_with(x, widths, constant_values)
    if kind not in ("reflect", "symmetric"):
        raise InvalidArgumentError(f"pad: mode is 'CONSTANT', 'REFLECT' or 'SYMMETRIC', got {mode!r}")
    for k, (n, pair) in enumerate(zip(shape, widths)):
        most = max(n - 1, 0) if kind == "reflect" else n
        if max(pair) > most:
            raise InvalidArgumentError(
                f"pad: mode {kind.upper()} can add at most {most} elements to axis {k} of shape {shape}, got {pair}"
            )
    return extend(x, paddings=widths, mode=kind)


def pad_with(x: Any, paddings: Paddings, fill: Any) -> Any:
    """The tensor ``x`` with ``fill`` around it, which must broadcast to the padded shape."""
    padded = pad_(x, paddings=paddings)
    if not isinstance(fill, TensorLike) and not np.any(fill):
        return padded
    shape = padded._array.shape
    inside = np.zeros(shape, np.bool_)
    inside[_interior(shape, paddings)] = True
    return where_(Tensor(inside), padded, fill)


def _paddings(paddings: Any, ndim: int) -> Paddings:
    if isinstance(paddings, TensorLike):
        paddings = paddings._array
    pairs = tuple([static_shape(pair, "pad") for pair in paddings])
    if len(pairs) != ndim or any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        raise InvalidArgumentError(
            f"pad: paddings must have shape ({ndim}, 2), a pair (before, after) for each axis, none negative; got "
            f"{[list(pair) for pair in pairs]}"
        )
    return pairs  # type: ignore[return-value]
