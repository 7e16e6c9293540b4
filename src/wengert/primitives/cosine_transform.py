"""Discrete cosine transforms, by way of the Fourier transform of an even continuation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import multiply, real
from wengert.primitives.fourier import inverse_real_transform, real_transform
from wengert.primitives.index import getitem
from wengert.primitives.join import concat_
from wengert.primitives.pad import pad_
from wengert.tensor import Tensor, convert_to_tensor

__all__ = ["dct", "idct", "mfccs_from_log_mel_spectrograms"]


def dct(
    input: Any, type: int = 2, n: Any = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> Any:
    """The discrete cosine transform along the last axis.

    Args:
        input: real floating, ``(..., n)``.
        type: 1, 2, 3 or 4.
        n: the length to which the axis is cut or continued with zeros.
        axis: must be -1.
        norm: None, or ``"ortho"`` for the orthonormal transform (not for type 1).

    Raises:
        DTypeError: the input is not real and floating.
        InvalidArgumentError: an unknown type or norm, another axis, or a length below 1 (below 2 for type 1).

    Source: N. Ahmed, T. Natarajan and K. Rao, "Discrete cosine transform" (1974).

    >>> np.allclose(tf.signal.dct([1.0, 1.0, 1.0, 1.0]), [8.0, 0.0, 0.0, 0.0], atol=1e-6)
    True
    """
    return _transformed("dct", input, type, n, axis, norm)


def idct(
    input: Any, type: int = 2, n: Any = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> Any:
    """The inverse of :func:`tf.signal.dct` with the same arguments, up to a factor if ``norm`` is None.

    That factor is ``2 * n`` (``2 * (n - 1)`` for type 1), as in TensorFlow.

    >>> spectrum = tf.signal.dct([1.0, 2.0, 4.0], norm="ortho")
    >>> np.allclose(tf.signal.idct(spectrum, norm="ortho"), [1.0, 2.0, 4.0])
    True
    """
    return _transformed("idct", input, {1: 1, 2: 3, 3: 2, 4: 4}.get(type, type), n, axis, norm)


def _transformed(operation: str, input: Any, kind: int, n: Any, axis: int, norm: str | None) -> Any:
    x = convert_to_tensor(input)
    if x._array.dtype.kind != "f":
        raise DTypeError(f"{operation}: the input must be real floating, got {x._array.dtype}; convert it with tf.cast")
    if kind not in (1, 2, 3, 4) or norm not in (None, "ortho") or (kind == 1 and norm):
        raise InvalidArgumentError(
            f"{operation}: type must be 1, 2, 3 or 4 and norm None or 'ortho' (None for type 1), "
            f"got {kind} and {norm!r}"
        )
    if axis != -1 or not x._array.ndim:
        raise InvalidArgumentError(f"{operation}: the axis must be -1, got {axis} for shape {x._array.shape}")
    length = x._array.shape[-1] if n is None else int(n)
    if length < 1 + (kind == 1):
        raise InvalidArgumentError(
            f"{operation}: type {kind} needs a length of {1 + (kind == 1)} or more, got {length}"
        )
    if length < x._array.shape[-1]:
        x = getitem(x, (..., slice(length)))
    elif length > x._array.shape[-1]:
        x = pad_(x, paddings=(*((0, 0),) * (x._array.ndim - 1), (0, length - x._array.shape[-1])))
    return (_first, _second, _third, _fourth)[kind - 1](x, length, norm is not None)


def _spectrum(x: Any, length: int) -> Any:
    return real_transform("dct", x, (length,), (x._array.ndim - 1,), None)


def _first(x: Any, n: int, orthonormal: bool) -> Any:
    mirrored = getitem(x, (..., slice(-2, 0, -1)))
    return real(_spectrum(concat_(x, mirrored, axis=x._array.ndim - 1), 2 * n - 2))


def _second(x: Any, n: int, orthonormal: bool) -> Any:
    spectrum = getitem(_spectrum(x, 2 * n), (..., slice(n)))
    weights = _weights(n, math.sqrt(0.25 / n), math.sqrt(0.5 / n)) if orthonormal else 1.0
    return real(multiply(spectrum, _like(spectrum, 2 * weights * _half_steps(n, -1))))


def _third(x: Any, n: int, orthonormal: bool) -> Any:
    weights = _weights(n, math.sqrt(n), math.sqrt(0.5 * n)) if orthonormal else float(n)
    rotation = (2 * weights * _half_steps(n, 1)).astype(np.result_type(x._array.dtype, np.complex64))
    spectrum = multiply(x, Tensor(rotation))
    y = inverse_real_transform("dct", spectrum, (2 * n,), (x._array.ndim - 1,), None)
    return getitem(y, (..., slice(n)))


def _fourth(x: Any, n: int, orthonormal: bool) -> Any:
    # the odd frequencies of twice as many samples; the second half of them is zero
    continued = pad_(x, paddings=(*((0, 0),) * (x._array.ndim - 1), (0, n)))
    y = getitem(_second(continued, 2 * n, False), (..., slice(1, None, 2)))
    return multiply(y, math.sqrt(0.5 / n)) if orthonormal else y


def _half_steps(n: int, sign: int) -> Any:
    """What moves the origin by half a sample."""
    return np.exp(sign * 0.5j * np.pi * np.arange(n) / n)


def _weights(n: int, first: float, others: float) -> Any:
    return np.where(np.arange(n) == 0, first, others)


def _like(x: Any, values: Any) -> Tensor:
    return Tensor(np.asarray(values, x._array.dtype))


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Any:
    """Mel-frequency cepstral coefficients: the cosine transform of the logarithms of a mel spectrogram's bands.

    Args:
        log_mel_spectrograms: real floating, ``(..., bands)``.

    Returns:
        All ``bands`` coefficients, of which the first 13 or so are commonly used.

    Raises:
        DTypeError: the input is not real floating.
        InvalidArgumentError: there are no bands.

    Source: S. Davis and P. Mermelstein, "Comparison of parametric representations for monosyllabic word recognition in
    continuously spoken sentences" (1980).

    >>> np.allclose(tf.signal.mfccs_from_log_mel_spectrograms([[1.0, 1.0]]), [[2.0, 0.0]], atol=1e-6)
    True
    """
    x = convert_to_tensor(log_mel_spectrograms)
    if not x._array.ndim or not x._array.shape[-1]:
        raise InvalidArgumentError(
            f"mfccs_from_log_mel_spectrograms: one or more bands are needed, got shape {x._array.shape}"
        )
    return multiply(dct(x), 1 / math.sqrt(2 * x._array.shape[-1]))
