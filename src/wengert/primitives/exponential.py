"""Exponentials, logarithms and roots."""

from __future__ import annotations

from typing import Any

from wengert.primitives.primitive import primitive

__all__ = ["exp", "log"]


@primitive(elementwise=True)
def exp(xp: Any, x: Any) -> Any:
    """The exponential, element-wise.

    >>> tf.exp([0.0]).numpy().tolist()
    [1.0]
    """
    return xp.exp(x)


exp.vjp(lambda xp, g, out: g * out)


@primitive(elementwise=True)
def log(xp: Any, x: Any) -> Any:
    """The natural logarithm, element-wise.

    >>> tf.math.log([1.0]).numpy().tolist()
    [0.0]
    """
    return xp.log(x)


log.vjp(lambda xp, g, x: g / x)
