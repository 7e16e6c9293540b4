"""Exponentials, logarithms and roots."""

from __future__ import annotations

from typing import Any

from wengert.primitives.floating import gives_floats
from wengert.primitives.primitive import primitive

__all__ = [
    "cbrt",
    "exp",
    "exp2",
    "expm1",
    "hypot",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "rsqrt",
    "sqrt",
    "xdivy",
    "xlog1py",
    "xlogy",
]

_LOG_2, _LOG_10 = 0.6931471805599453, 2.302585092994046


@gives_floats
@primitive(elementwise=True)
def exp(xp: Any, x: Any) -> Any:
    """The exponential, element-wise.

    >>> tf.exp([0.0]).numpy().tolist()
    [1.0]
    """
    return xp.exp(x)


exp.vjp(lambda xp, g, out: g * out)


@gives_floats
@primitive(elementwise=True)
def expm1(xp: Any, x: Any) -> Any:
    """``exp(x) - 1``, element-wise, exact also for small ``x``.

    >>> float(tf.math.expm1(1e-8))
    9.99999993922529e-09
    """
    return xp.expm1(x)


# not g * (out + 1), which has no digits left where the result is close to -1
expm1.vjp(lambda xp, g, x: g * xp.exp(x))


@gives_floats
@primitive(elementwise=True)
def exp2(xp: Any, x: Any) -> Any:
    """2 to the power ``x``, element-wise."""
    return xp.exp2(x)


exp2.vjp(lambda xp, g, out: g * (_LOG_2 * out))


@gives_floats
@primitive(elementwise=True)
def log(xp: Any, x: Any) -> Any:
    """The natural logarithm, element-wise.

    >>> tf.math.log([1.0]).numpy().tolist()
    [0.0]
    """
    return xp.log(x)


log.vjp(lambda xp, g, x: g / x)


@gives_floats
@primitive(elementwise=True)
def log1p(xp: Any, x: Any) -> Any:
    """``log(1 + x)``, element-wise, exact also for small ``x``.

    >>> float(tf.math.log1p(1e-8))
    9.99999993922529e-09
    """
    return xp.log1p(x)


log1p.vjp(lambda xp, g, x: g / (1 + x))


@gives_floats
@primitive(elementwise=True)
def log2(xp: Any, x: Any) -> Any:
    """The logarithm to base 2, element-wise."""
    return xp.log2(x)


log2.vjp(lambda xp, g, x: g / (_LOG_2 * x))


@gives_floats
@primitive(elementwise=True)
def log10(xp: Any, x: Any) -> Any:
    """The logarithm to base 10, element-wise."""
    return xp.log10(x)


log10.vjp(lambda xp, g, x: g / (_LOG_10 * x))


@gives_floats
@primitive(elementwise=True)
def logaddexp(xp: Any, x: Any, y: Any) -> Any:
    """``log(exp(x) + exp(y))``, element-wise with broadcasting, without overflow."""
    return xp.logaddexp(x, y)


def _larger_by(xp: Any, x: Any, y: Any) -> Any:
    """``x - y``, and 0 between equal infinities, which have no difference."""
    return xp.where((x == y) & (xp.absolute(x) == float("inf")), 0, x - y)


logaddexp.vjp(
    lambda xp, g, x, y: g * xp.sigmoid(_larger_by(xp, x, y)),
    lambda xp, g, x, y: g * xp.sigmoid(_larger_by(xp, y, x)),
)


@gives_floats
@primitive(elementwise=True)
def sqrt(xp: Any, x: Any) -> Any:
    """The square root, element-wise; its derivative at 0 is infinite.

    >>> tf.sqrt([4.0, 9.0]).numpy().tolist()
    [2.0, 3.0]
    """
    return xp.sqrt(x)


sqrt.vjp(lambda xp, g, out: 0.5 * g / out)


