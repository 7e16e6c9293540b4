"""Running sums and products, and the linear recurrence that their derivatives are made of."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from wengert.arrays.shapes import normalize_axis
from wengert.errors import DTypeError
from wengert.primitives.primitive import Primitive, primitive
from wengert.tensor import convert_to_tensor

__all__ = ["accumulated", "cumprod", "cumsum", "running"]

#: from this many elements in a slice, operations on whole slices are sooner done than NumPy's ``accumulate``
_WIDE: Final = 512


@primitive()
def shifted(xp: Any, x: Any, *, axis: int, steps: int, fill: float) -> Any:
    """The elements moved along an axis by a number of places, those that come in being ``fill``."""
    size = x.shape[axis]
    moved = min(abs(steps), size)
    lead = (slice(None),) * axis
    padding = xp.full((*x.shape[:axis], moved, *x.shape[axis + 1 :]), fill, x.dtype)
    if steps >= 0:
        return xp.concatenate((padding, x[(*lead, slice(0, size - moved))]), axis=axis)
    return xp.concatenate((x[(*lead, slice(moved, None))], padding), axis=axis)


shifted.vjp(lambda xp, g, axis, steps: xp.shifted(g, axis=axis, steps=-steps, fill=0.0))
shifted.jvp(lambda xp, t, axis, steps: xp.shifted(t, axis=axis, steps=steps, fill=0.0))
shifted.spec(lambda x, axis, steps, fill: x)


@primitive(linear=("drive",))
def linear_recurrence(xp: Any, factor: Any, drive: Any, *, axis: int, reverse: bool) -> Any:
    """``out[k] = factor[k] * out[k - 1] + drive[k]`` along an axis; ``reverse`` runs from the end."""
    a, b = (xp.moveaxis(x, axis, 0) for x in (factor, drive))
    if reverse:
        a, b = a[::-1], b[::-1]
    if a.ndim == 1:
        # one number at a time: Python's are quicker than arrays of shape ()
        state, states = 0, []
        for factor_k, drive_k in zip([0, *a[1:].tolist()], b.tolist()):
            state = factor_k * state + drive_k
            states.append(state)
        out = np.array(states, b.dtype)
    else:
        out = np.empty(b.shape, b.dtype)
        out[:1] = b[:1]
        for k in range(1, len(b)):
            np.multiply(a[k], out[k - 1], out=out[k])
            out[k] += b[k]
    return xp.moveaxis(out[::-1] if reverse else out, 0, axis)


@linear_recurrence.vjp_joint
def _linear_recurrence_vjp(xp: Any, g: Any, factor: Any, out: Any, axis: Any, reverse: Any) -> Any:
    back, forth = (1, -1) if reverse else (-1, 1)
    following = xp.shifted(factor, axis=axis, steps=back, fill=0.0)
    adjoint = xp.linear_recurrence(following, g, axis=axis, reverse=not reverse)
    return adjoint * xp.shifted(out, axis=axis, steps=forth, fill=0.0), adjoint


@linear_recurrence.jvp_of("factor")
def _linear_recurrence_jvp(xp: Any, t: Any, factor: Any, out: Any, axis: Any, reverse: Any) -> Any:
    before = xp.shifted(out, axis=axis, steps=-1 if reverse else 1, fill=0.0)
    return xp.linear_recurrence(factor, t * before, axis=axis, reverse=reverse)


linear_recurrence.spec(lambda factor, drive, axis, reverse: drive)


def accumulated(ufunc: np.ufunc, x: Any, axis: int, reverse: bool) -> Any:
    """``ufunc.accumulate`` along an axis, from the end to the start if ``reverse``, in the dtype of ``x``."""
    x = np.flip(x, axis) if reverse else x
    if axis == x.ndim - 1 or x.size < _WIDE * x.shape[axis]:
        out = ufunc.accumulate(x, axis=axis, dtype=x.dtype)
    else:
        # NumPy goes line by line, against the order in memory; whole slices are several times as fast
        out = np.empty(x.shape, x.dtype)
        source, target = np.moveaxis(x, axis, 0), np.moveaxis(out, axis, 0)
        target[:1] = source[:1]
        for k in range(1, len(source)):
            ufunc(target[k - 1], source[k], out=target[k])
    return np.flip(out, axis) if reverse else out


@primitive(linear=("x",))
def running_sum(xp: Any, x: Any, *, axis: int, reverse: bool) -> Any:
    """The sums of the elements along an axis up to each one, in the dtype of the input."""
    return accumulated(xp.add, x, axis, reverse)


running_sum.vjp(lambda xp, g, axis, reverse: xp.running_sum(g, axis=axis, reverse=not reverse))
running_sum.spec(lambda x, axis, reverse: x)


@primitive()
def running_product(xp: Any, x: Any, *, axis: int, reverse: bool) -> Any:
    """The products of the elements along an axis up to each one, in the dtype of the input."""
    return accumulated(xp.multiply, x, axis, reverse)


@running_product.vjp
def _running_product_vjp(xp: Any, g: Any, x: Any, out: Any, axis: Any, reverse: Any) -> Any:
    # x[k] is a factor of out[i] for each i >= k; beside it stand all before k, and those from k + 1 to i, whose sum of
    # products with g obeys s[k] = g[k] + x[k + 1] s[k + 1]: nothing is divided by, so zeros do no harm
    back, forth = (1, -1) if reverse else (-1, 1)
    following = xp.shifted(x, axis=axis, steps=back, fill=0.0)
    after = xp.linear_recurrence(following, g, axis=axis, reverse=not reverse)
    return xp.shifted(out, axis=axis, steps=forth, fill=1.0) * after


@running_product.jvp
def _running_product_jvp(xp: Any, t: Any, x: Any, out: Any, axis: Any, reverse: Any) -> Any:
    before = xp.shifted(out, axis=axis, steps=-1 if reverse else 1, fill=1.0)
    return xp.linear_recurrence(x, t * before, axis=axis, reverse=reverse)


running_product.spec(lambda x, axis, reverse: x)


def running(operation: str, along: Primitive, x: Any, axis: Any, exclusive: bool, reverse: bool, empty: float) -> Any:
    """A running reduction under TensorFlow's arguments; ``empty`` is its value for no element."""
    x = convert_to_tensor(x)
    if x._array.dtype.kind == "b":
        raise DTypeError(f"{operation}: takes numbers, got bool{list(x._array.shape)}; convert it with tf.cast")
    k = normalize_axis(axis, x._array.ndim, operation)
    result = along(x, axis=k, reverse=bool(reverse))
    return shifted(result, axis=k, steps=-1 if reverse else 1, fill=empty) if exclusive else result


