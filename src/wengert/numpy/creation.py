"""Creation under NumPy's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.errors import InvalidArgumentError
from wengert.numpy.dispatch import implements, method
from wengert.primitives import arithmetic, creation
from wengert.primitives import shape as shape_module
from wengert.primitives.primitive import tensor_namespace
from wengert.tensor import Tensor, as_operand

__all__: list[str] = []


def _made_like(make: Any, a: Any, dtype: Any, shape: Any) -> Tensor:
    array = as_operand(a)._array
    sizes = array.shape if shape is None else shape_module.static_shape(shape)
    return Tensor(make(sizes, array.dtype if dtype is None else as_numpy_dtype(dtype)))


@implements(np.zeros_like)
def zeros_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, **kwargs: Any
) -> Any:
    """Zeros with the shape (and dtype) of ``a``."""
    return _made_like(np.zeros, a, dtype, shape)


@implements(np.ones_like)
def ones_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, **kwargs: Any) -> Any:
    """Ones with the shape (and dtype) of ``a``."""
    return _made_like(np.ones, a, dtype, shape)


# a tensor is never written to, so its elements must have values from the start
implements(np.empty_like)(zeros_like)


@implements(np.full_like)
def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, **kwargs: Any
) -> Any:
    """``fill_value`` with the shape (and dtype) of ``a``; differentiable by the value."""
    array = as_operand(a)._array
    sizes = array.shape if shape is None else shape_module.static_shape(shape)
    value = arithmetic.cast(fill_value, array.dtype if dtype is None else dtype)
    return shape_module.broadcast_to_(value, shape=sizes)


@implements(np.copy)
def copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    """A tensor with the same value; tensors never change, so nothing is copied."""
    return shape_module.identity(a)


@method("copy")
def _copy(self: Any, order: str = "C") -> Any:
    """A tensor with the same value; tensors never change, so nothing is copied."""
    return shape_module.identity(self)


@implements(np.linspace)
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    **kwargs: Any,
) -> Any:
    """Evenly spaced numbers from ``start`` to ``stop``; differentiable by both."""
    start, stop = arithmetic.subtract.align((start, stop))
    step = arithmetic.divide(arithmetic.subtract(stop, start), max(num - 1 if endpoint else num, 1))
    if endpoint:
        result = creation.linspace(start, stop, num, axis=axis)
    else:  # the same numbers as with one more, which is left out
        longer = creation.linspace(start, stop, num + 1, axis=axis)
        result = longer[(slice(None),) * (axis % longer._array.ndim) + (slice(0, num),)]
    result = result if dtype is None else arithmetic.cast(result, dtype)
    return (result, step) if retstep else result


@implements(np.meshgrid)
def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    """Coordinates spread over a grid; with ``sparse``, ready to broadcast over it."""
    lines = [shape_module.reshape(x, [-1]) for x in xi]
    if not sparse:
        return tuple(creation.meshgrid(*lines, indexing=indexing))
    if indexing not in ("xy", "ij"):
        raise InvalidArgumentError(f"meshgrid: indexing is 'xy' or 'ij', got {indexing!r}")
    order = list(range(len(lines)))
    if indexing == "xy" and len(lines) > 1:
        order[:2] = 1, 0
    return tuple(
        shape_module.reshape(x, (1,) * axis + (-1,) + (1,) * (len(lines) - 1 - axis)) for x, axis in zip(lines, order)
    )


def _giving_tensors(make: Any) -> Any:
    def made(*args: Any, **kwargs: Any) -> Tensor:
        return Tensor(make(*args, **kwargs))

    return made


# what rules call with shapes and numbers only, where NumPy has nothing to dispatch on
for _name in ("zeros", "ones", "full", "arange", "eye"):
    setattr(tensor_namespace, _name, _giving_tensors(getattr(np, _name)))