@gives_floats
@primitive(elementwise=True)
def rsqrt(xp: Any, x: Any) -> Any:
    """The reciprocal ``1 / sqrt(x)`` of the square root, element-wise.

    >>> tf.math.rsqrt([4.0, 16.0]).numpy().tolist()
    [0.5, 0.25]
    """
    return 1 / xp.sqrt(x)


rsqrt.vjp(lambda xp, g, x, out: -0.5 * g * out / x)


@gives_floats
@primitive(elementwise=True)
def cbrt(xp: Any, x: Any) -> Any:
    """The real cube root, element-wise; its derivative at 0 is infinite."""
    return xp.cbrt(x)


cbrt.vjp(lambda xp, g, out: g / (3 * out * out))


@gives_floats
@primitive(elementwise=True)
def hypot(xp: Any, x: Any, y: Any) -> Any:
    """``sqrt(x**2 + y**2)``, element-wise with broadcasting, without overflow; its derivatives at the origin are 0."""
    return xp.hypot(x, y)


hypot.vjp(
    lambda xp, g, x, out: g * xp.divide_no_nan(x, out),
    lambda xp, g, y, out: g * xp.divide_no_nan(y, out),
)


# --- products with a zero that wins ----------------------------------------------------------------------------------


@gives_floats
@primitive(elementwise=True)
def xlogy(xp: Any, x: Any, y: Any) -> Any:
    """``x * log(y)``, and 0 where ``x`` is 0, whatever ``y`` is; element-wise with broadcasting.

    The derivatives are 0 as well where ``x`` is 0, as in TensorFlow.

    >>> tf.math.xlogy([0.0, 2.0], [0.0, 1.0]).numpy().tolist()
    [0.0, 0.0]
    """
    return x * _log_where(xp, x, y)


def _log_where(xp: Any, x: Any, y: Any) -> Any:
    """``log(y)``, and 0 where ``x`` is 0."""
    return xp.log(xp.where(x == 0, 1, y))


xlogy.vjp(lambda xp, g, x, y: g * _log_where(xp, x, y), lambda xp, g, x, y: g * xp.xdivy(x, y))


@gives_floats
@primitive(elementwise=True)
def xlog1py(xp: Any, x: Any, y: Any) -> Any:
    """``x * log(1 + y)``, and 0 where ``x`` is 0, whatever ``y`` is; element-wise with broadcasting.

    The derivatives are 0 as well where ``x`` is 0, as in TensorFlow.

    >>> tf.math.xlog1py([0.0, 2.0], [-1.0, 0.0]).numpy().tolist()
    [0.0, 0.0]
    """
    return x * _log1p_where(xp, x, y)


def _log1p_where(xp: Any, x: Any, y: Any) -> Any:
    """``log(1 + y)``, and 0 where ``x`` is 0."""
    return xp.log1p(xp.where(x == 0, 0, y))


xlog1py.vjp(lambda xp, g, x, y: g * _log1p_where(xp, x, y), lambda xp, g, x, y: g * xp.xdivy(x, 1 + y))


@gives_floats
@primitive(elementwise=True)
def xdivy(xp: Any, x: Any, y: Any) -> Any:
    """``x / y``, and 0 where ``x`` is 0, whatever ``y`` is; element-wise with broadcasting.

    The derivatives are 0 as well where ``x`` is 0, as in TensorFlow.

    >>> tf.math.xdivy([0.0, 2.0], [0.0, 4.0]).numpy().tolist()
    [0.0, 0.5]
    """
    return x / xp.where(x == 0, 1, y)


@xdivy.vjp_of("x")
def _xdivy_vjp_x(xp: Any, g: Any, x: Any, y: Any) -> Any:
    zero = x == 0
    return xp.where(zero, 0, g / xp.where(zero, 1, y))


@xdivy.vjp_of("y")
def _xdivy_vjp_y(xp: Any, g: Any, y: Any, out: Any) -> Any:
    return -g * xp.xdivy(out, y)
