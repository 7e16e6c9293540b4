"""Fourier and cosine transforms, frames and windows over shapes and lengths; values from TensorFlow; bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf


def pairing(a: Any, b: Any) -> float:
    """The real inner product, under which the tape's gradient is the adjoint."""
    return float(np.real(np.sum(np.conj(np.asarray(a)) * np.asarray(b))))


def normal(rng: Any, shape: tuple[int, ...], is_complex: bool) -> Any:
    part = rng.standard_normal(shape)
    return part + 1j * rng.standard_normal(shape) if is_complex else part


#: name -> whether it takes, and gives, complex numbers
TRANSFORMS = {
    "fft": (True, True),
    "ifft": (True, True),
    "rfft": (False, True),
    "irfft": (True, False),
    "hfft": (True, False),
    "ihfft": (False, True),
}


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(TRANSFORMS)),
    st.lists(st.integers(2, 5), min_size=1, max_size=3),
    st.data(),
    st.sampled_from([None, "backward", "ortho", "forward"]),
    st.integers(0, 2**31),
)
def test_transforms_along_an_axis(name: str, shape: list[int], data: Any, norm: Any, seed: int) -> None:
    takes_complex, gives_complex = TRANSFORMS[name]
    rng = np.random.default_rng(seed)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    n = data.draw(st.none() | st.integers(1, 8))
    values, function = normal(rng, tuple(shape), takes_complex), getattr(np.fft, name)
    check(lambda x: function(x, n, axis, norm), values, gives_complex, rng)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["fftn", "ifftn", "rfftn", "irfftn"]),
    st.lists(st.integers(2, 4), min_size=1, max_size=3),
    st.data(),
    st.sampled_from([None, "ortho", "forward"]),
    st.integers(0, 2**31),
)
def test_transforms_along_axes(name: str, shape: list[int], data: Any, norm: Any, seed: int) -> None:
    takes_complex, gives_complex = TRANSFORMS[name[:-1]]
    rng = np.random.default_rng(seed)
    axes = data.draw(st.permutations(range(len(shape))))[: data.draw(st.integers(1, len(shape)))]
    sizes = data.draw(st.none() | st.lists(st.integers(1, 5), min_size=len(axes), max_size=len(axes)))
    values, function = normal(rng, tuple(shape), takes_complex), getattr(np.fft, name)
    check(lambda x: function(x, sizes, axes, norm), values, gives_complex, rng)


def check(function: Any, values: Any, gives_complex: bool, rng: Any) -> None:
    """The value is NumPy's, and the gradient is the adjoint of this real-linear function."""
    expected = function(values)
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    np.testing.assert_allclose(y, expected, rtol=1e-10, atol=1e-12)
    assert y.numpy().dtype == expected.dtype
    g = normal(rng, expected.shape, gives_complex)
    gradient = tape.gradient(y, x, output_gradients=tf.constant(g))
    assert gradient.dtype == x.dtype
    t = normal(rng, values.shape, values.dtype.kind == "c")
    np.testing.assert_allclose(pairing(gradient, t), pairing(g, function(t)), rtol=1e-9, atol=1e-10)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 12), st.booleans(), st.integers(0, 2**31))
def test_frames_and_their_transpose(length: int, step: int, samples: int, pad_end: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((2, samples))
    x = tf.constant(values)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.signal.frame(x, length, step, pad_end=pad_end)
    padded = np.pad(values, ((0, 0), (0, length + step))) if pad_end else values
    last = samples if pad_end else samples - length + 1
    expected = [padded[:, k : k + length] for k in range(0, last, step)]
    np.testing.assert_array_equal(y, np.stack(expected, 1) if expected else np.zeros((2, 0, length)))
    g = rng.standard_normal(y.shape)
    gradient = tape.gradient(y, x, output_gradients=tf.constant(g))
    np.testing.assert_allclose(pairing(gradient, values), pairing(g, y), rtol=1e-9, atol=1e-10)
    added = tf.signal.overlap_and_add(tf.constant(g), step)
    assert added.shape == (2, (len(expected) - 1) * step + length if expected else 0)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([1, 2, 3, 4]), st.integers(2, 9), st.sampled_from([None, "ortho"]), st.integers(0, 2**31))