def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """The sums of the elements along an axis up to each one.

    Args:
        x: tensor of numbers with at least one axis.
        axis: the axis to run along.
        exclusive: leave the element itself out, so that the first sum is 0.
        reverse: run from the end to the start.

    Raises:
        InvalidArgumentError: the axis is out of range.
        DTypeError: the tensor is boolean.

    >>> tf.cumsum([1, 2, 3]).numpy().tolist(), tf.cumsum([1, 2, 3], exclusive=True, reverse=True).numpy().tolist()
    ([1, 3, 6], [5, 3, 0])
    """
    return running("cumsum", running_sum, x, axis, exclusive, reverse, 0.0)


def cumprod(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Any:
    """The products of the elements along an axis up to each one. The gradient is exact where elements are zero.

    Args:
        x: tensor of numbers with at least one axis.
        axis: the axis to run along.
        exclusive: leave the element itself out, so that the first product is 1.
        reverse: run from the end to the start.

    Raises:
        InvalidArgumentError: the axis is out of range.
        DTypeError: the tensor is boolean.

    >>> tf.math.cumprod([2, 3, 4]).numpy().tolist(), tf.math.cumprod([2, 3, 4], exclusive=True).numpy().tolist()
    ([2, 6, 24], [1, 2, 6])
    """
    return running("cumprod", running_product, x, axis, exclusive, reverse, 1.0)
