"""Convolution over shapes, strides, dilations, paddings and groups; values from TensorFlow; bad input."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf
from tests.table.convolve import correlated
from wengert.arrays import correlation


@st.composite
def geometries(draw: Any) -> tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]:
    """Shapes of input and filters that fit each other, and the primitives' parameters."""
    n = draw(st.integers(1, 3))
    numbers = st.tuples(*[st.integers(1, 3)] * n)
    taps, strides, dilations = draw(numbers), draw(numbers), draw(st.tuples(*[st.integers(1, 2)] * n))
    padding = draw(st.tuples(*[st.tuples(st.integers(0, 2), st.integers(0, 2))] * n))
    spatial = tuple(
        max((k - 1) * d + 1 - sum(pair), 1) + draw(st.integers(0, 3)) for k, d, pair in zip(taps, dilations, padding)
    )
    groups, seen, multiplier = draw(st.integers(1, 3)), draw(st.integers(1, 2)), draw(st.integers(1, 2))
    x_shape = (draw(st.integers(1, 3)), *spatial, groups * seen)
    params = {"strides": strides, "dilations": dilations, "padding": padding, "groups": groups}
    return x_shape, (*taps, seen, groups * multiplier), params


@settings(max_examples=40, deadline=None)
@given(geometries(), st.sampled_from([64, 500, 1 << 19]), st.integers(0, 2**31))
def test_convolution_is_the_loop_and_its_transposes_are_transposes(geometry: Any, block_bytes: int, seed: int) -> None:
    x_shape, filters_shape, params = geometry
    rng = np.random.default_rng(seed)
    x, filters = rng.standard_normal(x_shape), rng.standard_normal(filters_shape)
    expected = correlated(x, filters, **params)
    g = rng.standard_normal(expected.shape)
    tensors = tf.constant(x), tf.constant(filters)
    with mock.patch.object(correlation, "BLOCK_BYTES", block_bytes), tf.GradientTape() as tape:
        tape.watch(tensors)
        y = tf.nn.convolution(*tensors, params["strides"], params["padding"], dilations=params["dilations"])
        np.testing.assert_allclose(y, expected, rtol=1e-10, atol=1e-10)
        by_x, by_filters = tape.gradient(y, tensors, output_gradients=tf.constant(g))
    # linear in each: the pairing of an input with its gradient is that of the output with its cotangent
    for part, other in ((rng.standard_normal(x_shape), None), (None, rng.standard_normal(filters_shape))):
        moved = correlated(x if part is None else part, filters if other is None else other, **params)
        got = np.sum(by_x.numpy() * part) if other is None else np.sum(by_filters.numpy() * other)
        np.testing.assert_allclose(got, np.sum(moved * g), rtol=1e-9, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 9), st.integers(1, 4), st.integers(1, 4), st.sampled_from(["SAME", "VALID"]))
def test_transposed_convolution_undoes_the_shape(size: int, taps: int, stride: int, padding: str) -> None:
    size = max(size, taps)
    down = tf.nn.conv1d(tf.ones([1, size, 2]), tf.ones([taps, 2, 3]), stride, padding)
    up = tf.nn.conv1d_transpose(down, tf.ones([taps, 2, 3]), [1, size, 2], stride, padding)
    assert up.shape == [1, size, 2]


def test_values_of_tensorflow() -> None:
    # tf.nn.conv2d of TensorFlow 2.21
    image = tf.reshape(tf.range(24.0), [1, 4, 3, 2])
    filters = tf.reshape(tf.range(8.0), [2, 2, 2, 1]) - 3
    with tf.GradientTape() as tape:
        tape.watch(filters)
        y = tf.nn.conv2d(image, filters, strides=[1, 2, 1, 1], padding="SAME")
    assert y.numpy().ravel().tolist() == [76.0, 84.0, 10.0, 124.0, 132.0, -14.0]
    by_filters = tape.gradient(y, filters).numpy().ravel().tolist()
    assert by_filters == [48.0, 54.0, 36.0, 40.0, 84.0, 90.0, 60.0, 64.0]


def test_strides_and_dilations_together() -> None:
    y = tf.nn.conv1d(tf.reshape(tf.range(7.0), [1, 7, 1]), tf.ones([2, 1, 1]), 2, "VALID", dilations=3)
    assert y.numpy().ravel().tolist() == [3.0, 7.0]


