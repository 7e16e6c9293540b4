"""Images: values from TensorFlow, the gradient that contrast does not have, and bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf

RAMP = tf.reshape(tf.range(6.0), [1, 2, 3, 1])
BYTES = np.array([[[10, 200, 30]], [[255, 0, 77]]], np.uint8)
METHODS = ["nearest", "area", "bilinear", "bicubic", "lanczos3", "lanczos5", "gaussian", "mitchellcubic"]


def test_contrast_has_no_gradient() -> None:
    image = tf.Variable([[[0.5, 0.0, 0.0]]])
    with tf.GradientTape() as tape:
        adjusted = tf.image.adjust_contrast(image, 0.1)
    with pytest.raises(LookupError, match="adjust_contrast"):
        tape.gradient(adjusted, image)


def test_resized_values_of_tensorflow() -> None:
    # tf.image.resize of TensorFlow 2.21
    values = {
        "bilinear": [0.25, 1.75, 1.75, 3.25, 3.25, 4.75],
        "nearest": [0.0, 2.0, 3.0, 5.0, 3.0, 5.0],
        "area": [0.33333334, 1.6666667, 1.8333335, 3.1666667, 3.333333, 4.6666667],
        "lanczos3": [-0.24923298, 1.5043389, 1.623214, 3.3767858, 3.4956613, 5.2492332],
    }
    for method, expected in values.items():
        np.testing.assert_allclose(
            np.ravel(tf.image.resize(RAMP, [3, 2], method)), expected, rtol=1e-5, atol=1e-6, err_msg=method
        )
    shrunk = tf.image.resize(RAMP, [1, 2], antialias=True)
    np.testing.assert_allclose(np.ravel(shrunk), [1.875, 3.125], rtol=1e-6)


def test_adjusted_values_of_tensorflow() -> None:
    # TensorFlow 2.21
    assert tf.image.adjust_contrast(RAMP, 2.0).numpy().ravel().tolist() == [-2.5, -0.5, 1.5, 3.5, 5.5, 7.5]
    assert tf.image.adjust_contrast(BYTES, 1.5).numpy().ravel().tolist() == [0, 250, 18, 255, 0, 88]
    assert tf.image.adjust_brightness(BYTES, 0.3).numpy().ravel().tolist() == [86, 255, 106, 255, 76, 153]
    assert tf.image.rgb_to_grayscale(BYTES).numpy().ravel().tolist() == [124, 85]
    np.testing.assert_allclose(
        np.ravel(tf.image.per_image_standardization(RAMP)),
        [-1.46385, -0.87831, -0.29277, 0.29277, 0.87831, 1.46385],
        rtol=1e-5,
    )


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(METHODS), st.tuples(*[st.integers(1, 7)] * 4), st.booleans())
def test_resizing_keeps_a_uniform_image(method: str, sizes: tuple[int, int, int, int], antialias: bool) -> None:
    image = tf.fill([2, sizes[0], sizes[1], 3], 0.75)
    resized = tf.image.resize(image, sizes[2:], method, antialias=antialias)
    assert resized.shape == (2, *sizes[2:], 3)
    np.testing.assert_allclose(resized, 0.75, rtol=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(METHODS), st.tuples(*[st.integers(1, 5)] * 4), st.booleans(), st.integers(0, 2**31))
def test_gradient_of_resizing_is_the_adjoint(
    method: str, sizes: tuple[int, int, int, int], antialias: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    x = tf.constant(rng.standard_normal((sizes[0], sizes[1], 2)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.image.resize(x, sizes[2:], method, antialias=antialias)
    g = rng.standard_normal(y.shape)
    gradient = tape.gradient(y, x, output_gradients=tf.constant(g))
    np.testing.assert_allclose(np.sum(gradient * x), np.sum(g * y), rtol=1e-9, atol=1e-10)


def test_aspect_ratio() -> None:
    assert tf.image.resize(tf.ones([5, 6, 2]), [9, 9], preserve_aspect_ratio=True).shape == [8, 9, 2]


def test_dtypes() -> None:
    assert tf.image.resize(BYTES, [3, 3]).dtype == tf.float32
    assert tf.image.resize(BYTES, [3, 3], "nearest").dtype == tf.uint8
    assert tf.image.resize(BYTES, [2, 1]).dtype == tf.uint8
    assert tf.image.convert_image_dtype(BYTES, tf.int16).numpy().max() == 255 * 128
    assert tf.image.convert_image_dtype(tf.constant([2.0, -1.0]), tf.uint8, saturate=True).numpy().tolist() == [255, 0]
    assert tf.image.convert_image_dtype(tf.constant([1.0]), tf.int32, saturate=True).numpy().tolist() == [2**31 - 1]


BAD: dict[str, tuple[Any, str]] = {
    "rank": (lambda: tf.image.flip_left_right(tf.ones([3, 3])), "height, width, channels"),
    "method": (lambda: tf.image.resize(RAMP, [2, 2], "cubic"), "got 'cubic'"),
    "size": (lambda: tf.image.resize(RAMP, [2]), "positive height and width"),
    "empty": (lambda: tf.image.resize(tf.zeros([0, 3, 1]), [2, 2]), "and pixels"),
    "gray": (lambda: tf.image.rgb_to_grayscale(tf.ones([2, 2, 4])), "size 3"),
    "colour": (lambda: tf.image.grayscale_to_rgb(tf.ones([2, 2, 3])), "size 1"),
    "batch": (lambda: tf.image.image_gradients(tf.ones([2, 2, 3])), "batch, height"),
    "contrast": (lambda: tf.image.adjust_contrast(tf.ones([2, 2]), 2.0), "height, width"),
    "dtype": (lambda: tf.image.convert_image_dtype([True], tf.float32), "floating or integer"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name: str) -> None:
    call, message = BAD[name]
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call()
