"""Rounding, division towards zero, and tests for infinity and NaN. Most of it has no derivative."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.primitives.floating import gives_floats
from wengert.primitives.primitive import primitive

__all__ = [
    "ceil",
    "floor",
    "is_finite",
    "is_inf",
    "is_nan",
    "isclose",
    "nextafter",
    "rint",
    "round_",
    "signbit",
    "trunc",
    "truncatediv",
    "truncatemod",
]


@primitive(elementwise=True, differentiable=False)
def floor(xp: Any, x: Any) -> Any:
    """The largest integer that is not larger than ``x``, element-wise, in the dtype of ``x``; it has no gradient.

    >>> tf.floor([1.5, -1.5]).numpy().tolist()
    [1.0, -2.0]
    """
    return xp.floor(x)


@primitive(elementwise=True, differentiable=False)
def ceil(xp: Any, x: Any) -> Any:
    """The smallest integer that is not smaller than ``x``, element-wise, in the dtype of ``x``; it has no gradient.

    >>> tf.math.ceil([1.5, -1.5]).numpy().tolist()
    [2.0, -1.0]
    """
    return xp.ceil(x)


@primitive(elementwise=True, differentiable=False)
def trunc(xp: Any, x: Any) -> Any:
    """``x`` cut towards zero, element-wise, in the dtype of ``x``."""
    return xp.trunc(x)


@primitive(elementwise=True, differentiable=False)
def round_(xp: Any, x: Any) -> Any:
    """The nearest integer, halves to the even one; element-wise, in the dtype of ``x``. It has no gradient.

    >>> tf.round([0.5, 1.5, -2.6]).numpy().tolist()
    [0.0, 2.0, -3.0]
    """
    return x if x.dtype.kind in "iub" else xp.rint(x)


@gives_floats
@primitive(elementwise=True, differentiable=False)
def rint(xp: Any, x: Any) -> Any:
    """The nearest integer as a float, halves to the even one; element-wise. It has no gradient.

    >>> tf.math.rint([0.5, 1.5, -2.6]).numpy().tolist()
    [0.0, 2.0, -3.0]
    """
    return xp.rint(x)


@primitive(elementwise=True, differentiable=False)
def truncatediv(xp: Any, x: Any, y: Any) -> Any:
    """``x / y`` cut towards zero, element-wise with broadcasting; it has no gradient.

    >>> tf.truncatediv([7, -7], 2).numpy().tolist()
    [3, -3]
    """
    if x.dtype.kind in "iub":
        return (x - xp.fmod(x, y)) // y
    return xp.trunc(x / y)


@primitive(elementwise=True)
def truncatemod(xp: Any, x: Any, y: Any) -> Any:
    """The remainder of the division cut towards zero, with the sign of ``x``; element-wise with broadcasting.

    >>> tf.truncatemod([7, -7], 3).numpy().tolist()
    [1, -1]
    """
    return xp.fmod(x, y)


truncatemod.vjp(lambda xp, g: g, lambda xp, g, x, y: -g * xp.truncatediv(x, y))


@primitive(elementwise=True, differentiable=False)
def nextafter(xp: Any, x1: Any, x2: Any) -> Any:
    """The next number after ``x1`` towards ``x2`` that the dtype can hold, element-wise with broadcasting.

    >>> float(tf.math.nextafter(1.0, 2.0)) > 1.0
    True
    """
    return xp.nextafter(x1, x2)


@primitive(elementwise=True, differentiable=False, result_dtype=np.bool_)
def is_finite(xp: Any, x: Any) -> Any:
    """Whether ``x`` is neither infinite nor NaN, element-wise.

    >>> tf.math.is_finite([1.0, float("inf"), float("nan")]).numpy().tolist()
    [True, False, False]
    """
    return xp.isfinite(x)


@primitive(elementwise=True, differentiable=False, result_dtype=np.bool_)
def is_inf(xp: Any, x: Any) -> Any:
    """Whether ``x`` is infinite, element-wise.

    >>> tf.math.is_inf([1.0, float("inf"), float("nan")]).numpy().tolist()
    [False, True, False]
    """
    return xp.isinf(x)


@primitive(elementwise=True, differentiable=False, result_dtype=np.bool_)
def is_nan(xp: Any, x: Any) -> Any:
    """Whether ``x`` is not a number, element-wise.

    >>> tf.math.is_nan([1.0, float("inf"), float("nan")]).numpy().tolist()
    [False, False, True]
    """
    return xp.isnan(x)


@primitive(elementwise=True, differentiable=False, result_dtype=np.bool_)
def signbit(xp: Any, x: Any) -> Any:
    """Whether the sign of ``x`` is negative, also of -0 and NaN; element-wise."""
    return xp.signbit(x)


@primitive(elementwise=True, differentiable=False, result_dtype=np.bool_)
def isclose(xp: Any, x: Any, y: Any, *, rtol: float, atol: float, equal_nan: bool) -> Any:
    """Whether ``|x - y|`` is at most ``atol + rtol |y|``, element-wise with broadcasting."""
    return xp.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)
