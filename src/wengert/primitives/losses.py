"""Losses: cross-entropies from logits, the Poisson loss and the squared norm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec, broadcast_shapes, normalize_axis
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.activation import require_floating, softplus
from wengert.primitives.arithmetic import multiply, square, where_
from wengert.primitives.exponential import exp, log
from wengert.primitives.primitive import primitive
from wengert.primitives.reduce import reduce_sum
from wengert.primitives.shape import broadcast_to_, transpose_
from wengert.primitives.softmax import log_softmax_
from wengert.quiet import quietly
from wengert.tensor import as_operand

__all__ = [
    "l2_loss",
    "log_poisson_loss",
    "sigmoid_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits",
    "sparse_softmax_cross_entropy_with_logits",
    "weighted_cross_entropy_with_logits",
]


def _cross_entropy_of_arrays(labels: Any, logits: Any) -> Any:
    """The product of a label 0 and a log-probability of minus infinity is replaced, so its warning is not wanted."""
    return quietly(softmax_cross_entropy.forward, np, labels, logits)


@primitive(same_dtype=("labels", "logits"), eager=_cross_entropy_of_arrays)
def softmax_cross_entropy(xp: Any, labels: Any, logits: Any) -> Any:
    """The cross-entropy along the last axis of labels and logits, which have one shape."""
    products = labels * log_softmax_.forward(xp, logits, axis=-1)
    return -xp.add.reduce(xp.where(labels == 0, 0, products), axis=-1)


softmax_cross_entropy.vjp(
    lambda xp, g, logits: -g[..., None] * xp.log_softmax(logits, axis=len(logits.shape) - 1),
    lambda xp, g, labels, logits: g[..., None] * _slope(xp, labels, logits),
)
softmax_cross_entropy.jvp(
    lambda xp, t, logits: -xp.sum(t * xp.log_softmax(logits, axis=len(logits.shape) - 1), axis=-1),
    lambda xp, t, labels, logits: xp.sum(t * _slope(xp, labels, logits), axis=-1),
)


def _slope(xp: Any, labels: Any, logits: Any) -> Any:
    """The gradient of the cross-entropy by the logits, also for labels that do not sum to 1."""
    return xp.softmax(logits, axis=len(logits.shape) - 1) * xp.sum(labels, axis=-1, keepdims=True) - labels


@softmax_cross_entropy.spec
def _softmax_cross_entropy_spec(labels: Spec, logits: Spec) -> Spec:
    return Spec(logits.shape[:-1], logits.dtype)


def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: int = -1, name: str | None = None) -> Any:
    """The cross-entropy ``-sum(labels * log_softmax(logits))`` along an axis, differentiable by both.

    A class with label 0 contributes nothing, even with a logit of minus infinity.

    Args:
        labels: probabilities of each class; real floating tensor that broadcasts with the logits.
        logits: real floating tensor, ``(..., classes)`` if ``axis`` is the last.
        axis: of the classes.

    Returns:
        Losses, in the shape of the logits without the axis.

    Raises:
        InvalidArgumentError: the shapes do not broadcast, or have no such axis.
        DTypeError: the dtypes are not real floating.

    >>> tf.nn.softmax_cross_entropy_with_logits([[0.0, 1.0]], [[1000.0, 0.0]]).numpy().tolist()
    [1000.0]
    """
    z, x = softmax_cross_entropy.align((labels, logits))
    shape = x._array.shape
    if z._array.shape != shape:
        shape = broadcast_shapes(z._array.shape, shape)
        z, x = (t if t._array.shape == shape else broadcast_to_(t, shape=shape) for t in (z, x))
    at = normalize_axis(axis, len(shape))
    if at != len(shape) - 1:
        axes = (*(k for k in range(len(shape)) if k != at), at)
        z, x = transpose_(z, axes=axes), transpose_(x, axes=axes)
    return softmax_cross_entropy(z, x)


@primitive()
def sparse_softmax_cross_entropy(xp: Any, labels: Any, logits: Any) -> Any:
    """The negative log-probability that the logits along the last axis give to the class of each label."""
    classes, which = logits.shape[-1], labels.reshape(-1)
    if which.size and (which.min() < 0 or which.max() >= classes):
        where = tuple(int(k) for k in xp.argwhere((labels < 0) | (labels >= classes))[0])
        raise InvalidArgumentError(f"label {int(labels[where])} at {list(where)} is no class from 0 to {classes - 1}")
    scores = log_softmax_.forward(xp, logits, axis=-1).reshape(which.size, classes)
    return -scores[xp.arange(which.size), which].reshape(labels.shape)


@sparse_softmax_cross_entropy.vjp_of("logits")
def _sparse_vjp(xp: Any, g: Any, labels: Any, logits: Any) -> Any:
    g = g[..., None]
    return g * xp.softmax(logits, axis=len(logits.shape) - 1) - xp.where(_chosen(labels, logits), g, 0)


@sparse_softmax_cross_entropy.jvp_of("logits")
def _sparse_jvp(xp: Any, t: Any, labels: Any, logits: Any) -> Any:
    expected = t * xp.softmax(logits, axis=len(logits.shape) - 1)
    return xp.sum(expected - xp.where(_chosen(labels, logits), t, 0), axis=-1)


def _chosen(labels: Any, logits: Any) -> Any:
    """Which class each label names: the labels as boolean one-hot vectors."""
    return labels[..., None] == np.arange(logits.shape[-1], dtype=labels.dtype)


@sparse_softmax_cross_entropy.spec
def _sparse_spec(labels: Spec, logits: Spec) -> Spec:
    return Spec(labels.shape, logits.dtype)


def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> Any:
    """The cross-entropy of logits along the last axis, each example's class being given by its number.

    Args:
        labels: integer tensor of shape ``(...)`` with numbers from 0 to ``classes - 1``.
        logits: real floating tensor of shape ``(..., classes)``.

    Returns:
        Losses, in the shape of the labels.

    Raises:
        InvalidArgumentError: a label is no class, or the shapes do not fit.
        DTypeError: the labels are not integers, or the logits not real floating.

    >>> tf.nn.sparse_softmax_cross_entropy_with_logits([1], [[1000.0, 0.0]]).numpy().tolist()
    [1000.0]
    """
    z: Any = as_operand(labels)
    x: Any = as_operand(logits)
    if z._array.dtype.kind not in "iu":
        raise DTypeError(
            f"sparse_softmax_cross_entropy_with_logits: labels are numbers of classes, got dtype {z._array.dtype}. "
            "For probabilities of classes use softmax_cross_entropy_with_logits."
        )
    if not x._array.ndim or z._array.shape != x._array.shape[:-1]:
        raise InvalidArgumentError(
            f"sparse_softmax_cross_entropy_with_logits: logits of shape {x._array.shape} take labels with one axis "
            f"less, got shape {z._array.shape}"
        )
    return sparse_softmax_cross_entropy(z, x)


@primitive(elementwise=True)
def sigmoid_cross_entropy(xp: Any, labels: Any, logits: Any) -> Any:
    """The cross-entropy of probabilities ``labels`` and ``sigmoid(logits)``, element-wise."""
    x = require_floating(logits)
    return xp.maximum(x, 0) - x * labels + xp.log1p(xp.exp(-xp.abs(x)))


sigmoid_cross_entropy.vjp(
    lambda xp, g, logits: -g * logits,
    lambda xp, g, labels, logits: g * (xp.sigmoid(logits) - labels),
)


def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Any:
    """The cross-entropy of independent events, ``-z log(sigmoid(x)) - (1 - z) log(1 - sigmoid(x))``, element-wise.

    Args:
        labels: the probabilities ``z``; real floating tensor.
        logits: the ``x``, with the same shape and dtype.

    Raises:
        InvalidArgumentError: the shapes differ.
        DTypeError: the dtypes are not real floating.

    >>> tf.nn.sigmoid_cross_entropy_with_logits(labels=[0.0, 1.0], logits=[1000.0, 1000.0]).numpy().tolist()
    [1000.0, 0.0]
    """
    z, x = sigmoid_cross_entropy.align((labels, logits))
    _check_same_shape("sigmoid_cross_entropy_with_logits", z, x)
    return sigmoid_cross_entropy(z, x)


def _check_same_shape(operation: str, labels: Any, logits: Any) -> None:
    if labels._array.shape != logits._array.shape:
        shapes = f"{labels._array.shape} and {logits._array.shape}"
        raise InvalidArgumentError(f"{operation}: labels and logits must have one shape, got {shapes}")


def weighted_cross_entropy_with_logits(labels: Any, logits: Any, pos_weight: Any, name: str | None = None) -> Any:
    """:func:`sigmoid_cross_entropy_with_logits` with the term of positive labels multiplied by ``pos_weight``.

    Args:
        labels: the probabilities ``z``; real floating tensor.
        logits: the ``x``, with the same shape and dtype.
        pos_weight: ``q`` in ``-q z log(sigmoid(x)) - (1 - z) log(1 - sigmoid(x))``; broadcasts.

    Raises:
        InvalidArgumentError: the shapes differ.

    >>> tf.nn.weighted_cross_entropy_with_logits([1.0], [0.0], 2.0).numpy().tolist()
    [1.3862943649291992]
    """
    z, x = sigmoid_cross_entropy.align((labels, logits))
    _check_same_shape("weighted_cross_entropy_with_logits", z, x)
    return (1 - z) * x + (1 + (pos_weight - 1) * z) * softplus(-x)


def log_poisson_loss(targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None) -> Any:
    """The negative log-likelihood of counts under a Poisson distribution, element-wise.

    Args:
        targets: the counts ``z``; real floating tensor.
        log_input: the logarithm ``c`` of the expected count, with the same shape and dtype.
        compute_full_loss: add Stirling's approximation of ``log(z!)`` for ``z > 1``, which does not depend on ``c``.

    Returns:
        ``exp(c) - z * c``, plus ``z log(z) - z + log(2 pi z) / 2`` for the full loss.

    Raises:
        InvalidArgumentError: the shapes differ.

    >>> tf.nn.log_poisson_loss([2.0], [0.0]).numpy().tolist()
    [1.0]
    """
    z, c = multiply.align((targets, log_input))
    _check_same_shape("log_poisson_loss", z, c)
    loss = exp(c) - z * c
    if not compute_full_loss:
        return loss
    large = (z < 0) | (z > 1)
    safe = where_(large, z, 1.0)
    return loss + where_(large, safe * log(safe) - safe + 0.5 * log(2 * math.pi * safe), 0.0)


def l2_loss(t: Any, name: str | None = None) -> Any:
    """Half the sum of squares of all elements.

    >>> float(tf.nn.l2_loss([3.0, 4.0]))
    12.5
    """
    return 0.5 * reduce_sum(square(t))
