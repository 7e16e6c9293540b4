"""Discrete Fourier transforms.

The complex transform is a symmetric matrix, so under the pairing of the rules, which has no conjugates, it is its own
transpose. The transform of a real array keeps the non-negative frequencies only; the others are their conjugates, which
is why all but the zeroth (and, for an even length, the last) count twice in the rules of the real transforms.

Source: J. Cooley and J. Tukey, "An algorithm for the machine calculation of complex Fourier series" (1965).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec, normalize_axis
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import multiply
from wengert.primitives.index import getitem
from wengert.primitives.order import roll_
from wengert.primitives.pad import pad_
from wengert.primitives.primitive import primitive
from wengert.primitives.shape import static_shape
from wengert.tensor import convert_to_tensor

__all__ = [
    "complex_transform",
    "fft",
    "fft2d",
    "fft3d",
    "fftnd",
    "fftshift",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftnd",
    "ifftshift",
    "inverse_real_transform",
    "irfft",
    "irfft2d",
    "irfft3d",
    "irfftnd",
    "real_transform",
    "rfft",
    "rfft2d",
    "rfft3d",
    "rfftnd",
]

Sizes = tuple[int, ...]


@primitive(linear=("x",))
def fourier_transform(xp: Any, x: Any, *, axes: Sizes, inverse: bool) -> Any:
    """The Fourier transform of a complex array along axes, or the inverse."""
    return (np.fft.ifftn if inverse else np.fft.fftn)(x, axes=axes)


fourier_transform.vjp(lambda xp, g, axes, inverse: xp.fourier_transform(g, axes=axes, inverse=inverse))


@fourier_transform.spec
def _fourier_transform_spec(x: Spec, *, axes: Sizes, inverse: bool) -> Spec:
    return x


@primitive(linear=("x",))
def real_fourier_transform(xp: Any, x: Any, *, axis: int) -> Any:
    """The non-negative frequencies of the Fourier transform of a real array along an axis."""
    return np.fft.rfft(x, axis=axis)


@primitive(linear=("x",))
def inverse_real_fourier_transform(xp: Any, x: Any, *, axis: int, length: int) -> Any:
    """The real array of a length whose Fourier transform has these ``length // 2 + 1`` non-negative frequencies."""
    return np.fft.irfft(x, n=length, axis=axis)


