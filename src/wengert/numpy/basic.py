"""Creation, conversion and arithmetic under NumPy's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import normalize_axes, normalize_axis
from wengert.numpy.dispatch import implements, method
from wengert.primitives import arithmetic, contract, reduce
from wengert.primitives import shape as shape_module
from wengert.primitives.primitive import tensor_namespace
from wengert.tensor import TENSOR_CLASSES, Tensor, convert_to_tensor

__all__: list[str] = []


def tensor(x: Any) -> Any:
    """``x`` as something that a primitive takes; NumPy's arrays keep their dtype."""
    return x if x.__class__ in TENSOR_CLASSES else convert_to_tensor(x)


@method("astype")
@implements(np.astype)
def astype(x: Any, dtype: Any, copy: bool = True) -> Any:
    """The tensor converted to another dtype."""
    return arithmetic.cast(x, np.dtype(dtype))


def asarray(x: Any, dtype: Any = None) -> Any:
    """``x`` as a tensor."""
    return tensor(x) if dtype is None else arithmetic.cast(x, np.dtype(dtype))


def zeros(shape: Any, dtype: Any = np.float64) -> Any:
    """A tensor of zeros."""
    return Tensor(np.zeros(shape, as_numpy_dtype(dtype)))


def ones(shape: Any, dtype: Any = np.float64) -> Any:
    """A tensor of ones."""
    return Tensor(np.ones(shape, as_numpy_dtype(dtype)))


@implements(np.zeros_like)
def zeros_like(a: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """Zeros with the shape (and dtype) of ``a``."""
    return Tensor(np.zeros_like(tensor(a)._array, dtype=None if dtype is None else np.dtype(dtype)))


@implements(np.ones_like)
def ones_like(a: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """Ones with the shape (and dtype) of ``a``."""
    return Tensor(np.ones_like(tensor(a)._array, dtype=None if dtype is None else np.dtype(dtype)))


@implements(np.where)
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """NumPy's ``where``; with the condition alone, the tuple of indices along each axis."""
    if x is None and y is None:
        return tuple(Tensor(k) for k in np.nonzero(tensor(condition)._array))
    condition = tensor(condition)
    return arithmetic.where_(condition if condition.dtype.is_bool else condition != 0, x, y)


@implements(np.sum)
@method("sum")
def sum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """The sum over axes."""
    a = asarray(a, dtype)
    return reduce.sum_(a, axis=normalize_axes(axis, a._array.ndim), keepdims=bool(keepdims))


@implements(np.mean)
@method("mean")
def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """The mean over axes; of integers, in float64."""
    a = asarray(a, dtype)
    a = a if a._array.dtype.kind in "fcV" else arithmetic.cast(a, np.float64)
    return reduce.mean_(a, axis=normalize_axes(axis, a._array.ndim), keepdims=bool(keepdims))


@implements(np.reshape)
def reshape(a: Any, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: Any = None) -> Any:
    """The elements in another shape."""
    return shape_module.reshape_(tensor(a), shape=shape_module.static_shape(newshape if shape is None else shape))


@implements(np.broadcast_to)
def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    """The tensor repeated along new axes and axes of size 1."""
    return shape_module.broadcast_to_(tensor(array), shape=shape_module.static_shape(shape))


@implements(np.transpose)
def transpose(a: Any, axes: Any = None) -> Any:
    """The axes in another order."""
    return shape_module.transpose(a, axes)


@implements(np.swapaxes)
@method("swapaxes")
def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """Two axes exchanged."""
    a = tensor(a)
    axes = list(range(a._array.ndim))
    i, j = normalize_axis(axis1, len(axes)), normalize_axis(axis2, len(axes))
    axes[i], axes[j] = axes[j], axes[i]
    return shape_module.transpose_(a, axes=tuple(axes))


@implements(np.stack)
def stack(arrays: Any, axis: int = 0, out: Any = None, **kwargs: Any) -> Any:
    """Tensors of one shape joined along a new axis."""
    return shape_module.stack(arrays, axis)


implements(np.matmul)(contract.matmul)
implements(np.divide)(arithmetic.divide)
implements(np.power)(arithmetic.pow_)
implements(np.remainder)(arithmetic.floormod.function)
implements(np.conjugate)(arithmetic.conj.function)
implements(np.real)(arithmetic.real.function)
implements(np.imag)(arithmetic.imag.function)
implements(np.abs)(arithmetic.absolute.function)

for _name, _function in {"zeros": zeros, "ones": ones, "asarray": asarray, "conj": arithmetic.conj.function}.items():
    setattr(tensor_namespace, _name, _function)
