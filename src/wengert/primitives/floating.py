"""What functions with floating results share: their dtype, and SciPy."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from wengert.arrays.lazy import scipy_special
from wengert.arrays.shapes import Spec, broadcast_shapes
from wengert.primitives.primitive import Primitive

__all__ = ["floating_dtype", "from_float64", "from_scipy", "gives_floats"]


@cache
def floating_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which NumPy computes the exponential of that dtype: itself, or that of a wide enough float."""
    return dtype if dtype.kind in "fcV" else np.exp(np.empty(0, dtype)).dtype


def _floating_spec(*inputs: Spec) -> Spec:
    dtype = floating_dtype(np.result_type(*(x.dtype for x in inputs)) if len(inputs) > 1 else inputs[0].dtype)
    return Spec(broadcast_shapes(*(x.shape for x in inputs)), dtype)


def gives_floats(rule: Primitive) -> Primitive:
    """Decorator: the element-wise primitive takes integers as well, and turns them into floats, as NumPy does."""
    rule.spec(lambda *inputs, **params: _floating_spec(*inputs))
    return rule


def from_scipy(name: str, *arrays: Any) -> Any:
    """The function of ``scipy.special`` of that name, in the dtype of the first array.

    SciPy computes in float32, float64 and their complex kin; 16-bit floats go through float32.
    """
    dtype = floating_dtype(arrays[0].dtype)
    wide = np.dtype(np.float32) if dtype.itemsize == 2 else dtype
    result = getattr(scipy_special, name)(*(x.astype(wide, copy=False) for x in arrays))
    return result.astype(dtype, copy=False)


def from_float64(result: Any, dtype: np.dtype[Any]) -> Any:
    """A float64 result in the dtype that arguments of ``dtype`` call for."""
    return result.astype(floating_dtype(dtype), copy=False)