def _multiplicity(length: int, axis: int, ndim: int, dtype: np.dtype[Any]) -> Any:
    """How often each non-negative frequency occurs in the whole spectrum: once at both ends, else twice."""
    count = np.full(length // 2 + 1, 2, np.empty(0, dtype).real.dtype)
    count[0] = 1
    if length % 2 == 0:
        count[-1] = 1
    return count.reshape((-1,) + (1,) * (ndim - 1 - axis))


@real_fourier_transform.vjp
def _real_fourier_transform_vjp(xp: Any, g: Any, x_shape: Any, out_dtype: Any, axis: int) -> Any:
    length = x_shape[axis]
    spectrum = xp.conj(g) / _multiplicity(length, axis, len(x_shape), out_dtype)
    return xp.inverse_real_fourier_transform(spectrum, axis=axis, length=length) * length


@inverse_real_fourier_transform.vjp
def _inverse_real_fourier_transform_vjp(xp: Any, g: Any, x_shape: Any, x_dtype: Any, axis: int, length: int) -> Any:
    spectrum = xp.conj(xp.real_fourier_transform(g, axis=axis))
    return spectrum * (_multiplicity(length, axis, len(x_shape), x_dtype) / length)


@real_fourier_transform.spec
def _real_fourier_transform_spec(x: Spec, *, axis: int) -> Spec:
    shape = (*x.shape[:axis], x.shape[axis] // 2 + 1, *x.shape[axis + 1 :])
    return Spec(shape, np.result_type(x.dtype, np.complex64))


@inverse_real_fourier_transform.spec
def _inverse_real_fourier_transform_spec(x: Spec, *, axis: int, length: int) -> Spec:
    return Spec((*x.shape[:axis], length, *x.shape[axis + 1 :]), np.empty(0, x.dtype).real.dtype)


# --- any axes and lengths, for TensorFlow's and NumPy's names --------------------------------------------------------


def complex_transform(
    operation: str, x: Any, lengths: Sequence[int | None], axes: Sizes, norm: str | None, inverse: bool
) -> Any:
    """The transform of a complex tensor along axes, each first cut or continued with zeros to its length."""
    x = _fitted(operation, x, axes, lengths)
    y = fourier_transform(x, axes=axes, inverse=inverse)
    return _scaled(operation, y, math.prod(x._array.shape[a] for a in axes), norm, inverse)


def real_transform(operation: str, x: Any, lengths: Sequence[int | None], axes: Sizes, norm: str | None) -> Any:
    """The transform of a real tensor along axes; of the last of them, only the non-negative frequencies."""
    x = _fitted(operation, x, axes, lengths)
    size = math.prod(x._array.shape[a] for a in axes)
    y = real_fourier_transform(x, axis=axes[-1])
    if len(axes) > 1:
        y = fourier_transform(y, axes=axes[:-1], inverse=False)
    return _scaled(operation, y, size, norm, False)


def inverse_real_transform(operation: str, x: Any, lengths: Sequence[int | None], axes: Sizes, norm: str | None) -> Any:
    """The real tensor whose transform is given, by non-negative frequencies on the last of the axes."""
    last = axes[-1]
    length = lengths[-1] if lengths[-1] is not None else 2 * (x._array.shape[last] - 1)
    if length < 1:
        raise InvalidArgumentError(f"{operation}: the length of the result must be at least 1, got {length}")
    x = _fitted(operation, x, axes, (*lengths[:-1], length // 2 + 1))
    if len(axes) > 1:
        x = fourier_transform(x, axes=axes[:-1], inverse=True)
    size = length * math.prod(x._array.shape[a] for a in axes[:-1])
    return _scaled(operation, inverse_real_fourier_transform(x, axis=last, length=length), size, norm, True)


def _fitted(operation: str, x: Any, axes: Sizes, lengths: Sequence[int | None]) -> Any:
    """The tensor cut, or continued with zeros, to a length on each of the axes that has one."""
    shape = list(x._array.shape)
    for axis, length in zip(axes, lengths):
        if length is not None and length < 1:
            raise InvalidArgumentError(f"{operation}: a length must be at least 1, got {length}")
        shape[axis] = shape[axis] if length is None else length
        if shape[axis] < 1:
            raise InvalidArgumentError(
                f"{operation}: axis {axis} of shape {x._array.shape} has no elements to transform"
            )
    if any(wanted < n for wanted, n in zip(shape, x._array.shape)):
        x = getitem(x, tuple(slice(wanted) for wanted in shape))
    if any(wanted > n for wanted, n in zip(shape, x._array.shape)):
        x = pad_(x, paddings=tuple((0, wanted - n) for wanted, n in zip(shape, x._array.shape)))
    return x


def _scaled(operation: str, y: Any, size: int, norm: str | None, inverse: bool) -> Any:
    """From NumPy's default normalisation, which divides the inverse by the size, to another."""
    if norm in (None, "backward"):
        return y
    if norm not in ("ortho", "forward"):
        raise InvalidArgumentError(f"{operation}: norm must be 'backward', 'ortho' or 'forward', got {norm!r}")
    factor = math.sqrt(size) if norm == "ortho" else float(size)
    return multiply(y, factor if inverse else 1 / factor)


# --- TensorFlow's names ----------------------------------------------------------------------------------------------


def fft(input: Any, name: str | None = None) -> Any:
    """The Fourier transform along the last axis.

    Args:
        input: complex, ``(..., n)``.

    Raises:
        DTypeError: the input is not complex.
        InvalidArgumentError: the axis is missing or empty.

    >>> tf.signal.fft(tf.constant([1, 0, 0, 0], tf.complex64)).numpy().real.tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return _last_axes("fft", input, 1, False)


def ifft(input: Any, name: str | None = None) -> Any:
    """The inverse of :func:`tf.signal.fft`.

    >>> tf.signal.ifft(tf.constant([4, 0, 0, 0], tf.complex64)).numpy().real.tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return _last_axes("ifft", input, 1, True)


def fft2d(input: Any, name: str | None = None) -> Any:
    """The Fourier transform along the last two axes; see :func:`tf.signal.fft`.

    >>> complex(tf.signal.fft2d(tf.ones([2, 3], tf.complex64))[0, 0])
    (6+0j)
    """
    return _last_axes("fft2d", input, 2, False)


def ifft2d(input: Any, name: str | None = None) -> Any:
    """The inverse of :func:`tf.signal.fft2d`.

    >>> complex(tf.signal.ifft2d(tf.ones([2, 3], tf.complex64))[0, 0])
    (1+0j)
    """
    return _last_axes("ifft2d", input, 2, True)


def fft3d(input: Any, name: str | None = None) -> Any:
    """The Fourier transform along the last three axes; see :func:`tf.signal.fft`.

    >>> complex(tf.signal.fft3d(tf.ones([2, 2, 2], tf.complex64))[0, 0, 0])
    (8+0j)
    """
    return _last_axes("fft3d", input, 3, False)


def ifft3d(input: Any, name: str | None = None) -> Any:
    """The inverse of :func:`tf.signal.fft3d`.

    >>> complex(tf.signal.ifft3d(tf.ones([2, 2, 2], tf.complex64))[0, 0, 0])
    (1+0j)
    """
    return _last_axes("ifft3d", input, 3, True)


def rfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The Fourier transform of a real tensor along the last axis: its ``n // 2 + 1`` non-negative frequencies.

    Args:
        input_tensor: real floating, ``(..., n)``.
        fft_length: ``[n]``, to which the axis is cut or continued with zeros.

    Returns:
        Complex, ``(..., n // 2 + 1)``.

    Raises:
        DTypeError: the input is not real and floating.
        InvalidArgumentError: the axis is missing, or the length is not positive.

    >>> tf.signal.rfft([1.0, 2.0, 3.0]).numpy().real.tolist()
    [6.0, -1.5]
    """
    return _last_axes_real("rfft", input_tensor, fft_length, 1)


def irfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The inverse of :func:`tf.signal.rfft`.

    Args:
        input_tensor: complex, ``(..., n // 2 + 1)``.
        fft_length: ``[n]``; by default the even length that fits.

    Returns:
        Real, ``(..., n)``. The imaginary parts that a real tensor's spectrum cannot have are ignored.

    Raises:
        DTypeError: the input is not complex.
        InvalidArgumentError: the axis is missing, or the length is not positive.

    >>> tf.signal.irfft(tf.signal.rfft([1.0, 2.0, 3.0, 4.0])).numpy().tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return _last_axes_real("irfft", input_tensor, fft_length, 1)


def rfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The Fourier transform of a real tensor along the last two axes; see :func:`tf.signal.rfft`.

    >>> tf.signal.rfft2d(tf.ones([4, 6])).shape
    TensorShape([4, 4])
    """
    return _last_axes_real("rfft2d", input_tensor, fft_length, 2)


def irfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The inverse of :func:`tf.signal.rfft2d`; see :func:`tf.signal.irfft`.

    >>> tf.signal.irfft2d(tf.ones([4, 4], tf.complex64)).shape
    TensorShape([4, 6])
    """
    return _last_axes_real("irfft2d", input_tensor, fft_length, 2)


def rfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The Fourier transform of a real tensor along the last three axes; see :func:`tf.signal.rfft`.

    >>> tf.signal.rfft3d(tf.ones([2, 4, 6])).shape
    TensorShape([2, 4, 4])
    """
    return _last_axes_real("rfft3d", input_tensor, fft_length, 3)


def irfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The inverse of :func:`tf.signal.rfft3d`; see :func:`tf.signal.irfft`.

    >>> tf.signal.irfft3d(tf.ones([2, 4, 4], tf.complex64)).shape
    TensorShape([2, 4, 6])
    """
    return _last_axes_real("irfft3d", input_tensor, fft_length, 3)


def fftnd(
    input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: Any = None, name: str | None = None
) -> Any:
    """The Fourier transform along any axes.

    Args:
        input_tensor: complex.
        fft_length: to which each axis is cut or continued with zeros.
        axes: by default as many of the last as there are lengths, or all.
        norm: ``"backward"``, ``"ortho"`` or ``"forward"``.

    Raises:
        DTypeError, InvalidArgumentError: as :func:`tf.signal.fft`.

    >>> tf.signal.fftnd(tf.ones([2, 3], tf.complex64), axes=[0]).numpy().real.tolist()
    [[2.0, 2.0, 2.0], [0.0, 0.0, 0.0]]
    """
    x = _of_kind("fftnd", input_tensor, "c")
    return complex_transform("fftnd", x, *_lengths_and_axes("fftnd", x, fft_length, axes), norm, False)


def ifftnd(
    input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: Any = None, name: str | None = None
) -> Any:
    """The inverse of :func:`tf.signal.fftnd`.

    >>> tf.signal.ifftnd(tf.ones([2, 3], tf.complex64), axes=[0]).numpy().real.tolist()
    [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """
    x = _of_kind("ifftnd", input_tensor, "c")
    return complex_transform("ifftnd", x, *_lengths_and_axes("ifftnd", x, fft_length, axes), norm, True)


def rfftnd(
    input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: Any = None, name: str | None = None
) -> Any:
    """The Fourier transform of a real tensor along any axes, the last with non-negative frequencies only.

    >>> tf.signal.rfftnd(tf.ones([4, 6]), axes=[1, 0]).shape
    TensorShape([3, 6])
    """
    x = _of_kind("rfftnd", input_tensor, "f")
    return real_transform("rfftnd", x, *_lengths_and_axes("rfftnd", x, fft_length, axes), norm)


def irfftnd(
    input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: Any = None, name: str | None = None
) -> Any:
    """The inverse of :func:`tf.signal.rfftnd`.

    >>> tf.signal.irfftnd(tf.ones([3, 6], tf.complex64), axes=[1, 0]).shape
    TensorShape([4, 6])
    """
    x = _of_kind("irfftnd", input_tensor, "c")
    return inverse_real_transform("irfftnd", x, *_lengths_and_axes("irfftnd", x, fft_length, axes), norm)


def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """The zero frequency moved from the beginning to the middle of each of the axes (all, by default).

    >>> tf.signal.fftshift([0.0, 1.0, 2.0, -2.0, -1.0]).numpy().tolist()
    [-2.0, -1.0, 0.0, 1.0, 2.0]
    """
    return _shifted("fftshift", x, axes, lambda n: n // 2)


def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """The inverse of :func:`tf.signal.fftshift`.

    >>> tf.signal.ifftshift([-2.0, -1.0, 0.0, 1.0, 2.0]).numpy().tolist()
    [0.0, 1.0, 2.0, -2.0, -1.0]
    """
    return _shifted("ifftshift", x, axes, lambda n: -(n // 2))


def _shifted(operation: str, x: Any, axes: Any, by: Any) -> Any:
    x = convert_to_tensor(x)
    shape = x._array.shape
    along = range(len(shape)) if axes is None else static_shape(axes, operation)
    along = tuple(normalize_axis(a, len(shape)) for a in along)
    return roll_(x, shift=tuple(by(shape[a]) for a in along), axis=along)


def _of_kind(operation: str, x: Any, kind: str) -> Any:
    x = convert_to_tensor(x)
    if x._array.dtype.kind != kind:
        wanted = "complex" if kind == "c" else "real floating"
        raise DTypeError(f"{operation}: the input must be {wanted}, got {x._array.dtype}; convert it with tf.cast")
    return x


def _check_ndim(operation: str, x: Any, rank: int) -> Sizes:
    ndim = x._array.ndim
    if ndim < rank:
        raise InvalidArgumentError(f"{operation}: the input must have {rank} or more axes, got shape {x._array.shape}")
    return tuple(range(ndim - rank, ndim))


def _last_axes(operation: str, x: Any, rank: int, inverse: bool) -> Any:
    x = _of_kind(operation, x, "c")
    return complex_transform(operation, x, (None,) * rank, _check_ndim(operation, x, rank), None, inverse)


def _last_axes_real(operation: str, x: Any, fft_length: Any, rank: int) -> Any:
    inverse = operation.startswith("i")
    x = _of_kind(operation, x, "c" if inverse else "f")
    axes = _check_ndim(operation, x, rank)
    lengths = (None,) * rank if fft_length is None else static_shape(fft_length, operation)
    if len(lengths) != rank:
        raise InvalidArgumentError(f"{operation}: fft_length must have {rank} entries, got {list(lengths)}")
    return (inverse_real_transform if inverse else real_transform)(operation, x, lengths, axes, None)


def _lengths_and_axes(operation: str, x: Any, fft_length: Any, axes: Any) -> tuple[Sequence[int | None], Sizes]:
    """The lengths and axes of a transform along any axes, as NumPy's ``fftn`` completes them."""
    ndim = x._array.ndim
    lengths = None if fft_length is None else static_shape(fft_length, operation)
    if axes is None:
        count = ndim if lengths is None else len(lengths)
        along = tuple(range(ndim - count, ndim)) if count <= ndim else ()
    else:
        along = tuple(normalize_axis(a, ndim) for a in static_shape(axes, operation))
    if not along or len(set(along)) != len(along) or (lengths is not None and len(lengths) != len(along)):
        raise InvalidArgumentError(
            f"{operation}: one length for each of one or more different axes is needed, got fft_length={fft_length} "
            f"and axes={axes} for shape {x._array.shape}"
        )
    return lengths or (None,) * len(along), along
