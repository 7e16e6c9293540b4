"""``np.convolve`` and ``np.correlate`` on tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.errors import InvalidArgumentError
from wengert.numpy.dispatch import implements
from wengert.primitives.arithmetic import conj
from wengert.primitives.convolve import convolution_
from wengert.primitives.index import getitem
from wengert.primitives.shape import reshape_

__all__: list[str] = []

_REVERSED = (slice(None, None, -1),)


def _slid(operation: str, a: Any, v: Any, mode: Any) -> Any:
    """The sums of products of ``a`` with ``v``, which is not the longer one, at each place of it."""
    n, m = a._array.size, v._array.size
    # numbers of places before the first and after the last element, as NumPy's modes have them
    places = {"valid": (0, 0), "same": (m // 2, m - 1 - m // 2), "full": (m - 1, m - 1)}
    padding = places.get({0: "valid", 1: "same", 2: "full"}.get(mode, mode))
    if padding is None:
        raise InvalidArgumentError(f"np.{operation}: mode must be 'full', 'same' or 'valid', got {mode!r}")
    y = convolution_(
        reshape_(a, shape=(1, n, 1)),
        reshape_(v, shape=(m, 1, 1)),
        strides=(1,),
        dilations=(1,),
        padding=(padding,),
        groups=1,
    )
    return reshape_(y, shape=(-1,))


def _checked(operation: str, a: Any, v: Any) -> tuple[Any, Any]:
    a, v = convolution_.align((a, v))
    if a._array.ndim > 1 or v._array.ndim > 1 or not a._array.size or not v._array.size:
        raise InvalidArgumentError(
            f"np.{operation} takes two non-empty one-dimensional tensors, "
            f"got shapes {a._array.shape} and {v._array.shape}"
        )
    return a, v


@implements(np.convolve)
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """The convolution of two sequences."""
    a, v = _checked("convolve", a, v)
    if v._array.size > a._array.size:
        a, v = v, a
    return _slid("convolve", a, getitem(reshape_(v, shape=(-1,)), _REVERSED), mode)


@implements(np.correlate)
def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    """The cross-correlation of two sequences, the second one conjugated."""
    a, v = _checked("correlate", a, v)
    v = conj(v)
    if v._array.size > a._array.size:
        return getitem(_slid("correlate", v, a, mode), _REVERSED)
    return _slid("correlate", a, v, mode)
