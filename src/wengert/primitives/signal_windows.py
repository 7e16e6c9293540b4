"""Window functions, which fade a stretch of a signal in and out, and the triangles of the mel scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_dtype
from wengert.arrays.lazy import scipy_special
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.tensor import Tensor

__all__ = [
    "hamming_window",
    "hann_window",
    "kaiser_bessel_derived_window",
    "kaiser_window",
    "linear_to_mel_weight_matrix",
    "vorbis_window",
]


def _checked(operation: str, window_length: Any, dtype: Any) -> tuple[int, np.dtype[Any]]:
    wanted = as_dtype(dtype)
    if not wanted.is_floating:
        raise DTypeError(f"{operation}: the dtype must be floating, got {wanted.name}")
    length = int(window_length)
    if length < 1:
        raise InvalidArgumentError(f"{operation}: the window's length must be at least 1, got {length}")
    return length, wanted.dtype


def _raised_cosine(operation: str, window_length: Any, periodic: Any, dtype: Any, a: float) -> Tensor:
    length, wanted = _checked(operation, window_length, dtype)
    if length == 1:
        return Tensor(np.ones(1, wanted))
    # as in TensorFlow, a window of odd length is symmetric even if a periodic one is asked for
    period = length - 1 + (bool(periodic) and length % 2 == 0)
    return Tensor((a - (1 - a) * np.cos(2 * np.pi * np.arange(length) / period)).astype(wanted))


def hann_window(window_length: Any, periodic: Any = True, dtype: Any = np.float32, name: str | None = None) -> Tensor:
    """The raised cosine that ends at zero.

    Args:
        window_length: the number of samples.
        periodic: one period of the cosine, if the length is even; otherwise the window is symmetric.
        dtype: floating.

    Raises:
        InvalidArgumentError: the length is not positive.
        DTypeError: the dtype is not floating.

    >>> tf.signal.hann_window(4).numpy().tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    return _raised_cosine("hann_window", window_length, periodic, dtype, 0.5)


def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = np.float32, name: str | None = None
) -> Tensor:
    """The raised cosine that ends at 0.08; arguments as of :func:`tf.signal.hann_window`.

    >>> tf.signal.hamming_window(4, dtype=tf.float64).numpy().round(2).tolist()
    [0.08, 0.54, 1.0, 0.54]
    """
    return _raised_cosine("hamming_window", window_length, periodic, dtype, 0.54)


def kaiser_window(window_length: Any, beta: Any = 12.0, dtype: Any = np.float32, name: str | None = None) -> Tensor:
    """Kaiser's window, which gathers about as much energy in its main lobe as can be.

    Args:
        window_length: the number of samples.
        beta: the larger, the wider the main lobe and the lower the side lobes.
        dtype: floating.

    Raises:
        InvalidArgumentError, DTypeError: as :func:`tf.signal.hann_window`.

    Source: J. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function" (1974).

    >>> tf.signal.kaiser_window(3, beta=0.0).numpy().tolist()
    [1.0, 1.0, 1.0]
    """
    length, wanted = _checked("kaiser_window", window_length, dtype)
    return Tensor(_kaiser(length, float(beta)).astype(wanted))


def _kaiser(length: int, beta: float) -> np.ndarray[Any, Any]:
    # scaled by exp(-beta), for the Bessel function overflows where its ratio does not
    shape = beta * np.sqrt(np.maximum(1 - np.linspace(-1, 1, length) ** 2, 0)) if length > 1 else np.full(1, beta)
    ratio: np.ndarray[Any, Any] = np.exp(shape - beta) * scipy_special.i0e(shape) / scipy_special.i0e(beta)
    return ratio


def kaiser_bessel_derived_window(
    window_length: Any, beta: Any = 12.0, dtype: Any = np.float32, name: str | None = None
) -> Tensor:
    """The window of even length, made of Kaiser's, whose squares half a length apart add up to one.

    >>> window = tf.signal.kaiser_bessel_derived_window(4, dtype=tf.float64).numpy()
    >>> (window[:2] ** 2 + window[2:] ** 2).round(6).tolist()
    [1.0, 1.0]
    """
    length, wanted = _checked("kaiser_bessel_derived_window", window_length, dtype)
    total = np.cumsum(_kaiser(length // 2 + 1, float(beta)))
    half = np.sqrt(total[:-1] / total[-1])
    return Tensor(np.concatenate([half, half[::-1]]).astype(wanted))


def vorbis_window(window_length: Any, dtype: Any = np.float32, name: str | None = None) -> Tensor:
    """The window of the Vorbis format, whose squares half a length apart add up to one.

    >>> tf.signal.vorbis_window(4, dtype=tf.float64).numpy().round(4).tolist()
    [0.228, 0.9737, 0.9737, 0.228]
    """
    length, wanted = _checked("vorbis_window", window_length, dtype)
    inner = np.sin(np.pi * (np.arange(length) + 0.5) / length)
    return Tensor(np.sin(np.pi / 2 * inner**2).astype(wanted))


def linear_to_mel_weight_matrix(
    num_mel_bins: Any = 20,
    num_spectrogram_bins: Any = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: Any = np.float32,
    name: str | None = None,
) -> Tensor:
    """The matrix that sums a spectrogram's bins into triangular bands, equally wide on the mel scale.

    Args:
        num_mel_bins: the number of bands.
        num_spectrogram_bins: the number of bins from 0 to half of the sample rate.
        sample_rate: samples a second.
        lower_edge_hertz: where the first band begins.
        upper_edge_hertz: where the last band ends.
        dtype: floating.

    Returns:
        ``(num_spectrogram_bins, num_mel_bins)``; each band's peak is 1.

    Raises:
        InvalidArgumentError: a number is not positive, or the edges are not in order within half of the sample rate.
        DTypeError: the dtype is not floating.

    Source: S. Stevens, J. Volkmann and E. Newman, "A scale for the measurement of the psychological magnitude pitch"
    (1937), with the formula of the Hidden Markov Model Toolkit.

    >>> tf.signal.linear_to_mel_weight_matrix(num_mel_bins=4, num_spectrogram_bins=33).shape
    TensorShape([33, 4])
    """
    operation = "linear_to_mel_weight_matrix"
    bands, wanted = _checked(operation, num_mel_bins, dtype)
    bins, rate = int(num_spectrogram_bins), float(sample_rate)
    if bins < 1 or rate <= 0 or not 0 <= lower_edge_hertz < upper_edge_hertz <= rate / 2:
        raise InvalidArgumentError(
            f"{operation}: num_spectrogram_bins and sample_rate must be positive, and the edges in order between 0 and "
            f"half of the sample rate; got {bins}, {rate}, {lower_edge_hertz} and {upper_edge_hertz}"
        )

    def mel(hertz: Any) -> Any:
        return 1127.0 * np.log(1.0 + np.asarray(hertz) / 700.0)

    places = mel(np.linspace(0.0, rate / 2, bins))[:, None]
    edges = np.linspace(mel(lower_edge_hertz), mel(upper_edge_hertz), bands + 2)
    lower, centre, upper = edges[:-2], edges[1:-1], edges[2:]
    weights = np.maximum(0.0, np.minimum((places - lower) / (centre - lower), (upper - places) / (upper - centre)))
    weights[0] = 0.0  # the constant part of a signal belongs to no band
    return Tensor(weights.astype(wanted))
