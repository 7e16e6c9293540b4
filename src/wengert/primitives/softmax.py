"""The softmax and its logarithm."""

from __future__ import annotations

from typing import Any

from wengert.arrays.shapes import Spec, normalize_axis
from wengert.primitives.activation import require_floating
from wengert.primitives.primitive import primitive
from wengert.tensor import as_operand

__all__ = ["log_softmax", "softmax"]


def _shifted(xp: Any, x: Any, axis: int) -> Any:
    """``x`` less its maximum along the axis, which changes no softmax and keeps exponentials finite."""
    return x - xp.max(x, axis=axis, keepdims=True) if x.shape[axis] else x


@primitive()
def softmax_(xp: Any, x: Any, *, axis: int) -> Any:
    """Exponentials along an axis, divided by their sum."""
    e = xp.exp(_shifted(xp, require_floating(x), axis))
    return e / xp.add.reduce(e, axis=axis, keepdims=True)


@softmax_.vjp
def _softmax_vjp(xp: Any, g: Any, out: Any, axis: int) -> Any:
    weighted = g * out
    return weighted - out * xp.sum(weighted, axis=axis, keepdims=True)


softmax_.jvp(_softmax_vjp)  # the Jacobian, diag(p) - p p^T, is symmetric


@primitive()
def log_softmax_(xp: Any, x: Any, *, axis: int) -> Any:
    """Logarithms of the softmax along an axis."""
    shifted = _shifted(xp, require_floating(x), axis)
    return shifted - xp.log(xp.add.reduce(xp.exp(shifted), axis=axis, keepdims=True))


log_softmax_.vjp(lambda xp, g, out, axis: g - xp.exp(out) * xp.sum(g, axis=axis, keepdims=True))
log_softmax_.jvp(lambda xp, t, out, axis: t - xp.sum(xp.exp(out) * t, axis=axis, keepdims=True))


@softmax_.spec
@log_softmax_.spec
def _same_spec(x: Spec, *, axis: int) -> Spec:
    return x


def softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Any:
    """Probabilities proportional to the exponentials of the logits along an axis.

    Args:
        logits: real floating tensor with at least one axis, of any size: what is added to all of them changes nothing.
        axis: the axis along which probabilities sum to 1, by default the last.

    Raises:
        InvalidArgumentError: no such axis, or a tensor of shape ``()``.
        DTypeError: integers, booleans or complex numbers.

    >>> x = tf.constant([1.0, 2.0, 3.0])
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     p = tf.nn.softmax(x)
    ...     first = p[0]
    >>> [round(v, 6) for v in p.numpy().tolist()]
    [0.090031, 0.244728, 0.665241]
    >>> [round(v, 6) for v in tape.gradient(first, x).numpy().tolist()]
    [0.081925, -0.022033, -0.059892]
    """
    x: Any = as_operand(logits)
    return softmax_(x, axis=normalize_axis(-1 if axis is None else axis, x._array.ndim))


def log_softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Any:
    """The logarithm of the softmax along an axis, exact also where a probability is 0 in floats.

    Args:
        logits: real floating tensor with at least one axis.
        axis: by default the last.

    Raises:
        InvalidArgumentError: no such axis, or a tensor of shape ``()``.
        DTypeError: integers, booleans or complex numbers.

    >>> tf.nn.log_softmax([0.0, 1000.0]).numpy().tolist()
    [-1000.0, 0.0]
    """
    x: Any = as_operand(logits)
    return log_softmax_(x, axis=normalize_axis(-1 if axis is None else axis, x._array.ndim))
