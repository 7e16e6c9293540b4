"""Sorting, ranking, searching, distinct elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf
from tests.test_reduce import gradient
from wengert.errors import DTypeError, InvalidArgumentError


@st.composite
def lines(draw: Any) -> tuple[np.ndarray, int]:
    """Small integers as floats, so that there are ties, and an axis."""
    shape = tuple(draw(st.lists(st.integers(0, 5), min_size=1, max_size=3)))
    x = np.random.default_rng(draw(st.integers(0, 1000))).integers(-2, 3, shape).astype(np.float64)
    return x, draw(st.integers(-len(shape), len(shape) - 1))


@settings(max_examples=30, deadline=None)
@given(lines())
def test_sort_and_argsort_are_numpys(case: Any) -> None:
    x, axis = case
    np.testing.assert_array_equal(tf.sort(x, axis), np.sort(x, axis))
    np.testing.assert_array_equal(tf.sort(x, axis, "DESCENDING"), -np.sort(-x, axis))
    np.testing.assert_array_equal(tf.argsort(x, axis), np.argsort(x, axis, kind="stable"))
    np.testing.assert_array_equal(tf.argsort(x, axis, "DESCENDING"), np.argsort(-x, axis, kind="stable"))


@settings(max_examples=30, deadline=None)
@given(lines(), st.sampled_from(["ASCENDING", "DESCENDING"]))
def test_gradient_of_sort_goes_back_to_equal_elements_equally(case: Any, direction: str) -> None:
    x, axis = case
    ordered = tf.sort(x, axis, direction).numpy()
    weights = np.random.default_rng(0).standard_normal(x.shape)
    got = gradient(lambda t: tf.sort(t, axis, direction), x, tf.constant(weights))
    # each element gets the mean of the weights of the sorted elements that equal it
    expected = np.empty_like(x)
    for place in np.ndindex(x.shape):
        line = list(place)
        line[axis] = slice(None)
        equal = ordered[tuple(line)] == x[place]
        expected[place] = weights[tuple(line)][equal].mean()
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)


def test_gradient_of_the_middle_element() -> None:
    assert gradient(lambda x: tf.sort(x)[1], [3.0, 1.0, 2.0]).tolist() == [0, 0, 1]


def test_tangent_of_sort_follows_the_elements() -> None:
    x = tf.constant([3.0, 1.0, 2.0, 1.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 2.0, 3.0, 4.0])) as accumulator:
        y = tf.sort(x, direction="DESCENDING")
    assert accumulator.jvp(y).numpy().tolist() == [1, 3, 3, 3]


def test_nan_sorts_last() -> None:
    np.testing.assert_array_equal(tf.sort([3.0, np.nan, 1.0]), [1, 3, np.nan])
    assert gradient(lambda x: tf.sort(x)[0], [3.0, np.nan, 1.0]).tolist() == [0, 0, 1]


class TestTopK:
    def test_of_equal_elements_the_first_comes_first(self) -> None:
        values, indices = tf.math.top_k([1, 5, 5, 2], k=3)
        assert values.numpy().tolist() == [5, 5, 2]
        assert indices.numpy().tolist() == [1, 2, 3]
        assert indices.dtype == tf.int32

    @settings(max_examples=30, deadline=None)
    @given(lines())
    def test_is_a_stable_descending_sort(self, case: Any) -> None:
        x, _ = case
        for k in {0, x.shape[-1] // 2, x.shape[-1]}:
            result = tf.nn.top_k(x, k)
            np.testing.assert_array_equal(result.indices, np.argsort(-x, -1, kind="stable")[..., :k])
            np.testing.assert_array_equal(result.values, -np.sort(-x, -1)[..., :k])

    @pytest.mark.parametrize("k", [0, 1, 7, 64])
    @pytest.mark.parametrize("levels", [2, 30, 10**6])
    def test_of_long_rows_is_the_same(self, k: int, levels: int) -> None:
        x = np.random.default_rng(0).integers(0, levels, (3, 2, 300)).astype(np.float32)
        np.testing.assert_array_equal(tf.math.top_k(x, k).indices, np.argsort(-x, -1, kind="stable")[..., :k])
        x[0, 0, 5] = np.nan
        expected = 299 - np.argsort(x[..., ::-1], -1, kind="stable")[..., ::-1][..., :k]
        np.testing.assert_array_equal(tf.math.top_k(x, k).indices, expected)

    def test_gradient_goes_to_the_chosen(self) -> None:
        got = gradient(lambda x: tf.math.top_k(x, 2).values * [1.0, 10.0], [[1.0, 4.0, 2.0], [7.0, 5.0, 6.0]])
        assert got.tolist() == [[0, 1, 10], [1, 0, 10]]

    def test_unsigned_integers(self) -> None:
        x = tf.constant([0, 255, 3], tf.uint8)
        assert tf.math.top_k(x, 3).indices.numpy().tolist() == [1, 2, 0]


def test_in_top_k_is_tensorflows() -> None:
    scores = [[0.1, 0.5, 0.5], [0.3, 0.5, 0.2]]
    assert tf.math.in_top_k([1, 0], scores, 2).numpy().tolist() == [True, True]
    assert tf.math.in_top_k([1, 0], scores, 1).numpy().tolist() == [True, False]
    assert tf.math.in_top_k([5, -1], scores, 3).numpy().tolist() == [False, False]


class TestSearchSorted:
    @settings(max_examples=30, deadline=None)
    @given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 1000), st.sampled_from(["left", "right"]))
    def test_is_numpys(self, n: int, m: int, seed: int, side: str) -> None:
        rng = np.random.default_rng(seed)
        sequences = np.sort(rng.integers(0, 4, (2, 3, n)), -1)
        values = rng.integers(-1, 5, (2, 3, m))
        got = tf.searchsorted(sequences, values, side)
        assert got.dtype == tf.int32
        for place in np.ndindex(2, 3):
            np.testing.assert_array_equal(got[place], np.searchsorted(sequences[place], values[place], side))

    def test_one_sequence_takes_values_of_any_shape(self) -> None:
        assert tf.searchsorted([1.0, 2.0], [[1.5, 3.0], [0.0, 2.0]]).numpy().tolist() == [[1, 2], [0, 1]]


class TestUnique:
    def test_keeps_the_order_of_first_occurrence(self) -> None:
        y, idx, count = tf.unique_with_counts([3, 1, 3, 2], out_idx=tf.int64)
        assert (y.numpy().tolist(), idx.numpy().tolist(), count.numpy().tolist()) == (
            [3, 1, 2],
            [0, 1, 0, 2],
            [2, 1, 1],
        )
        assert idx.dtype == count.dtype == tf.int64

    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.integers(0, 4)))
    def test_y_at_idx_is_x(self, x: list[int]) -> None:
        y, idx = tf.unique(np.array(x, np.int32))
        assert y.numpy()[idx.numpy()].tolist() == x
        assert y.numpy().tolist() == list(dict.fromkeys(x))

    def test_gradient_goes_to_the_first_occurrence(self) -> None:
        assert gradient(lambda x: tf.unique(x).y * [1.0, 2.0], [5.0, 3.0, 5.0]).tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.sort(3.0), InvalidArgumentError, "sort: axis -1 is out of range"),
        (lambda: tf.sort([1.0], direction="UP"), InvalidArgumentError, "sort: direction must be 'ASCENDING' or"),
        (lambda: tf.argsort([True]), DTypeError, "argsort: takes real numbers, got bool"),
        (lambda: tf.math.top_k([1, 2], k=3), InvalidArgumentError, r"top_k: .* k = 3 .* got shape \(2,\)"),
        (lambda: tf.math.top_k(1.0), InvalidArgumentError, r"top_k: .* got shape \(\)"),
        (lambda: tf.math.in_top_k([0], [0.5], 1), InvalidArgumentError, "in_top_k: takes targets of shape"),
        (lambda: tf.math.in_top_k([0.0], [[0.5]], 1), DTypeError, "in_top_k: takes integer targets"),
        (lambda: tf.searchsorted([1, 2], [1.5]), DTypeError, "searchsorted: the sequence has dtype int32"),
        (lambda: tf.searchsorted([[1], [2]], [1]), InvalidArgumentError, "searchsorted: shapes"),
        (lambda: tf.searchsorted([1], [1], side="middle"), InvalidArgumentError, "searchsorted: side must be"),
        (lambda: tf.unique([[1]]), InvalidArgumentError, r"unique: takes a tensor of shape \(n,\)"),
    ],
)
def test_errors_name_the_operation(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
