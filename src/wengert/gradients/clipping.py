"""Gradients limited in size."""

from __future__ import annotations

import math
from typing import Any

from wengert.errors import DTypeError
from wengert.primitives.arithmetic import absolute, cast, multiply, square, where_
from wengert.primitives.exponential import sqrt
from wengert.primitives.linalg_norm import floating, global_norm
from wengert.primitives.reduce import reduce_sum
from wengert.primitives.rounding import is_finite
from wengert.tensor import IndexedSlices, convert_to_tensor

__all__ = ["clip_by_global_norm", "clip_by_norm"]


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """``t`` scaled down, if its Euclidean norm is larger, to the norm ``clip_norm``. Smooth, and without NaN, at 0.

    Args:
        t: Tensor or IndexedSlices, whose values are clipped.
        clip_norm: positive number or tensor of shape ``()``; or one that broadcasts, where ``axes`` are given.
        axes: the axes to take the norm over, all by default: ``axes=[1]`` limits each row of a matrix.

    >>> tf.clip_by_norm([3.0, 4.0], 1.0).numpy()
    array([0.6, 0.8], dtype=float32)
    >>> tf.clip_by_norm([0.3, 0.4], 1.0).numpy()
    array([0.3, 0.4], dtype=float32)
    """
    if isinstance(t, IndexedSlices):
        return IndexedSlices(clip_by_norm(t.values, clip_norm, axes), t.indices, t.dense_shape)
    t = floating(t, "clip_by_norm")
    size = absolute(t) if t._array.dtype.kind == "c" else t
    return multiply(t, _shrinking(_root(reduce_sum(square(size), axes, keepdims=True)), clip_norm))


def _root(x: Any) -> Any:
    """The square root of what is not negative, with derivative 0 at 0."""
    positive = x > 0
    return where_(positive, sqrt(where_(positive, x, 1)), x)


def _shrinking(norm: Any, limit: Any) -> Any:
    """The factor that takes ``norm`` down to ``limit``, 1 if it is not above; its derivative is 0 there."""
    limit = cast(limit, norm._array.dtype) if not isinstance(limit, (int, float)) else limit
    above = norm > limit
    return where_(above, limit / where_(above, norm, 1), 1)


def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """Tensors scaled down together, if their norm as one vector is larger, to the norm ``clip_norm``.

    Args:
        t_list: list or tuple of tensors, IndexedSlices (whose values are clipped) and None, which stays None.
        clip_norm: positive number or tensor of shape ``()``.
        use_norm: take this for the norm instead of computing it.

    Returns:
        The list of clipped tensors, and the norm that was found; if that is infinite or NaN, all elements are NaN.

    Raises:
        DTypeError: ``t_list`` is no list or tuple.

    Source: R. Pascanu, T. Mikolov and Y. Bengio, "On the difficulty of training recurrent neural networks" (2013).

    >>> clipped, norm = tf.clip_by_global_norm([[3.0, 0.0], None, [0.0, 4.0]], 1.0)
    >>> clipped[0].numpy(), clipped[1], float(norm)
    (array([0.6, 0. ], dtype=float32), None, 5.0)
    """
    if not isinstance(t_list, (list, tuple)):
        raise DTypeError(f"clip_by_global_norm takes a list or tuple of tensors, got {type(t_list).__name__}")
    norm = global_norm(t_list) if use_norm is None else convert_to_tensor(use_norm)
    factor = where_(is_finite(norm), _shrinking(norm, clip_norm), math.nan)  # what is not finite must show

    def clipped(t: Any) -> Any:
        if t is None:
            return None
        if isinstance(t, IndexedSlices):
            return IndexedSlices(clipped(t.values), t.indices, t.dense_shape)
        t = floating(t, "clip_by_global_norm")
        return multiply(t, cast(factor, t._array.dtype))

    return [clipped(t) for t in t_list], norm
