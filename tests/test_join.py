"""Joining, taking apart, copying and padding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes

import wengert as tf
from tests.linear import assert_linear

SHAPES = array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=3)
quickly = settings(max_examples=30, deadline=None)


@quickly
@given(SHAPES, st.lists(st.integers(0, 3), min_size=1, max_size=4), st.data())
def test_concat_and_split(shape: tuple[int, ...], sizes: list[int], data: Any) -> None:
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    at = axis % len(shape)
    shapes = [(*shape[:at], n, *shape[at + 1 :]) for n in sizes]
    assert_linear(lambda *xs: tf.concat(xs, axis), lambda *xs: np.concatenate(xs, axis), *shapes)
    whole = (*shape[:at], sum(sizes), *shape[at + 1 :])
    bounds = np.cumsum(sizes)[:-1]
    assert_linear(lambda x: tf.split(x, sizes, axis), lambda x: np.split(x, bounds, axis), whole)


@quickly
@given(array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3), st.integers(1, 4), st.data())
def test_stack_and_unstack(shape: tuple[int, ...], count: int, data: Any) -> None:
    axis = data.draw(st.integers(-len(shape) - 1, len(shape)))
    assert_linear(lambda *xs: tf.stack(xs, axis), lambda *xs: np.stack(xs, axis), *[shape] * count)
    at = axis % (len(shape) + 1)
    whole = (*shape[:at], count, *shape[at:])
    assert_linear(lambda x: tf.unstack(x, axis=axis), lambda x: list(np.moveaxis(x, at, 0)), whole)


@quickly
@given(SHAPES, st.data())
def test_tile_and_repeat(shape: tuple[int, ...], data: Any) -> None:
    reps = [data.draw(st.integers(0, 3)) for _ in shape]
    assert_linear(lambda x: tf.tile(x, reps), lambda x: np.tile(x, reps), shape)
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    counts = [data.draw(st.integers(0, 3)) for _ in range(shape[axis])]
    assert_linear(lambda x: tf.repeat(x, reps[0], axis), lambda x: np.repeat(x, reps[0], axis), shape)
    assert_linear(lambda x: tf.repeat(x, counts, axis), lambda x: np.repeat(x, counts, axis), shape)
    assert_linear(lambda x: tf.repeat(x, reps[0]), lambda x: np.repeat(x, reps[0]), shape)


@quickly
@given(SHAPES, st.sampled_from(["constant", "reflect", "symmetric"]), st.data())
def test_pad(shape: tuple[int, ...], mode: str, data: Any) -> None:
    most = {"constant": lambda n: 3, "reflect": lambda n: max(n - 1, 0), "symmetric": lambda n: n}[mode]
    pads = [[data.draw(st.integers(0, most(n))) for _ in range(2)] for n in shape]
    assert_linear(lambda x: tf.pad(x, pads, mode), lambda x: np.pad(x, pads, mode=mode), shape)
    if mode == "constant":
        assert_linear(
            lambda x: tf.pad(x, pads, constant_values=2.5), lambda x: np.pad(x, pads, constant_values=2.5), shape
        )


@quickly
@given(
    array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4),
    st.sampled_from(["reflect", "symmetric", "edge", "wrap"]),
    st.data(),
)
def test_numpy_pad_beyond_the_size_of_the_array(shape: tuple[int, ...], mode: str, data: Any) -> None:
    pads = [[data.draw(st.integers(0, 9)) for _ in range(2)] for _ in shape]
    assert_linear(lambda x: np.pad(x, pads, mode=mode), lambda x: np.pad(x, pads, mode=mode), shape)


def test_concat_promotes_floats_and_takes_lists() -> None:
    x = tf.concat([tf.zeros([1], tf.float32), tf.zeros([2], tf.float64)], 0)
    assert (x.dtype, x.shape) == (tf.float64, (3,))
    assert tf.concat([tf.zeros([1]), [1, 2]], 0).dtype == tf.float32
    assert tf.concat(tf.ones([2, 3]), 0).shape == (2, 3)
    assert tf.stack(tf.ones([2, 3]), axis=1).shape == (3, 2)


def test_a_tensor_joined_with_itself_gets_both_gradients() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.concat([x, 3 * x, x], 0) * tf.constant([1.0, 2.0, 10.0, 20.0, 100.0, 200.0]))
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [131.0, 262.0])


def test_gradient_through_one_part_of_a_split_is_zero_elsewhere() -> None:
    x = tf.Variable(tf.ones([2, 5]))
    with tf.GradientTape() as tape:
        _, middle, _ = tf.split(x, [1, -1, 2], axis=1)
        y = tf.reduce_sum(middle * middle)
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [[0, 2, 2, 0, 0]] * 2)


def test_split_counts_may_be_tensors() -> None:
    x = tf.range(6)
    for sizes in (tf.constant([2, 4]), [tf.constant(2), -1], np.array([2, 4])):
        assert [p.numpy().tolist() for p in tf.split(x, sizes)] == [[0, 1], [2, 3, 4, 5]]
    assert [p.shape for p in tf.split(x, tf.constant(3))] == [(2,)] * 3


def test_pad_takes_tensors_and_any_case() -> None:
    x = tf.constant([1, 2, 3])
    assert tf.pad(x, tf.constant([[1, 2]]), "reflect").numpy().tolist() == [2, 1, 2, 3, 2, 1]
    assert tf.pad(x, [[1, tf.constant(0)]], constant_values=tf.constant(7)).numpy().tolist() == [7, 1, 2, 3]
    assert tf.pad(tf.constant(5.0), np.zeros((0, 2), int)).numpy() == 5.0


def test_numpy_pad_has_all_forms_of_its_arguments() -> None:
    for kwargs in (
        {"pad_width": 2},
        {"pad_width": (1, 2)},
        {"pad_width": ((1, 2),)},
        {"pad_width": ((0, 1), (2, 0)), "constant_values": 4.0},
        {"pad_width": ((0, 1), (2, 1)), "constant_values": ((1.0, 2.0), (3.0, 4.0))},
        {"pad_width": 1, "mode": "edge"},
        {"pad_width": 1, "mode": "reflect", "reflect_type": "even"},
    ):
        assert_linear(lambda x: np.pad(x, **kwargs), lambda x: np.pad(x, **kwargs), (2, 3))  # noqa: B023


X = np.zeros((2, 3), np.float32)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.concat([], 0), ValueError, "at least one"),
        (
            lambda: tf.concat([X, X[:, :2]], 0),
            tf.errors.InvalidArgumentError,
            r"\(2, 3\) and tensor 1 has shape \(2, 2\)",
        ),
        (lambda: tf.concat([X, X[0]], 0), tf.errors.InvalidArgumentError, "tensor 1"),
        (lambda: tf.concat([X, X], 2), tf.errors.InvalidArgumentError, "axis 2 is out of range"),
        (lambda: tf.concat([X, X], 0.5), ValueError, "axis must be an integer"),
        (lambda: tf.concat([1.0, 2.0], 0), tf.errors.InvalidArgumentError, "tf.stack"),
        (lambda: tf.concat([tf.constant(X), tf.constant([[1, 2, 3]])], 0), TypeError, "concat: .*tf.cast"),
        (lambda: tf.concat([tf.constant([1]), [2.5]], 0), TypeError, "concat"),
        (lambda: tf.stack([]), ValueError, "at least one"),
        (lambda: tf.stack([X, X[0]]), tf.errors.InvalidArgumentError, r"tensor 1 has \(3,\)"),
        (lambda: tf.stack([X, X], 3), tf.errors.InvalidArgumentError, "axis 3 is out of range"),
        (lambda: tf.stack([tf.constant(1), tf.constant(1.0)]), TypeError, "tf.cast"),
        (lambda: tf.unstack(X, num=3), ValueError, "num is 3"),
        (lambda: tf.unstack(1.0), ValueError, "out of range"),
        (lambda: tf.split(X, 2, axis=1), ValueError, r"axis 1 of shape \(2, 3\) has size 3, not divisible into 2"),
        (lambda: tf.split(X, 0), ValueError, "not divisible into 0"),
        (lambda: tf.split(X, [1, 1], axis=1), ValueError, "do not add up to 3"),
        (lambda: tf.split(X, [-1, -1], axis=1), ValueError, "do not add up"),
        (lambda: tf.split(X, [4, -1], axis=1), ValueError, "do not add up"),
        (lambda: tf.split(X, [1.5, 1.5], axis=1), TypeError, "integers"),
        (lambda: tf.split(X, [1, 2], axis=1, num=3), ValueError, "num is 3"),
        (lambda: tf.split(X, 2, axis=2), ValueError, "axis 2 is out of range"),
        (lambda: tf.tile(X, [2]), ValueError, r"axes of shape \(2, 3\)"),
        (lambda: tf.tile(X, [2, -1]), ValueError, "not negative"),
        (lambda: tf.repeat(X, [1, 2, 3], axis=0), ValueError, "one for each of the 2 parts"),
        (lambda: tf.repeat(X, -1), ValueError, "none negative"),
        (lambda: tf.repeat(X, 2, axis=2), ValueError, "axis 2 is out of range"),
        (lambda: tf.pad(X, [[1, 1]]), ValueError, r"shape \(2, 2\)"),
        (lambda: tf.pad(X, [[1, 1], [0, -1]]), ValueError, "none negative"),
        (lambda: tf.pad(X, [[0, 0], [3, 0]], "REFLECT"), ValueError, r"at most 2 elements to axis 1 of shape \(2, 3\)"),
        (lambda: tf.pad(X, [[0, 0], [0, 4]], "SYMMETRIC"), ValueError, "at most 3 elements"),
        (lambda: tf.pad(X, [[0, 0], [0, 0]], "EDGE"), ValueError, "mode is"),
        (lambda: tf.pad(X, [[1, 0], [0, 0]], constant_values=np.ones(3)), ValueError, "shape"),
        (lambda: np.pad(tf.constant(X), -1), ValueError, "negative"),
        (lambda: np.pad(tf.constant(X), [1, 2, 3]), ValueError, "does not fit"),
        (lambda: np.pad(tf.constant(X), 1, "mean"), NotImplementedError, "symmetric, edge and wrap"),
        (lambda: np.pad(tf.constant(X), 1, "reflect", reflect_type="odd"), NotImplementedError, "reflect_type='odd'"),
        (lambda: np.pad(tf.constant(X[:0]), 1, "edge"), ValueError, "no elements"),
    ],
)
def test_bad_input_is_explained(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
