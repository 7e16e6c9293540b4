"""Conversion and arithmetic under NumPy's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.numpy.dispatch import implements, method
from wengert.primitives import arithmetic, contract
from wengert.primitives.primitive import tensor_namespace
from wengert.tensor import Tensor, as_operand

__all__: list[str] = []


@method("astype")
@implements(np.astype)
def astype(x: Any, dtype: Any, copy: bool = True) -> Any:
    """The tensor converted to another dtype."""
    return arithmetic.cast(x, np.dtype(dtype))


def asarray(x: Any, dtype: Any = None) -> Any:
    """``x`` as a tensor."""
    return as_operand(x) if dtype is None else arithmetic.cast(x, np.dtype(dtype))


@implements(np.where)
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """NumPy's ``where``; with the condition alone, the tuple of indices along each axis."""
    if x is None and y is None:
        return tuple(Tensor(k) for k in np.nonzero(as_operand(condition)._array))
    condition = as_operand(condition)
    return arithmetic.where_(condition if condition.dtype.is_bool else condition != 0, x, y)


implements(np.matmul)(contract.matmul)
implements(np.divide)(arithmetic.divide)
implements(np.power)(arithmetic.pow_)
implements(np.remainder)(arithmetic.floormod.function)
implements(np.conjugate)(arithmetic.conj.function)
implements(np.real)(arithmetic.real.function)
implements(np.imag)(arithmetic.imag.function)
implements(np.abs)(arithmetic.absolute.function)

for _name, _function in {"asarray": asarray, "conj": arithmetic.conj.function}.items():
    setattr(tensor_namespace, _name, _function)
