"""Tensors made from shapes and numbers. Values and dtypes are those of TensorFlow 2.21 where nothing else is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf


@pytest.mark.parametrize(
    "shape", [[2, 3], (2, 3), tf.TensorShape([2, 3]), np.array([2, 3]), tf.constant([2, 3]), [tf.constant(2), 3]]
)
def test_zeros_and_ones_take_every_spelling_of_a_shape(shape: Any) -> None:
    for make, value in ((tf.zeros, 0), (tf.ones, 1), (lambda s: tf.fill(s, 2.0), 2)):
        x = make(shape)
        assert (x.dtype, x.shape) == (tf.float32, (2, 3))
        assert (x.numpy() == value).all()


def test_zeros_and_ones_of_other_dtypes() -> None:
    assert tf.zeros([2], tf.bool).numpy().tolist() == [False, False]
    assert tf.ones(2, "int64").dtype == tf.int64
    assert tf.zeros([]).numpy() == 0.0
    assert tf.ones([0, 2]).shape == (0, 2)
    assert tf.zeros_like([1, 2]).dtype == tf.int32
    assert tf.ones_like(tf.Variable([1.0]), dtype=tf.bfloat16).dtype == tf.bfloat16
    assert tf.zeros_like([1, 2], dtype=tf.float64).numpy().tolist() == [0.0, 0.0]


def test_eye() -> None:
    np.testing.assert_array_equal(tf.eye(2, 3, batch_shape=[4, 1]).numpy(), np.broadcast_to(np.eye(2, 3), (4, 1, 2, 3)))
    assert tf.eye(tf.constant(2), dtype=tf.int32).numpy().tolist() == [[1, 0], [0, 1]]


def test_fill_is_differentiable_by_its_value() -> None:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.fill([2, 3], v) ** 2)
    assert float(tape.gradient(y, v)) == 24.0


@pytest.mark.parametrize(
    ("arguments", "expected", "dtype"),
    [
        ((3,), [0, 1, 2], "int32"),
        ((3.5,), [0.0, 1.0, 2.0, 3.0], "float32"),
        ((0, 3.5), [0.0, 1.0, 2.0, 3.0], "float32"),
        ((5, 0, -2), [5, 3, 1], "int32"),
        ((0, 4, 1, tf.float64), [0.0, 1.0, 2.0, 3.0], "float64"),
        ((0, tf.constant(3, tf.int64)), [0, 1, 2], "int64"),
        ((np.float64(2.0),), [0.0, 1.0], "float64"),
        ((2, 2), [], "int32"),
        ((0.0, 1.0, 0.25), [0.0, 0.25, 0.5, 0.75], "float32"),
        ((tf.size(tf.zeros([3])),), [0, 1, 2], "int32"),
    ],
)
def test_range(arguments: Any, expected: list[float], dtype: str) -> None:
    x = tf.range(*arguments)
    assert (x.numpy().tolist(), x.dtype.name) == (expected, dtype)


def test_range_of_float32_rounds_as_often_as_once() -> None:
    x = tf.range(0.0, 1.0, 0.1)
    assert x.shape == (10,)
    np.testing.assert_array_equal(x.numpy(), (np.arange(10) * float(np.float32(0.1))).astype(np.float32))


@settings(max_examples=30, deadline=None)
@given(st.integers(-20, 20), st.integers(-20, 20), st.integers(1, 7))
def test_range_of_integers_as_python(start: int, limit: int, step: int) -> None:
    step = step if limit >= start else -step
    assert tf.range(start, limit, step).numpy().tolist() == list(range(start, limit, step))
    assert tf.range(float(start), float(limit), float(step)).numpy().tolist() == list(range(start, limit, step))


@settings(max_examples=30, deadline=None)
@given(st.floats(-10, 10), st.floats(-10, 10), st.integers(0, 9))
def test_linspace_as_numpy(start: float, stop: float, num: int) -> None:
    a, b = tf.constant(start, tf.float64), tf.constant(stop, tf.float64)
    x = tf.linspace(a, b, num)
    np.testing.assert_allclose(x.numpy(), np.linspace(start, stop, num), rtol=1e-12, atol=1e-12)
    if num > 1:
        assert (float(x[0]), float(x[-1])) == (start, stop)
    for endpoint in (True, False):
        expected, step = np.linspace(start, stop, num + 1, endpoint, retstep=True)
        got, got_step = np.linspace(a, b, num + 1, endpoint, retstep=True)
        np.testing.assert_allclose(got.numpy(), expected, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(
            float(got_step), step if num or not endpoint else stop - start, rtol=1e-12, atol=1e-300
        )


def test_linspace_dtypes_shapes_and_axes() -> None:
    assert tf.linspace(1, 5, 4).dtype == tf.float64
    np.testing.assert_allclose(tf.linspace(1, 5, 4).numpy(), [1.0, 7 / 3, 11 / 3, 5.0])
    assert tf.linspace(10.0, 12.0, 3).dtype == tf.float32
    assert tf.linspace(0.0, 5.0, 1).numpy().tolist() == [0.0]
    assert tf.linspace([0.0, 1.0], [5.0, 6.0], 3, axis=-1).numpy().tolist() == [[0.0, 2.5, 5.0], [1.0, 3.5, 6.0]]
    assert tf.linspace(0.0, [5.0, 6.0], 3).numpy().tolist() == [[0.0, 0.0], [2.5, 3.0], [5.0, 6.0]]
    assert np.linspace(tf.zeros([2, 3]), tf.ones([3]), 4, axis=1).shape == (2, 4, 3)


def test_linspace_gradient() -> None:
    a, b = tf.Variable(0.0), tf.Variable(8.0)
    with tf.GradientTape() as tape:
        x = tf.linspace(a, b, 5)
    da, db = tape.gradient(x, [a, b], output_gradients=tf.constant([1.0, 10.0, 100.0, 1000.0, 10000.0]))
    np.testing.assert_allclose([float(da), float(db)], [1 + 7.5 + 50 + 250, 2.5 + 50 + 750 + 10000])


def test_sequence_mask() -> None:
    assert tf.sequence_mask([1, 3, 2]).numpy().tolist() == [[True, False, False], [True] * 3, [True, True, False]]
    assert tf.sequence_mask(3, 5, dtype=tf.int32).numpy().tolist() == [1, 1, 1, 0, 0]
    assert tf.sequence_mask([], dtype=tf.float32).shape == (0, 0)
    assert tf.sequence_mask([[1], [2]], tf.constant(2)).shape == (2, 1, 2)


def test_meshgrid_as_numpy() -> None:
    xs = [np.arange(n, dtype=np.float32) for n in (2, 3, 4)]
    for indexing in ("xy", "ij"):
        for count in (0, 1, 2, 3):
            for got, expected in zip(
                tf.meshgrid(*xs[:count], indexing=indexing), np.meshgrid(*xs[:count], indexing=indexing), strict=True
            ):
                np.testing.assert_array_equal(got.numpy(), expected)
            for sparse in (False, True):
                tensors = np.meshgrid(*map(tf.constant, xs[:count]), indexing=indexing, sparse=sparse) if count else ()
                arrays = np.meshgrid(*xs[:count], indexing=indexing, sparse=sparse)
                for got, expected in zip(tensors, arrays, strict=True):
                    np.testing.assert_array_equal(got.numpy(), expected)
    assert [x.shape for x in tf.meshgrid(1, [2, 3])] == [(2, 1)] * 2


def test_likes_of_numpy() -> None:
    x = tf.constant([[1.0, 2.0]])
    for like in (np.zeros_like, np.ones_like, np.empty_like):
        assert isinstance(like(x), tf.Tensor) and like(x).dtype == tf.float32
        assert like(x, dtype=np.int64, shape=(3,)).dtype == tf.int64
    assert np.full_like(x, 7).numpy().tolist() == [[7.0, 7.0]]
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(np.full_like(x, v))
    assert float(tape.gradient(y, v)) == 2.0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.zeros([2, -1]), ValueError, "zeros: a shape has no negative sizes"),
        (lambda: tf.ones([2.5]), TypeError, "ones: sizes and axes are integers"),
        (lambda: tf.zeros([2], "text"), TypeError, "not a dtype"),
        (lambda: tf.fill([2], [1.0, 2.0]), ValueError, r"fill takes a value of shape \(\)"),
        (lambda: tf.range(0, 5, 0), ValueError, "delta must not be 0"),
        (lambda: tf.range(5, 0), ValueError, "do not lead from 5 to 0"),
        (lambda: tf.range([1, 2]), ValueError, "range takes numbers"),
        (lambda: tf.linspace(0.0, 1.0, -1), ValueError, "negative"),
        (lambda: tf.linspace(0.0, 1.0, 3, axis=1), ValueError, "axis 1 is out of range"),
        (lambda: tf.sequence_mask([1.5]), TypeError, "lengths are integers"),
        (lambda: tf.meshgrid([1, 2], indexing="yx"), ValueError, "indexing"),
        (lambda: tf.meshgrid([[1, 2]]), ValueError, "one axis"),
    ],
)
def test_bad_input_is_explained(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
