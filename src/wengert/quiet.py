"""Silence for NumPy's floating-point warnings, at the price of one context variable.

The backward pass divides by zero on purpose now and then (and selects the other branch); NumPy would warn.
``np.errstate`` costs as much as a whole small operation, since it builds a new state each time. The state can be built
once.
"""

from __future__ import annotations

import contextvars
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
