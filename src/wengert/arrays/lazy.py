"""Modules that are imported when they are first needed: SciPy's would double the time that ``import wengert`` takes."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["scipy_linalg", "scipy_sparse", "scipy_special"]


class _LazyModule:
    """Stands for a module until one of its attributes is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, value)
        return value


scipy_special: Any = _LazyModule("scipy.special")
scipy_linalg: Any = _LazyModule("scipy.linalg")
scipy_sparse: Any = _LazyModule("scipy.sparse")