def test_cosine_transforms(kind: int, n: int, norm: Any, seed: int) -> None:
    norm = None if kind == 1 else norm
    x = np.random.default_rng(seed).standard_normal((2, n))
    np.testing.assert_allclose(tf.signal.dct(x, kind, norm=norm), scipy.fft.dct(x, kind, norm=norm), atol=1e-10)
    factor = 1 if norm else 2 * (n - (kind == 1))
    np.testing.assert_allclose(
        tf.signal.idct(tf.signal.dct(x, kind, norm=norm), kind, norm=norm), factor * x, rtol=1e-9, atol=1e-10
    )


def test_single_precision_stays_single() -> None:
    assert tf.signal.rfft(tf.ones([4])).dtype == tf.complex64
    assert tf.signal.irfft(tf.ones([3], tf.complex64)).dtype == tf.float32
    assert tf.signal.dct(tf.ones([4]), norm="ortho").dtype == tf.float32
    assert tf.signal.stft(tf.ones([16]), 4, 2).dtype == tf.complex64
    assert np.fft.fft(tf.ones([4])).dtype == tf.complex64
    assert np.fft.fft(tf.constant([1, 2])).dtype == tf.complex128


def test_gradients_of_tensorflow() -> None:
    # TensorFlow 2.21
    x, z = tf.constant([1.0, 2.0, 4.0]), tf.constant([1 + 1j, 2 - 1j, 3 + 2j], tf.complex64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, z])
        spectrum, signal = tf.signal.rfft(x), tf.signal.irfft(z)
    cotangent = tf.constant([1 + 2j, 3 - 1j], tf.complex64)
    np.testing.assert_allclose(
        tape.gradient(spectrum, x, output_gradients=cotangent), [4.0, 0.36602539, -1.36602545], rtol=1e-6
    )
    np.testing.assert_allclose(
        tape.gradient(signal, z, output_gradients=tf.constant([1.0, 2.0, 4.0, 8.0])),
        [3.75, -1.5 + 3j, -1.25],
        rtol=1e-6,
    )


def test_values_of_tensorflow() -> None:
    # TensorFlow 2.21
    near = {"rtol": 2e-5, "atol": 1e-6}
    spectra = [[4, -2 + 1j, 0], [8, -4 + 1j, 0], [12, -6 + 1j, 0]]
    np.testing.assert_allclose(tf.signal.stft(tf.range(8.0), 4, 2), spectra, **near)
    np.testing.assert_allclose(tf.signal.dct(tf.range(4.0), 3), [6.9722867, -7.6063366, 1.9494829, -1.3154323], **near)
    np.testing.assert_allclose(
        tf.signal.mfccs_from_log_mel_spectrograms([[1.0, 2.0, 4.0]]), [[5.715476, -2.1213202, 0.40824834]], **near
    )
    mel = [[0, 0, 0], [0.29526266, 0.70473737, 0], [0, 0.20445825, 0.79554176], [0, 0, 0.46153942], [0, 0, 0]]
    np.testing.assert_allclose(tf.signal.linear_to_mel_weight_matrix(3, 5, 8000), mel, **near)
    np.testing.assert_allclose(tf.signal.kaiser_window(4), [5.2773448e-05, 0.5188446, 0.5188446, 5.2773448e-05], **near)
    np.testing.assert_allclose(
        tf.signal.kaiser_bessel_derived_window(4), [0.00726415, 0.9999736, 0.9999736, 0.00726415], **near
    )
    np.testing.assert_allclose(tf.signal.vorbis_window(4), [0.22801436, 0.97365779, 0.97365779, 0.22801416], **near)
    np.testing.assert_allclose(tf.signal.hann_window(5), [0.0, 0.5, 1.0, 0.5, 0.0], **near)
    np.testing.assert_allclose(tf.signal.hamming_window(4), [0.08, 0.54, 1.0, 0.54], **near)


def test_windows_agree_with_numpy() -> None:
    for n in (1, 2, 5, 8):
        np.testing.assert_allclose(
            tf.signal.hann_window(n, periodic=False, dtype=tf.float64), np.hanning(n), atol=1e-12
        )
        np.testing.assert_allclose(tf.signal.hamming_window(n, False, dtype=tf.float64), np.hamming(n), atol=1e-12)
        np.testing.assert_allclose(tf.signal.kaiser_window(n, 8.0, dtype=tf.float64), np.kaiser(n, 8.0), atol=1e-7)


