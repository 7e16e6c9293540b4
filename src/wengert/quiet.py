"""Silence for NumPy's floating-point warnings inside Wengert, at no price for an operation.

Infinity and NaN are values: TensorFlow says nothing when they appear, and ``tape.explain`` names the operation that
made the first. NumPy would warn, from a line of Wengert's that tells the user nothing. Warnings that are raised in
Wengert's own frames are filtered out; the user's own NumPy code warns as before, and ``np.errstate(all="raise")`` still
raises.

The backward pass divides by zero on purpose now and then (and selects the other branch), so there NumPy is told not to
look, even if the user asked for errors. ``np.errstate`` costs as much as a whole small operation, since it builds a new
state each time; the state can be built once.
"""

from __future__ import annotations

import contextvars
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["quietly"]


def _silent_state() -> tuple[contextvars.ContextVar[Any] | None, Any]:
    """NumPy's context variable for floating-point errors, and its value when all are ignored."""
    context = contextvars.Context()
    context.run(lambda: np.seterr(all="ignore"))
    for variable, value in context.items():
        if variable.name == "numpy.ufunc.extobj":
            return variable, value
    return None, None


_VARIABLE, _SILENT = _silent_state()

warnings.filterwarnings(
    "ignore",
    message=r"(divide by zero|overflow|underflow|invalid value) encountered",
    category=RuntimeWarning,
    module=r"wengert\.",
)


def quietly(function: Callable[..., Any], *args: Any) -> Any:
    """``function(*args)`` without floating-point warnings."""
    if _VARIABLE is None:
        with np.errstate(all="ignore"):
            return function(*args)
    token = _VARIABLE.set(_SILENT)
    try:
        return function(*args)
    finally:
        _VARIABLE.reset(token)
