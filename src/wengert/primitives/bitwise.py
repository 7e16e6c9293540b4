"""Bits of integer tensors; nothing here has a derivative."""

from __future__ import annotations

from typing import Any

from wengert.primitives.primitive import primitive

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"]


@primitive(elementwise=True, differentiable=False)
def bitwise_and(xp: Any, x: Any, y: Any) -> Any:
    """The bits set in both, element-wise with broadcasting.

    >>> tf.bitwise.bitwise_and([6], [3]).numpy().tolist()
    [2]
    """
    return xp.bitwise_and(x, y)


@primitive(elementwise=True, differentiable=False)
def bitwise_or(xp: Any, x: Any, y: Any) -> Any:
    """The bits set in either, element-wise with broadcasting.

    >>> tf.bitwise.bitwise_or([6], [3]).numpy().tolist()
    [7]
    """
    return xp.bitwise_or(x, y)


@primitive(elementwise=True, differentiable=False)
def bitwise_xor(xp: Any, x: Any, y: Any) -> Any:
    """The bits set in one alone, element-wise with broadcasting.

    >>> tf.bitwise.bitwise_xor([6], [3]).numpy().tolist()
    [5]
    """
    return xp.bitwise_xor(x, y)


@primitive(elementwise=True, differentiable=False)
def left_shift(xp: Any, x: Any, y: Any) -> Any:
    """``x`` shifted left by ``y`` bits, element-wise with broadcasting.

    >>> tf.bitwise.left_shift([1], [3]).numpy().tolist()
    [8]
    """
    return xp.left_shift(x, y)


@primitive(elementwise=True, differentiable=False)
def right_shift(xp: Any, x: Any, y: Any) -> Any:
    """``x`` shifted right by ``y`` bits, element-wise with broadcasting.

    >>> tf.bitwise.right_shift([8], [3]).numpy().tolist()
    [1]
    """
    return xp.right_shift(x, y)
