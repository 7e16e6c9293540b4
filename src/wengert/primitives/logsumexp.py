"""The logarithm of a sum of exponentials, over axes and running along one."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import normalize_axes
from wengert.errors import DTypeError
from wengert.primitives.cumulative import accumulated, running
from wengert.primitives.primitive import primitive
from wengert.primitives.reduce import reduction_spec
from wengert.quiet import quietly
from wengert.tensor import convert_to_tensor

__all__ = ["cumulative_logsumexp", "reduce_logsumexp"]


@primitive()
def logsumexp(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """``log(sum(exp(x)))`` over axes, without overflow; of nothing, or of -inf alone, it is -inf."""
    peak = xp.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf)
    peak = xp.where(xp.isfinite(peak), peak, x.dtype.type(0))
    total = xp.add.reduce(xp.exp(x - peak), axis=axis, keepdims=keepdims, dtype=x.dtype)
    if not keepdims:
        peak = xp.reshape(peak, total.shape)
    return quietly(xp.log, total) + peak


@logsumexp.vjp
def _logsumexp_vjp(xp: Any, g: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    share = xp.exponential_share(x, axis=axis)
    return xp.spread(g, shape=tuple(x.shape), axis=axis, keepdims=keepdims) * share


@logsumexp.jvp
def _logsumexp_jvp(xp: Any, t: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    return xp.sum(t * xp.exponential_share(x, axis=axis), axis=axis, keepdims=keepdims)


logsumexp.spec(reduction_spec)


@primitive()
def exponential_share(xp: Any, x: Any, *, axis: tuple[int, ...]) -> Any:
    """``exp(x)`` divided by its sum over axes: what each element contributes to the log-sum-exp.

    Where the sum is infinite, those elements share it equally that are; where all are -inf, each contributes 0.
    """
    largest = np.finfo(x.dtype).max
    x = xp.minimum(x, largest)
    peak = xp.maximum.reduce(x, axis=axis, keepdims=True, initial=-largest)
    share = xp.exp(x - peak)
    total = xp.add.reduce(share, axis=axis, keepdims=True, dtype=x.dtype)
    return share / xp.where(total == 0, x.dtype.type(1), total)


@exponential_share.vjp
def _exponential_share_vjp(xp: Any, g: Any, out: Any, axis: Any) -> Any:
    weighted = g * out
    return weighted - out * xp.sum(weighted, axis=axis, keepdims=True)


exponential_share.jvp(_exponential_share_vjp)  # the Jacobian, diag(p) - p p^T, is symmetric
exponential_share.spec(lambda x, axis: x)


def reduce_logsumexp(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """``log(sum(exp(x)))`` over the given axes (all, by default), without overflow.

    Elements that are -inf count as absent: the result of nothing but them is -inf, with gradient 0.

    Args:
        input_tensor: floating tensor.
        axis: an axis, or several.
        keepdims: keep the reduced axes, with size 1.

    Raises:
        DTypeError: the tensor is not of real floating numbers.
        InvalidArgumentError: an axis is out of range or named twice.

    >>> round(float(tf.reduce_logsumexp([1000.0, 1000.0])), 3)
    1000.693
    """
    x = convert_to_tensor(input_tensor)
    _check_floating("reduce_logsumexp", x)
    return logsumexp(x, axis=normalize_axes(axis, x._array.ndim, "reduce_logsumexp"), keepdims=bool(keepdims))


def _check_floating(operation: str, x: Any) -> None:
    if not x.dtype.is_floating:
        raise DTypeError(
            f"{operation}: takes real floating numbers, got {x._array.dtype}{list(x._array.shape)}; convert it with "
            "tf.cast"
        )


@primitive()
def running_logsumexp(xp: Any, x: Any, *, axis: int, reverse: bool) -> Any:
    """``log(sum(exp(x)))`` of the elements along an axis up to each one."""
    return accumulated(xp.logaddexp, x, axis, reverse)


@running_logsumexp.vjp
def _running_logsumexp_vjp(xp: Any, g: Any, x: Any, out: Any, axis: Any, reverse: Any) -> Any:
    # x[k] has the share exp(x[k] - out[i]) in each out[i], i >= k. Since out grows with i, the sum of g[i] times
    # exp(out[k] - out[i]), s[k] = g[k] + exp(out[k] - out[k + 1]) s[k + 1], has exponents that are never positive
    decay = _share(xp, out, xp.shifted(out, axis=axis, steps=1 if reverse else -1, fill=np.inf))
    return _share(xp, x, out) * xp.linear_recurrence(decay, g, axis=axis, reverse=not reverse)


@running_logsumexp.jvp
def _running_logsumexp_jvp(xp: Any, t: Any, x: Any, out: Any, axis: Any, reverse: Any) -> Any:
    decay = _share(xp, xp.shifted(out, axis=axis, steps=-1 if reverse else 1, fill=-np.inf), out)
    return xp.linear_recurrence(decay, t * _share(xp, x, out), axis=axis, reverse=reverse)


running_logsumexp.spec(lambda x, axis, reverse: x)


def _share(xp: Any, x: Any, total: Any) -> Any:
    """``exp(x - total)`` for ``x <= total``; of two that are infinite alike it is 1 at inf, and 0 at -inf."""
    infinite = (total == np.inf) | (total == -np.inf)
    difference = xp.where(infinite, 0, x - xp.where(infinite, 0, total))
    return xp.exp(xp.where(infinite & (x != np.inf), -np.inf, difference))


def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:
    """``log(sum(exp(x)))`` of the elements along an axis up to each one, without overflow.

    Args:
        x: floating tensor with at least one axis.
        axis: the axis to run along.
        exclusive: leave the element itself out, so that the first result is -inf.
        reverse: run from the end to the start.

    Raises:
        DTypeError: the tensor is not of real floating numbers.
        InvalidArgumentError: the axis is out of range.

    >>> tf.math.cumulative_logsumexp([0.0, 0.0], exclusive=True).numpy().tolist()
    [-inf, 0.0]
    """
    x = convert_to_tensor(x)
    _check_floating("cumulative_logsumexp", x)
    return running("cumulative_logsumexp", running_logsumexp, x, axis, exclusive, reverse, -np.inf)
