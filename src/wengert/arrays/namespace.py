"""The array namespace that rules are written against, in its NumPy form.

A rule is a function of ``xp``. Every namespace has NumPy's functions under NumPy's names, and every primitive of
Wengert under the primitive's own name. This one computes on NumPy arrays: it *is* NumPy, with the primitives' forward
functions added as they are defined (see :mod:`wengert.primitives.primitive`).
"""

from __future__ import annotations

import types
from typing import Any, Final

import numpy as np

__all__ = ["numpy_namespace"]


def _conj(x: Any) -> Any:
    """The complex conjugate; a real array is its own, without a copy."""
    return np.conjugate(x) if x.dtype.kind == "c" else x


numpy_namespace: Final[Any] = types.SimpleNamespace(**{k: v for k, v in vars(np).items() if not k.startswith("_")})
numpy_namespace.conj = numpy_namespace.conjugate = _conj
