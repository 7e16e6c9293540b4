"""Contractions: products that sum over shared axes."""

from __future__ import annotations

import operator
from typing import Any

from wengert.arrays.shapes import Spec, broadcast_shapes
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import conj
from wengert.primitives.broadcasting import sum_to_shape
from wengert.primitives.primitive import primitive

__all__ = ["matmul"]


@primitive(linear=("x", "y"), same_dtype=("x", "y"), eager=operator.matmul)
def matmul_(xp: Any, x: Any, y: Any) -> Any:
    """Matrix product over the last two axes, the others being a batch that broadcasts; vectors as in NumPy."""
    return xp.matmul(x, y)


@matmul_.vjp_of("x")
def _matmul_vjp_x(xp: Any, g: Any, y: Any, x_shape: Any) -> Any:
    if len(y.shape) == 1:  # (..., n) . (n) -> (...)
        return sum_to_shape(xp, g[..., None] * y, x_shape)
    if len(x_shape) == 1:  # (n) . (..., n, p) -> (..., p)
        return sum_to_shape(xp, xp.matmul(y, g[..., None])[..., 0], x_shape)
    return sum_to_shape(xp, xp.matmul(g, xp.swapaxes(y, -1, -2)), x_shape)


@matmul_.vjp_of("y")
def _matmul_vjp_y(xp: Any, g: Any, x: Any, y_shape: Any) -> Any:
    if len(x.shape) == 1:
        g = g[..., None] if len(y_shape) == 1 else g[..., None, :]
        return sum_to_shape(xp, x * g if len(y_shape) == 1 else x[:, None] * g, y_shape)
    if len(y_shape) == 1:
        return sum_to_shape(xp, xp.matmul(xp.swapaxes(x, -1, -2), g[..., None])[..., 0], y_shape)
    return sum_to_shape(xp, xp.matmul(xp.swapaxes(x, -1, -2), g), y_shape)


@matmul_.spec
def _matmul_spec(x: Spec, y: Spec) -> Spec:
    if x.ndim == 1 and y.ndim == 1:
        return Spec((), x.dtype)
    if y.ndim == 1:
        return Spec(x.shape[:-1], x.dtype)
    if x.ndim == 1:
        return Spec((*y.shape[:-2], y.shape[-1]), x.dtype)
    batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
    return Spec((*batch, x.shape[-2], y.shape[-1]), x.dtype)


matmul = matmul_.function
