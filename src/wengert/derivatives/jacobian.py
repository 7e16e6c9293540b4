"""Jacobians by reverse mode: one backward sweep for each element of the target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from wengert.errors import InvalidArgumentError
from wengert.primitives.primitive import tensor_namespace
from wengert.tensor import Tensor, TensorLike

__all__ = ["batch_jacobian", "jacobian"]


def jacobian(tape: Any, target: TensorLike, sources: Sequence[TensorLike]) -> list[Any]:
    """The Jacobian of ``target`` by each source, of shape ``target.shape + source.shape``; None where unconnected."""
    shape, dtype = target._array.shape, target._array.dtype
    count = math.prod(shape)
    rows = []
    for k in range(count):
        seed = np.zeros(count, dtype)
        seed[k] = 1
        rows.append(tape.sweep(target, sources, Tensor(seed.reshape(shape))))
    if not rows:
        return [Tensor(np.zeros(shape + s._array.shape, s._array.dtype)) for s in sources]
    return [_stacked([row[i] for row in rows], 0, shape, s._array.shape) for i, s in enumerate(sources)]


def batch_jacobian(tape: Any, target: TensorLike, source: TensorLike) -> Any:
    """The Jacobian within each example: shape ``(batch, *target.shape[1:], *source.shape[1:])``.

    Raises:
        InvalidArgumentError: the first axes differ.
    """
    shape, dtype = target._array.shape, target._array.dtype
    others = source._array.shape
    if not shape or not others or shape[0] != others[0]:
        raise InvalidArgumentError(
            f"batch_jacobian: target and source need the same size of the first axis, got shapes {shape} and {others}"
        )
    count = math.prod(shape[1:])
    rows = []
    for k in range(count):
        seed = np.zeros((shape[0], count), dtype)
        seed[:, k] = 1
        rows.extend(tape.sweep(target, [source], Tensor(seed.reshape(shape))))
    if not rows:
        return Tensor(np.zeros(shape + others[1:], source._array.dtype))
    return _stacked(rows, 1, shape, others[1:])


def _stacked(rows: list[Any], axis: int, shape: tuple[int, ...], rest: tuple[int, ...]) -> Any:
    if all(row is None for row in rows):
        return None
    example = next(row for row in rows if row is not None)
    filled = [tensor_namespace.zeros_like(example) if row is None else row for row in rows]
    return tensor_namespace.reshape(tensor_namespace.stack(filled, axis=axis), shape + rest)
