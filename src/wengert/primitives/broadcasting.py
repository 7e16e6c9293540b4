"""The transpose of broadcasting."""

from __future__ import annotations

from typing import Any

__all__ = ["sum_to_shape"]


def sum_to_shape(xp: Any, g: Any, shape: tuple[int, ...]) -> Any:
    """Undo broadcasting: sum ``g`` over the axes along which an array of ``shape`` was repeated."""
    if g.shape == shape:
        return g
    extra = len(g.shape) - len(shape)
    if extra:
        g = xp.sum(g, axis=tuple(range(extra)))
    axes = tuple(k for k, n in enumerate(shape) if n == 1 and g.shape[k] != 1)
    return xp.sum(g, axis=axes, keepdims=True) if axes else g
