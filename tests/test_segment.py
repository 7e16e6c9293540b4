"""Reductions over segments: values of empty segments, ties, zeros in products, dtypes, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)
REDUCTIONS = {
    "sum": (lambda p: p.sum(0), 0.0),
    "mean": (lambda p: p.mean(0), 0.0),
    "sqrt_n": (lambda p: p.sum(0) / np.sqrt(len(p)), 0.0),
    "prod": (lambda p: p.prod(0), 1.0),
    "max": (lambda p: p.max(0), np.finfo(np.float64).min),
    "min": (lambda p: p.min(0), np.finfo(np.float64).max),
}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(REDUCTIONS)), st.lists(st.integers(-1, 4), max_size=12), st.data())
def test_unsorted_segments_against_a_loop(name: str, ids: list[int], data: Any) -> None:
    reduce, empty = REDUCTIONS[name]
    rest = tuple(data.draw(st.lists(st.integers(0, 3), max_size=2)))
    rng = np.random.default_rng(0)
    x = rng.standard_normal((len(ids), *rest))
    rows = [x[np.array(ids, int) == k] for k in range(5)]
    expected = np.stack([reduce(r) if len(r) else np.full(rest, empty) for r in rows])
    function = getattr(tf.math, f"unsorted_segment_{name}")
    v = tf.Variable(x)
    with tf.GradientTape() as tape:
        got = function(v, ids, 5)
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-12)
    seed = rng.standard_normal(expected.shape)
    pulled = tape.gradient(got, v, output_gradients=tf.constant(seed)).numpy()
    assert pulled.shape == x.shape
    direction, h = rng.standard_normal(x.shape), 1e-6
    up, down = (function(x + s * h * direction, ids, 5).numpy() for s in (1, -1))
    filled = np.array([len(r) > 0 for r in rows])  # the lowest number minus itself says nothing
    numeric = (seed * (up - down))[filled].sum() / (2 * h)
    assert abs((pulled * direction).sum() - numeric) < 1e-6 * max(1, abs(numeric))


@pytest.mark.parametrize(
    ("name", "expected"),
    [  # values of TensorFlow 2.21
        ("sum", [[4, 6], [0, 0], [5, 6]]),
        ("mean", [[2, 3], [0, 0], [5, 6]]),
        ("prod", [[3, 8], [1, 1], [5, 6]]),
        ("max", [[3, 4], [0, 0], [5, 6]]),
        ("min", [[1, 2], [0, 0], [5, 6]]),
    ],
)
def test_sorted_segments(name: str, expected: Any) -> None:
    function = getattr(tf.math, f"segment_{name}")
    assert function(X, [0, 0, 2]).numpy().tolist() == expected
    assert function(X.astype(np.int32), [0, 0, 2]).numpy().tolist() == expected
    assert function(np.zeros((0, 2)), []).shape == (0, 2)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sum", [0, 0, 7, 0]),
        ("mean", [0, 0, 3.5, 0]),
        ("prod", [1, 1, 10, 1]),
        ("max", [-(2**31), -(2**31), 5, -(2**31)]),
        ("min", [2**31 - 1, 2**31 - 1, 2, 2**31 - 1]),
    ],
)
def test_unsorted_segments_of_integers(name: str, expected: Any) -> None:
    got = getattr(tf.math, f"unsorted_segment_{name}")(tf.constant([5, 2, 2]), [2, -1, 2], 4)
    assert got.numpy().tolist() == expected
    assert got.dtype == (tf.float64 if name == "mean" else tf.int32)


def test_integer_means_are_cut() -> None:
    assert tf.math.segment_mean([1, 2, -1, -2], [0, 0, 1, 1]).numpy().tolist() == [1, -1]


def test_ids_may_have_several_axes() -> None:
    assert tf.math.unsorted_segment_sum(X, [[0, 1], [1, 1], [0, 0]], 2).numpy().tolist() == [12, 9]
    assert tf.math.unsorted_segment_max(X, 1, 2).numpy().tolist()[1] == X.tolist()


@pytest.mark.parametrize("name", ["max", "min"])
def test_ties_share_mass_one(name: str) -> None:
    v = tf.Variable(np.zeros((3, 2), np.float32))
    with tf.GradientTape(persistent=True) as tape:
        y = getattr(tf.math, f"segment_{name}")(v, [0, 0, 0])
        z = getattr(tf.math, f"unsorted_segment_{name}")(v, [1, 0, 1], 3)
    np.testing.assert_allclose(tape.gradient(y, v).numpy(), np.full((3, 2), 1 / 3), rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(z, v).numpy(), [[0.5] * 2, [1] * 2, [0.5] * 2])


def test_products_with_zeros_have_exact_derivatives_of_both_orders() -> None:
    v = tf.Variable([0.0, 0.0, 3.0, 0.0, 5.0], dtype=tf.float64)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.math.segment_prod(v, [0, 0, 0, 1, 1])
        first = inner.gradient(y, v)
        picked = first[0] + 10.0 * first[3]
    assert first.numpy().tolist() == [0, 0, 0, 5, 0]
    assert outer.gradient(picked, v).numpy().tolist() == [0, 3, 0, 0, 10]


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16])
@pytest.mark.parametrize("name", sorted(REDUCTIONS))
def test_small_floats_keep_their_dtype(name: str, dtype: Any) -> None:
    v = tf.Variable(tf.cast(X, dtype))
    with tf.GradientTape() as tape:
        y = getattr(tf.math, f"unsorted_segment_{name}")(v, [0, 2, 0], 3)
    assert y.dtype == tape.gradient(y, v).dtype == dtype
    if name in ("max", "min"):
        assert float(y[1, 0]) == float(getattr(dtype, {"max": "min", "min": "max"}[name]))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.math.segment_sum(X, [1, 0, 2]), ValueError, r"segment_ids\[1\] = 0 follows 1"),
        (lambda: tf.math.segment_max(X, [-1, 0, 2]), ValueError, "negative"),
        (lambda: tf.math.segment_mean(X, [0, 1]), ValueError, "one id for each row"),
        (lambda: tf.math.segment_prod(X, [[0, 1], [1, 1], [2, 2]]), ValueError, "vector"),
        (lambda: tf.math.segment_min(X, [0.0, 1.0, 2.0]), TypeError, "segment_ids must be integers"),
        (lambda: tf.math.segment_max([1j], [0]), TypeError, "no order"),
        (lambda: tf.math.unsorted_segment_sum(X, [0, 1, 4], 4), IndexError, r"segment_ids\[2\] = 4 is out of range"),
        (lambda: tf.math.unsorted_segment_sum(X, [0, 1], 2), ValueError, "must begin with"),
        (lambda: tf.math.unsorted_segment_max(X, [0, 1, 1], -1), ValueError, "num_segments"),
        (lambda: tf.math.unsorted_segment_max([True], [0], 1), TypeError, "no order"),
        (lambda: tf.math.unsorted_segment_sqrt_n([1], [0], 1), TypeError, "sqrt_n"),
    ],
)
def test_bad_input_says_what_is_wrong(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        call()
    assert isinstance(caught.value, tf.errors.OpError)
