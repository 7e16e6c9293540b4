"""``np.fft`` on tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.dtypes import DTYPES
from wengert.arrays.shapes import normalize_axis
from wengert.errors import DTypeError, InvalidArgumentError, UnimplementedError
from wengert.numpy.dispatch import implements
from wengert.primitives.arithmetic import cast, conj
from wengert.primitives.fourier import (
    complex_transform,
    fftshift,
    ifftshift,
    inverse_real_transform,
    real_transform,
)
from wengert.tensor import convert_to_tensor

__all__: list[str] = []


def _tensor(a: Any, wants_complex: bool, operation: str) -> Any:
    """The tensor in a dtype that transforms take: 16-bit floats become float32, integers float64."""
    a = convert_to_tensor(a)
    dtype = a._array.dtype
    if not wants_complex and dtype.kind == "c":
        raise DTypeError(f"np.fft.{operation} takes a real tensor, got {dtype}")
    if dtype.kind == "c":
        return a
    real = np.dtype(np.float64)
    if DTYPES[dtype].is_floating:
        real = np.result_type(dtype, np.float32)
    return cast(a, np.result_type(real, np.complex64) if wants_complex else real)


def _no_out(operation: str, out: Any) -> None:
    if out is not None:
        raise UnimplementedError(f"np.fft.{operation}(..., out=) is not available for tensors; use what it returns")


def _axes(operation: str, a: Any, s: Any, axes: Any) -> tuple[Any, tuple[int, ...]]:
    """The length (or None) and number of each axis; -1 stands for the length that the axis has."""
    ndim = a._array.ndim
    if axes is None:
        axes = range(ndim) if s is None else range(-len(s), 0)
    axes = tuple(normalize_axis(k, ndim) for k in axes)
    lengths = (None,) * len(axes) if s is None else tuple(None if n is None or n == -1 else int(n) for n in s)
    if len(lengths) != len(axes) or not axes:
        raise InvalidArgumentError(
            f"np.fft.{operation}: s and axes must have one entry for each axis, got {s} and {axes}"
        )
    return lengths, axes


def _complex(name: str, inverse: bool, default_axes: Any) -> None:
    """Define the transforms of complex tensors: along one axis, two, and any."""
    single, double, many = (getattr(np.fft, name + suffix) for suffix in ("", "2", "n"))

    @implements(single)
    def along_axis(a: Any, n: Any = None, axis: int = -1, norm: Any = None, out: Any = None) -> Any:
        _no_out(name, out)
        a = _tensor(a, True, name)
        return complex_transform(name, a, *_axes(name, a, (n,), (axis,)), norm, inverse)

    def along_axes(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
        _no_out(f"{name}n", out)
        a = _tensor(a, True, name)
        return complex_transform(f"{name}n", a, *_axes(f"{name}n", a, s, axes), norm, inverse)

    implements(many)(along_axes)

    @implements(double)
    def along_two(a: Any, s: Any = None, axes: Any = default_axes, norm: Any = None, out: Any = None) -> Any:
        return along_axes(a, s, axes, norm, out)


_complex("fft", False, (-2, -1))
_complex("ifft", True, (-2, -1))


@implements(np.fft.rfftn)
def rfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    """The transform of a real tensor, the last axis with non-negative frequencies only."""
    _no_out("rfftn", out)
    a = _tensor(a, False, "rfftn")
    return real_transform("rfftn", a, *_axes("rfftn", a, s, axes), norm)


@implements(np.fft.irfftn)
def irfftn(a: Any, s: Any = None, axes: Any = None, norm: Any = None, out: Any = None) -> Any:
    """The inverse of ``rfftn``."""
    _no_out("irfftn", out)
    a = _tensor(a, True, "irfftn")
    return inverse_real_transform("irfftn", a, *_axes("irfftn", a, s, axes), norm)


@implements(np.fft.rfft)
def rfft(a: Any, n: Any = None, axis: int = -1, norm: Any = None, out: Any = None) -> Any:
    """The non-negative frequencies of the transform of a real tensor along an axis."""
    return rfftn(a, (n,), (axis,), norm, out)


@implements(np.fft.irfft)
def irfft(a: Any, n: Any = None, axis: int = -1, norm: Any = None, out: Any = None) -> Any:
    """The inverse of ``rfft``."""
    return irfftn(a, (n,), (axis,), norm, out)


@implements(np.fft.rfft2)
def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    """``rfftn`` along two axes."""
    return rfftn(a, s, axes, norm, out)


@implements(np.fft.irfft2)
def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None, out: Any = None) -> Any:
    """``irfftn`` along two axes."""
    return irfftn(a, s, axes, norm, out)


#: the norm under which the inverse transform has the factor that the transform has under the key
_OPPOSITE = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


@implements(np.fft.hfft)
def hfft(a: Any, n: Any = None, axis: int = -1, norm: Any = None, out: Any = None) -> Any:
    """The real transform of a tensor whose other half is the conjugate of what is given."""
    return irfft(conj(_tensor(a, True, "hfft")), n, axis, _OPPOSITE.get(norm, norm), out)


@implements(np.fft.ihfft)
def ihfft(a: Any, n: Any = None, axis: int = -1, norm: Any = None, out: Any = None) -> Any:
    """The inverse of ``hfft``."""
    return conj(rfft(a, n, axis, _OPPOSITE.get(norm, norm), out))


implements(np.fft.fftshift)(fftshift)
implements(np.fft.ifftshift)(ifftshift)
