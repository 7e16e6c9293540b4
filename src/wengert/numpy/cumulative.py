"""Running sums and products, differences and the trapezoidal rule, under NumPy's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.shapes import normalize_axis
from wengert.errors import InvalidArgumentError
from wengert.numpy.dispatch import implements, method, only_defaults
from wengert.numpy.reduce import accumulating
from wengert.primitives.cumulative import running_product, running_sum
from wengert.primitives.join import concat
from wengert.primitives.reduce import sum_
from wengert.primitives.shape import broadcast_to_, reshape_
from wengert.tensor import as_operand

__all__: list[str] = []


def _running(name: str, along: Any, a: Any, axis: Any, dtype: Any) -> Any:
    a = accumulating(a, dtype)
    if axis is None:
        a, axis = reshape_(a, shape=(a._array.size,)), 0
    return along(a, axis=normalize_axis(axis, a._array.ndim, name), reverse=False)


@implements(np.cumsum)
@method("cumsum")
def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The sums of the elements along an axis, or of all, up to each one."""
    only_defaults("cumsum", out=out)
    return _running("cumsum", running_sum, a, axis, dtype)


@implements(np.cumprod)
@method("cumprod")
def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The products of the elements along an axis, or of all, up to each one."""
    only_defaults("cumprod", out=out)
    return _running("cumprod", running_product, a, axis, dtype)


def _with_initial(name: str, along: Any, x: Any, axis: Any, dtype: Any, include_initial: bool, initial: float) -> Any:
    x = accumulating(x, dtype)
    if axis is None and x._array.ndim != 1:
        raise InvalidArgumentError(f"np.{name}: the axis must be named for shape {x._array.shape}")
    k = normalize_axis(0 if axis is None else axis, x._array.ndim, name)
    if include_initial:
        shape = x._array.shape
        x = concat([np.full((*shape[:k], 1, *shape[k + 1 :]), initial, x._array.dtype), x], k)
    return along(x, axis=k, reverse=False)


@implements("cumulative_sum")
def cumulative_sum(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Any:
    """The sums of the elements along an axis up to each one, led by 0 if ``include_initial``."""
    only_defaults("cumulative_sum", out=out)
    return _with_initial("cumulative_sum", running_sum, x, axis, dtype, include_initial, 0)


@implements("cumulative_prod")
def cumulative_prod(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Any:
    """The products of the elements along an axis up to each one, led by 1 if ``include_initial``."""
    only_defaults("cumulative_prod", out=out)
    return _with_initial("cumulative_prod", running_product, x, axis, dtype, include_initial, 1)


def _neighbours(x: Any, axis: int) -> tuple[Any, Any]:
    """All elements but the first along an axis, and all but the last."""
    lead = (slice(None),) * axis
    return x[(*lead, slice(1, None))], x[(*lead, slice(None, -1))]


def _end(part: Any, shape: tuple[int, ...], axis: int) -> list[Any]:
    """What ``diff`` puts before or behind the elements: nothing, or one tensor."""
    if part is None or part is np._NoValue:
        return []
    part = as_operand(part)
    return [part if part._array.ndim else broadcast_to_(part, shape=(*shape[:axis], 1, *shape[axis + 1 :]))]


@implements(np.diff)
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """The differences of neighbours along an axis, taken ``n`` times."""
    a = as_operand(a)
    k = normalize_axis(axis, a._array.ndim, "diff")
    if n < 0:
        raise InvalidArgumentError(f"np.diff: n must not be negative, got {n}")
    if n == 0:
        return a
    ends = [_end(part, a._array.shape, k) for part in (prepend, append)]
    if ends != [[], []]:
        a = concat([*ends[0], a, *ends[1]], k)
    for _ in range(n):
        after, before = _neighbours(a, k)
        a = after != before if a._array.dtype.kind == "b" else after - before
    return a


@implements(np.trapezoid)
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The integral of ``y`` along an axis by the trapezoidal rule, at places ``x`` or at distances ``dx``."""
    y = as_operand(y)
    k = normalize_axis(axis, y._array.ndim, "trapezoid")
    if x is not None:
        x = as_operand(x)
        dx = diff(x, axis=-1 if x._array.ndim == 1 else axis)
        if x._array.ndim == 1:
            dx = reshape_(dx, shape=(dx._array.size, *(1,) * (y._array.ndim - 1 - k)))
    after, before = _neighbours(y, k)
    return sum_((after + before) * dx / 2, axis=(k,), keepdims=False)
