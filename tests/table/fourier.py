"""Rows of wengert.primitives.fourier."""

from __future__ import annotations

import numpy as np

import wengert as tf
from tests.table.case import Case, draw, draw_complex

Z = draw_complex(3, 5)
W = draw_complex(2, 3, 4)


def _transform(x, axes, inverse):
    return (np.fft.ifftn if inverse else np.fft.fftn)(x, axes=axes)


CASES = [
    Case("fourier_transform", (Z,), _transform, {"axes": (1,), "inverse": False}),
    Case("fourier_transform", (W,), _transform, {"axes": (0, 2), "inverse": True}, label="inverse"),
    Case("real_fourier_transform", (draw(2, 6),), np.fft.rfft, {"axis": 1}, label="even"),
    Case("real_fourier_transform", (draw(2, 5, 2),), np.fft.rfft, {"axis": 1}, label="odd"),
    Case("real_fourier_transform", (draw(2, 1),), np.fft.rfft, {"axis": 1}, label="one"),
    Case(
        "inverse_real_fourier_transform",
        (draw_complex(2, 4),),
        lambda x, axis, length: np.fft.irfft(x, length, axis),
        {"axis": 1, "length": 6},
        label="even",
    ),
    Case(
        "inverse_real_fourier_transform",
        (draw_complex(3, 2),),
        lambda x, axis, length: np.fft.irfft(x, length, axis),
        {"axis": 0, "length": 5},
        label="odd",
    ),
    Case(
        "inverse_real_fourier_transform",
        (draw_complex(3, 1),),
        lambda x, axis, length: np.fft.irfft(x, length, axis),
        {"axis": 1, "length": 1},
        label="one",
    ),
    Case("fourier_transform", (Z,), np.fft.fft, call=tf.signal.fft, label="fft"),
    Case("fourier_transform", (W,), lambda x: np.fft.ifftn(x), call=tf.signal.ifft3d, label="ifft3d"),
    Case(
        "real_fourier_transform",
        (draw(3, 5),),
        lambda x: np.fft.rfft(x, 8),
        call=lambda x: tf.signal.rfft(x, [8]),
        label="rfft-longer",
    ),
    Case(
        "real_fourier_transform",
        (draw(3, 5),),
        lambda x: np.fft.rfft(x, 4),
        call=lambda x: tf.signal.rfft(x, [4]),
        label="rfft-shorter",
    ),
    Case("real_fourier_transform", (draw(2, 3, 4),), lambda x: np.fft.rfftn(x), call=tf.signal.rfft3d, label="rfft3d"),
    Case(
        "inverse_real_fourier_transform",
        (Z,),
        lambda x: np.fft.irfft2(x, (4, 7)),
        call=lambda x: tf.signal.irfft2d(x, [4, 7]),
        label="irfft2d",
    ),
    Case("inverse_real_fourier_transform", (Z,), lambda x: np.fft.irfft(x), call=tf.signal.irfft, label="irfft"),
    Case(
        "fourier_transform",
        (draw(3, 4),),
        lambda x: np.fft.fft2(x, norm="ortho"),
        call=lambda x: np.fft.fft2(x, norm="ortho"),
        label="np-real-ortho",
    ),
    Case(
        "inverse_real_fourier_transform",
        (Z,),
        lambda x: np.fft.hfft(x, 6, 0, "ortho"),
        call=lambda x: np.fft.hfft(x, 6, 0, "ortho"),
        label="hfft",
    ),
    Case(
        "real_fourier_transform",
        (draw(3, 4),),
        lambda x: np.fft.ihfft(x, 6),
        call=lambda x: np.fft.ihfft(x, 6),
        label="ihfft",
    ),
    Case(
        "fourier_transform",
        (Z,),
        lambda x: np.fft.fftshift(np.fft.ifft(x, axis=0, norm="forward"), 0),
        call=lambda x: np.fft.fftshift(np.fft.ifft(x, axis=0, norm="forward"), 0),
        label="shift",
    ),
]