def test_derivatives_of_third_order() -> None:
    x = tf.constant(np.linspace(-1, 1, 12).reshape(1, 6, 2))
    w = tf.constant(np.linspace(-1, 2, 12).reshape(3, 2, 2))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as middle:
            middle.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                total = tf.reduce_sum(tf.nn.conv1d(x, w, 1, "SAME") ** 3)
            first = tf.reduce_sum(inner.gradient(total, x))
        second = tf.reduce_sum(middle.gradient(first, x))
    third = outer.gradient(second, x)
    # the third derivative of a sum of cubes along (1, ..., 1) twice is 6 conv(1)^2 pulled back
    ones = tf.nn.conv1d(tf.ones_like(x), w, 1, "SAME")
    expected = tf.nn.conv1d_transpose(6 * ones * ones, w, [1, 6, 2], 1, "SAME")
    np.testing.assert_allclose(third, expected, rtol=1e-10)


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.complex64, tf.int32])
def test_dtype_is_kept(dtype: tf.DType) -> None:
    x, w = tf.cast(tf.ones([1, 4, 4, 2]), dtype), tf.cast(tf.ones([2, 2, 2, 3]), dtype)
    y = tf.nn.conv2d(x, w, 1, "VALID")
    assert y.dtype == dtype
    assert complex(tf.cast(y, tf.complex128)[0, 0, 0, 0]) == 8


@pytest.mark.parametrize(
    ("x_shape", "w_shape"), [((0, 5, 2), (3, 2, 4)), ((2, 0, 2), (3, 2, 4)), ((2, 5, 2), (3, 2, 0))]
)
def test_empty(x_shape: tuple[int, ...], w_shape: tuple[int, ...]) -> None:
    x, w = tf.zeros(x_shape), tf.ones(w_shape)
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.conv1d(x, w, 1, "SAME")
    assert y.shape == (*x_shape[:2], w_shape[-1])
    by_x, by_w = tape.gradient(y, [x, w])
    assert (by_x.shape, by_w.shape) == (x_shape, w_shape)
    assert not by_w.numpy().any()


BAD: dict[str, tuple[Any, str]] = {
    "channels": (lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 2, 4]), 1, "SAME"), "3 channels.*take 2"),
    "groups": (lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 4]), tf.ones([2, 2, 2, 3]), 1, "SAME"), "number of groups"),
    "too large": (lambda: tf.nn.conv2d(tf.ones([1, 2, 4, 1]), tf.ones([3, 3, 1, 1]), 1, "VALID"), "larger than"),
    "rank": (lambda: tf.nn.conv2d(tf.ones([4, 4, 1]), tf.ones([3, 3, 1, 1]), 1, "VALID"), "batch, 2 spatial"),
    "filter rank": (
        lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([3, 1, 1]), 1, "VALID"),
        "filters must have shape",
    ),
    "padding": (lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([3, 3, 1, 1]), 1, "FULL"), "'SAME', 'VALID'"),
    "explicit": (lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([3, 3, 1, 1]), 1, [[0, 0], [1]]), "pairs"),
    "batch padding": (
        lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([3, 3, 1, 1]), 1, [[1, 0], [1, 1], [1, 1], [0, 0]]),
        "batch and channels cannot be padded",
    ),
    "format": (
        lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([3, 3, 1, 1]), 1, "SAME", data_format="NWC"),
        "'NHWC'.*'NCHW', got 'NWC'",
    ),
    "strides": (lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([3, 3, 1, 1]), [1, 2, 3], "SAME"), "2 or 4"),
    "batch stride": (
        lambda: tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([3, 3, 1, 1]), [2, 1, 1, 1], "SAME"),
        "must be 1",
    ),
    "zero stride": (lambda: tf.nn.conv1d(tf.ones([1, 4, 1]), tf.ones([3, 1, 1]), 0, "SAME"), "at least 1"),
    "depthwise": (
        lambda: tf.nn.depthwise_conv2d(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 2, 1]), [1, 1, 1, 1], "SAME"),
        "has 2",
    ),
    "pointwise": (
        lambda: tf.nn.separable_conv2d(
            tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 3, 2]), tf.ones([1, 1, 3, 4]), [1, 1, 1, 1], "SAME"
        ),
        r"\(1, 1, 6, filters\)",
    ),
    "output shape": (
        lambda: tf.nn.conv2d_transpose(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 2, 3]), [1, 9, 8, 2], 2),
        "spatial shape",
    ),
    "output batch": (
        lambda: tf.nn.conv2d_transpose(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 2, 3]), [2, 8, 8, 2], 2),
        "the input's batch",
    ),
    "output channels": (
        lambda: tf.nn.conv2d_transpose(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 2, 3]), [1, 8, 8, 3], 2),
        "do not fit",
    ),
    "np mode": (lambda: np.convolve(tf.ones([3]), tf.ones([2]), "half"), "'full', 'same' or 'valid'"),
    "np rank": (lambda: np.convolve(tf.ones([3, 3]), tf.ones([2])), "one-dimensional"),
    "np empty": (lambda: np.correlate(tf.ones([0]), tf.ones([2])), "non-empty"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name: str) -> None:
    call, message = BAD[name]
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call()
    with pytest.raises(ValueError, match=message):
        call()


def test_mixed_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match=r"convolution: float32.*int32"):
        tf.nn.conv1d(tf.ones([1, 4, 1]), tf.ones([2, 1, 1], tf.int32), 1, "SAME")
