"""Pooling over shapes, strides, dilations and paddings; ties; values from TensorFlow; bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf
from tests.table.pool import argmax, largest, mean


@st.composite
def geometries(draw: Any) -> tuple[tuple[int, ...], dict[str, Any]]:
    n = draw(st.integers(1, 3))
    numbers = st.tuples(*[st.integers(1, 3)] * n)
    window, strides, dilations = draw(numbers), draw(numbers), draw(st.tuples(*[st.integers(1, 2)] * n))
    kind = draw(st.sampled_from(["SAME", "VALID"]))
    extents = [(k - 1) * d + 1 for k, d in zip(window, dilations)]
    spatial = tuple(e + draw(st.integers(0, 3)) for e in extents)
    totals = [
        max((-(-n // s) - 1) * s + e - n, 0) if kind == "SAME" else 0 for n, s, e in zip(spatial, strides, extents)
    ]
    padding = tuple((t // 2, t - t // 2) for t in totals)
    shape = (draw(st.integers(1, 2)), *spatial, draw(st.integers(1, 2)))
    return shape, {"window": window, "strides": strides, "dilations": dilations, "padding": padding, "kind": kind}


@settings(max_examples=40, deadline=None)
@given(geometries(), st.integers(0, 2**31))
def test_pooling_is_the_loop_and_its_gradient_has_the_mass_of_the_cotangent(geometry: Any, seed: int) -> None:
    shape, params = geometry
    kind = params.pop("kind")
    rng = np.random.default_rng(seed)
    values = rng.integers(-2, 3, shape).astype(np.float64)  # many ties
    for pooling, expected in (("MAX", largest(values, **params)), ("AVG", mean(values, **params))):
        x = tf.constant(values)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.pool(x, params["window"], pooling, params["strides"], kind, dilations=params["dilations"])
        np.testing.assert_allclose(y, expected, rtol=1e-12)
        g = rng.standard_normal(expected.shape)
        gradient = tape.gradient(y, x, output_gradients=tf.constant(g))
        np.testing.assert_allclose(np.sum(gradient), np.sum(g), rtol=1e-9, atol=1e-9)
    # both are homogeneous: x . gradient = y . g
    np.testing.assert_allclose(np.sum(gradient * x), np.sum(y * g), rtol=1e-9, atol=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 3), st.integers(1, 3), st.sampled_from(["SAME", "VALID"]), st.booleans(), st.integers(0, 2**31))
def test_argmax_names_the_first(window: int, stride: int, padding: str, batch: bool, seed: int) -> None:
    values = np.random.default_rng(seed).integers(0, 4, (2, 4, 5, 2)).astype(np.float32)
    y, where = tf.nn.max_pool_with_argmax(values, window, stride, padding, include_batch_in_index=batch)
    totals = [max((-(-n // stride) - 1) * stride + window - n, 0) if padding == "SAME" else 0 for n in (4, 5)]
    geometry = {
        "window": (window, window),
        "strides": (stride, stride),
        "dilations": (1, 1),
        "padding": tuple((t // 2, t - t // 2) for t in totals),
    }
    np.testing.assert_array_equal(where, argmax(values, with_batch=batch, **geometry))
    np.testing.assert_array_equal(y, largest(values, **geometry))
    assert where.dtype == tf.int64


def test_ties_share_the_gradient() -> None:
    x = tf.constant([[[1.0], [1.0], [0.0], [2.0]]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool1d(x, 2, 2, "VALID")
    assert tape.gradient(y, x).numpy().ravel().tolist() == [0.5, 0.5, 0.0, 1.0]


def test_minus_infinity_does_not_share_with_padding() -> None:
    x = tf.constant([[[-np.inf]]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool1d(x, 3, 1, "SAME")
    assert float(y[0, 0, 0]) == -np.inf
    assert tape.gradient(y, x).numpy().ravel().tolist() == [1.0]


def test_values_of_tensorflow() -> None:
    # tf.nn.avg_pool2d and max_pool2d of TensorFlow 2.21
    x = tf.reshape(tf.range(12.0), [1, 3, 4, 1])
    assert tf.nn.avg_pool2d(x, 2, 2, "SAME").numpy().ravel().tolist() == [2.5, 4.5, 8.5, 10.5]
    assert tf.nn.max_pool2d(x, 2, 2, "SAME").numpy().ravel().tolist() == [5.0, 7.0, 9.0, 11.0]
    assert tf.nn.avg_pool2d(x, [3, 3], [2, 3], "SAME").numpy().ravel().tolist() == [2.5, 4.5, 6.5, 8.5]


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_dtype_is_kept(dtype: tf.DType) -> None:
    x = tf.cast(tf.reshape(tf.range(4.0), [1, 4, 1]), dtype)
    for pooled in (tf.nn.max_pool1d(x, 2, 1, "SAME"), tf.nn.avg_pool1d(x, 2, 1, "SAME")):
        assert pooled.dtype == dtype


def test_integers_have_a_maximum_and_no_mean() -> None:
    x = tf.constant([[[-5], [-3]]])
    assert tf.nn.max_pool1d(x, 2, 1, "SAME").numpy().ravel().tolist() == [-3, -3]
    with pytest.raises(TypeError, match="floating"):
        tf.nn.avg_pool1d(x, 2, 1, "SAME")


def test_empty_batch() -> None:
    assert tf.nn.max_pool2d(tf.zeros([0, 4, 4, 3]), 2, 2, "SAME").shape == [0, 2, 2, 3]
    assert tf.nn.avg_pool2d(tf.zeros([0, 4, 4, 3]), 2, 2, "SAME").shape == [0, 2, 2, 3]


IMAGE = tf.ones([1, 4, 4, 1])
BAD: dict[str, tuple[Any, str]] = {
    "too large": (lambda: tf.nn.max_pool2d(IMAGE, 5, 1, "VALID"), "larger than"),
    "rank": (lambda: tf.nn.max_pool2d(tf.ones([4, 4, 1]), 2, 1, "VALID"), "2 spatial"),
    "padding": (lambda: tf.nn.avg_pool2d(IMAGE, 2, 1, "FULL"), "'SAME', 'VALID'"),
    "format": (lambda: tf.nn.avg_pool2d(IMAGE, 2, 1, "SAME", "NCW"), "'NHWC'.*'NCHW', got 'NCW'"),
    "window": (lambda: tf.nn.avg_pool2d(IMAGE, [1, 2, 3], 1, "SAME"), "the window must be one integer"),
    "channels": (lambda: tf.nn.max_pool2d(IMAGE, [1, 2, 2, 2], 1, "SAME"), "batch and channel"),
    "all padding": (lambda: tf.nn.max_pool2d(IMAGE, 2, 1, [[0, 0], [2, 0], [0, 0], [0, 0]]), "not smaller"),
    "kind": (lambda: tf.nn.pool(IMAGE, [2, 2], "MIN"), "'MAX' or 'AVG'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name: str) -> None:
    call, message = BAD[name]
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call()


def test_argmax_takes_channels_last_only() -> None:
    with pytest.raises(NotImplementedError, match="NHWC"):
        tf.nn.max_pool_with_argmax(IMAGE, 2, 2, "SAME", data_format="NCHW")
