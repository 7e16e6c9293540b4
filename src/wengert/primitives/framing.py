"""Signals cut into frames, frames added up to signals, and the short-time Fourier transform between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from wengert.arrays.shapes import Spec, normalize_axis
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import multiply
from wengert.primitives.fourier import irfft, rfft
from wengert.primitives.index import getitem
from wengert.primitives.pad import pad_, pad_with
from wengert.primitives.primitive import primitive
from wengert.primitives.shape import transpose_
from wengert.primitives.signal_windows import hann_window
from wengert.tensor import Tensor, convert_to_tensor

__all__ = ["frame", "inverse_stft", "inverse_stft_window_fn", "overlap_and_add", "stft"]


@primitive(linear=("x",))
def frames(xp: Any, x: Any, *, length: int, step: int) -> Any:
    """The stretches of a length that begin at every ``step``-th place of the last axis: ``(..., frames, length)``."""
    if x.shape[-1] < length:
        return np.zeros((*x.shape[:-1], 0, length), x.dtype)
    return sliding_window_view(x, length, axis=-1)[..., ::step, :]


@primitive(linear=("x",))
def overlap_add(xp: Any, x: Any, *, step: int, length: int) -> Any:
    """The transpose of ``frames``: ``(..., frames, n)`` added up at every ``step``-th place of an axis of a length."""
    count, size = x.shape[-2:]
    # all stretches of a frame that are one step long are added at once
    parts = -(-size // step)
    rows = np.zeros((*x.shape[:-2], max(count + parts - 1, -(-length // step)), step), x.dtype)
    for k in range(parts):
        piece = x[..., k * step : (k + 1) * step]
        rows[..., k : k + count, : piece.shape[-1]] += piece
    return rows.reshape(*x.shape[:-2], -1)[..., :length]


frames.vjp(lambda xp, g, x_shape, step: xp.overlap_add(g, step=step, length=x_shape[-1]))
overlap_add.vjp(lambda xp, g, x_shape, step: xp.frames(g, length=x_shape[-1], step=step))


@frames.spec
def _frames_spec(x: Spec, *, length: int, step: int) -> Spec:
    return Spec((*x.shape[:-1], max((x.shape[-1] - length) // step + 1, 0), length), x.dtype)


@overlap_add.spec
def _overlap_add_spec(x: Spec, *, step: int, length: int) -> Spec:
    return Spec((*x.shape[:-2], length), x.dtype)


def _positive(operation: str, **numbers: Any) -> tuple[int, ...]:
    for name, number in numbers.items():
        if int(number) < 1:
            raise InvalidArgumentError(f"{operation}: {name} must be at least 1, got {int(number)}")
    return tuple(int(number) for number in numbers.values())


def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: int = -1,
    name: str | None = None,
) -> Any:
    """The signal cut into frames, which overlap if the step is shorter than the frame.

    Args:
        signal: ``(..., samples, ...)``.
        frame_length: samples in a frame.
        frame_step: from the beginning of a frame to that of the next.
        pad_end: continue the signal, so that frames begin at every step up to its end.
        pad_value: what it is continued with.
        axis: of the samples.

    Returns:
        ``(..., frames, frame_length, ...)``.

    Raises:
        InvalidArgumentError: a length is not positive, or the axis is missing.

    >>> tf.signal.frame([1, 2, 3, 4, 5], 3, 2).numpy().tolist()
    [[1, 2, 3], [3, 4, 5]]
    """
    x = convert_to_tensor(signal)
    length, step = _positive("frame", frame_length=frame_length, frame_step=frame_step)
    ndim = x._array.ndim
    at = normalize_axis(axis, ndim)
    if at != ndim - 1:
        x = transpose_(x, axes=(*range(at), *range(at + 1, ndim), at))
    if pad_end:
        samples = x._array.shape[-1]
        missing = max((-(-samples // step) - 1) * step + length - samples, 0)
        x = pad_with(x, (*((0, 0),) * (ndim - 1), (0, missing)), pad_value)
    y = frames(x, length=length, step=step)
    if at != ndim - 1:
        y = transpose_(y, axes=(*range(at), ndim - 1, ndim, *range(at, ndim - 1)))
    return y


def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Any:
    """Frames laid at every ``frame_step`` samples and added up.

    Args:
        signal: ``(..., frames, frame_length)``.
        frame_step: from the beginning of a frame to that of the next.

    Returns:
        ``(..., (frames - 1) * frame_step + frame_length)``.

    Raises:
        InvalidArgumentError: fewer than two axes, or the step is not positive.

    >>> tf.signal.overlap_and_add([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]], 2).numpy().tolist()
    [1.0, 2.0, 13.0, 20.0, 30.0]
    """
    x = convert_to_tensor(signal)
    (step,) = _positive("overlap_and_add", frame_step=frame_step)
    if x._array.ndim < 2:
        raise InvalidArgumentError(
            f"overlap_and_add: the signal must have shape (..., frames, frame_length), got {x._array.shape}"
        )
    count, size = x._array.shape[-2:]
    return overlap_add(x, step=step, length=(count - 1) * step + size if count else 0)


def stft(
    signals: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Any:
    """The short-time Fourier transform: the spectra of windowed frames.

    Args:
        signals: real floating, ``(..., samples)``.
        frame_length: samples in a frame.
        frame_step: from the beginning of a frame to that of the next.
        fft_length: of the transform; by default the power of 2 that holds a frame.
        window_fn: from a length and a ``dtype`` to a window; None for none.
        pad_end: continue the signals with zeros, so that frames begin at every step up to the end.

    Returns:
        Complex, ``(..., frames, fft_length // 2 + 1)``.

    Raises:
        InvalidArgumentError: a length is not positive, or the axis is missing.
        DTypeError: the signals are not real floating.

    Source: J. Allen and L. Rabiner, "A unified approach to short-time Fourier analysis and synthesis" (1977).

    >>> tf.signal.stft(tf.ones([1000]), frame_length=255, frame_step=128).shape
    TensorShape([6, 129])
    """
    length, step = _positive("stft", frame_length=frame_length, frame_step=frame_step)
    framed = frame(signals, length, step, pad_end=pad_end)
    if window_fn is not None:
        framed = multiply(framed, window_fn(length, dtype=framed.dtype))
    return rfft(framed, [_enclosing_power_of_two(length) if fft_length is None else fft_length])


def inverse_stft(
    stfts: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window,
    name: str | None = None,
) -> Any:
    """The signals that frames with these spectra add up to; with the right window, the inverse of ``stft``.

    Args:
        stfts: complex, ``(..., frames, fft_length // 2 + 1)``.
        frame_length, frame_step, fft_length: as they were given to ``stft``.
        window_fn: multiplied to the frames; :func:`tf.signal.inverse_stft_window_fn` gives the one that inverts.

    Returns:
        Real, ``(..., samples)``.

    Raises:
        InvalidArgumentError: a length is not positive, or axes are missing.
        DTypeError: the spectra are not complex.

    Source: D. Griffin and J. Lim, "Signal estimation from modified short-time Fourier transform" (1984).

    >>> x = tf.constant(np.sin(np.arange(64.0)))
    >>> spectra = tf.signal.stft(x, 16, 8)
    >>> y = tf.signal.inverse_stft(spectra, 16, 8, window_fn=tf.signal.inverse_stft_window_fn(8))
    >>> np.allclose(x[8:-8], y[8:-8])
    True
    """
    length, step = _positive("inverse_stft", frame_length=frame_length, frame_step=frame_step)
    x = irfft(stfts, [_enclosing_power_of_two(length) if fft_length is None else fft_length])
    size = x._array.shape[-1]
    if size > length:
        x = getitem(x, (..., slice(length)))
    elif size < length:
        x = pad_(x, paddings=(*((0, 0),) * (x._array.ndim - 1), (0, length - size)))
    if window_fn is not None:
        x = multiply(x, window_fn(length, dtype=x.dtype))
    return overlap_and_add(x, step)


def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Callable[..., Any] = hann_window, name: str | None = None
) -> Callable[..., Any]:
    """The window with which :func:`tf.signal.inverse_stft` inverts a transform that used ``forward_window_fn``.

    Returns:
        A function of a length and a ``dtype``.

    >>> window = tf.signal.inverse_stft_window_fn(2, tf.signal.hamming_window)
    >>> window(4, dtype=tf.float32).shape
    TensorShape([4])
    """
    (step,) = _positive("inverse_stft_window_fn", frame_step=frame_step)

    def inverse_window(frame_length: Any, dtype: Any) -> Any:
        window = np.asarray(forward_window_fn(int(frame_length), dtype=dtype))
        overlaps = -(-len(window) // step)
        squares = np.zeros(overlaps * step, window.dtype)
        squares[: len(window)] = window * window
        total = np.tile(squares.reshape(overlaps, step).sum(axis=0), overlaps)[: len(window)]
        return Tensor(np.divide(window, total, out=np.zeros_like(window), where=total != 0))

    return inverse_window


def _enclosing_power_of_two(n: int) -> int:
    return int(2 ** math.ceil(math.log2(n)))