@pytest.mark.parametrize("window_fn", [tf.signal.hann_window, tf.signal.hamming_window])
def test_inverse_stft_inverts(window_fn: Any) -> None:
    x = tf.constant(np.random.default_rng(0).standard_normal((2, 64)))
    spectra = tf.signal.stft(x, 16, 4, window_fn=window_fn)
    inverse_window = tf.signal.inverse_stft_window_fn(4, window_fn)
    y = tf.signal.inverse_stft(spectra, 16, 4, window_fn=inverse_window)
    np.testing.assert_allclose(y[:, 16:-16], x[:, 16:-16], rtol=1e-10, atol=1e-12)


BAD: dict[str, tuple[Any, str]] = {
    "real fft": (lambda: tf.signal.fft(tf.ones([3])), "must be complex, got float32"),
    "complex rfft": (lambda: tf.signal.rfft(tf.ones([3], tf.complex64)), "must be real floating"),
    "integer rfft": (lambda: tf.signal.rfft([1, 2]), "must be real floating"),
    "rank": (lambda: tf.signal.fft2d(tf.ones([3], tf.complex64)), "2 or more axes"),
    "lengths": (lambda: tf.signal.rfft(tf.ones([3]), [3, 3]), "must have 1 entries"),
    "length": (lambda: tf.signal.rfft(tf.ones([3]), [0]), "at least 1"),
    "empty": (lambda: tf.signal.fft(tf.ones([0], tf.complex64)), "no elements"),
    "one frequency": (lambda: tf.signal.irfft(tf.ones([1], tf.complex64)), "at least 1, got 0"),
    "axes": (lambda: tf.signal.fftnd(tf.ones([3, 3], tf.complex64), [2], [0, 1]), "one length for each"),
    "norm": (lambda: np.fft.fft(tf.ones([3]), norm="half"), "'ortho' or 'forward', got 'half'"),
    "complex np.rfft": (lambda: np.fft.rfft(tf.ones([3], tf.complex64)), "takes a real tensor"),
    "np axes": (lambda: np.fft.fftn(tf.ones([3, 3]), s=[2], axes=[0, 1]), "one entry for each axis"),
    "frame": (lambda: tf.signal.frame(tf.ones([5]), 2, 0), "frame_step must be at least 1"),
    "frame axis": (lambda: tf.signal.frame(tf.ones([5]), 2, 1, axis=1), "out of range"),
    "overlap": (lambda: tf.signal.overlap_and_add(tf.ones([5]), 1), "frames, frame_length"),
    "dct type": (lambda: tf.signal.dct(tf.ones([4]), 5), "1, 2, 3 or 4"),
    "dct ortho": (lambda: tf.signal.dct(tf.ones([4]), 1, norm="ortho"), "None for type 1"),
    "dct axis": (lambda: tf.signal.dct(tf.ones([4, 4]), axis=0), "must be -1"),
    "dct length": (lambda: tf.signal.dct(tf.ones([1]), 1), "2 or more"),
    "dct dtype": (lambda: tf.signal.dct([1, 2]), "real floating"),
    "window": (lambda: tf.signal.hann_window(0), "at least 1"),
    "window dtype": (lambda: tf.signal.hann_window(4, dtype=tf.int32), "must be floating"),
    "mel": (lambda: tf.signal.linear_to_mel_weight_matrix(upper_edge_hertz=5000.0), "half of the sample rate"),
    "mfcc": (lambda: tf.signal.mfccs_from_log_mel_spectrograms(tf.ones([2, 0])), "one or more bands"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name: str) -> None:
    call, message = BAD[name]
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call()


def test_out_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="out="):
        np.fft.fft(tf.ones([3]), out=np.zeros(3, np.complex64))


def test_narrow_floats_are_transformed_in_single_precision() -> None:
    for dtype in (tf.float16, tf.bfloat16):
        x = tf.cast([1.0, 2.0, 4.0], dtype)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = np.fft.rfft(x)
        assert (y.dtype, np.fft.fft(x).dtype) == (tf.complex64, tf.complex64)
        assert tape.gradient(y, x).dtype == dtype
