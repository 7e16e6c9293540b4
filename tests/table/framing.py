"""Rows of wengert.primitives.framing and cosine_transform."""

from __future__ import annotations

import numpy as np
import scipy.fft

import wengert as tf
from tests.table.case import Case, draw, draw_complex


def cut(x, length, step):
    starts = range(0, x.shape[-1] - length + 1, step)
    rows = [x[..., k : k + length] for k in starts]
    return np.stack(rows, axis=-2) if rows else np.zeros((*x.shape[:-1], 0, length))


def added(x, step, length):
    out = np.zeros((*x.shape[:-2], length + x.shape[-1]), x.dtype)
    for k in range(x.shape[-2]):
        out[..., k * step : k * step + x.shape[-1]] += x[..., k, :]
    return out[..., :length]


def spectra(x):
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(6) / 6)
    return np.fft.rfft(cut(x, 6, 4) * window, 8)


def from_spectra(x):
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(6) / 6)
    return added(np.fft.irfft(x, 8)[..., :6] * window, 4, (x.shape[-2] - 1) * 4 + 6)


SIGNAL = draw(2, 11)

CASES = [
    Case("frames", (SIGNAL,), cut, {"length": 4, "step": 3}),
    Case("frames", (SIGNAL,), cut, {"length": 2, "step": 3}, label="gaps"),
    Case("frames", (SIGNAL,), cut, {"length": 12, "step": 1}, label="none"),
    Case("overlap_add", (draw(2, 3, 5),), added, {"step": 2, "length": 9}),
    Case("overlap_add", (draw(3, 2),), added, {"step": 3, "length": 9}, label="gaps"),
    Case("overlap_add", (draw_complex(3, 4),), added, {"step": 3, "length": 12}, label="longer"),
    Case(
        "frames",
        (draw(5, 2),),
        lambda x: np.moveaxis(cut(np.pad(x.T, ((0, 0), (0, 2)), constant_values=7), 3, 2), 0, -1),
        call=lambda x: tf.signal.frame(x, 3, 2, pad_end=True, pad_value=7, axis=0),
        label="frame",
    ),
    Case("frames", (SIGNAL,), spectra, call=lambda x: tf.signal.stft(x, 6, 4), label="stft"),
    Case(
        "overlap_add",
        (draw_complex(2, 3, 5),),
        from_spectra,
        call=lambda x: tf.signal.inverse_stft(x, 6, 4),
        label="inverse_stft",
    ),
    *(
        Case(
            "real_fourier_transform",
            (draw(2, 5),),
            lambda x, kind=kind, norm=norm, n=n: scipy.fft.dct(x, kind, n, norm=norm),
            call=lambda x, kind=kind, norm=norm, n=n: tf.signal.dct(x, kind, n, norm=norm),
            label=f"dct-{kind}-{norm}-{n}",
        )
        for kind in (1, 2, 3, 4)
        for norm, n in ((None, None), (None, 7), ("ortho", 3))
        if kind != 1 or norm is None
    ),
    Case(
        "real_fourier_transform",
        (draw(2, 5),),
        lambda x: scipy.fft.idct(x, 4, norm="ortho"),
        call=lambda x: tf.signal.idct(x, 4, norm="ortho"),
        label="idct",
    ),
]
