"""bincount, histograms, confusion matrix: values of TensorFlow 2's documentation and of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf
from tests.test_reduce import gradient
from wengert.errors import DTypeError, InvalidArgumentError


class TestBincount:
    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.integers(0, 5), max_size=8), st.integers(0, 8))
    def test_is_numpys(self, x: list[int], minlength: int) -> None:
        x = np.array(x, np.int32)
        got = tf.math.bincount(x, minlength=minlength)
        np.testing.assert_array_equal(got, np.bincount(x, minlength=minlength))
        assert got.dtype == tf.int32
        weights = np.arange(len(x)) + 0.5
        np.testing.assert_allclose(tf.math.bincount(x, weights, minlength), np.bincount(x, weights, minlength))

    def test_maxlength_leaves_larger_ones_out(self) -> None:
        assert tf.math.bincount([1, 1, 7], maxlength=3).numpy().tolist() == [0, 2, 0]
        assert tf.math.bincount([1, 1, 7], weights=[1.0, 2.0, 3.0], maxlength=2).numpy().tolist() == [0, 3]

    def test_row_by_row(self) -> None:
        x = [[1, 1, 2], [0, 3, 3]]
        assert tf.math.bincount(x).numpy().tolist() == [1, 2, 1, 2]
        assert tf.math.bincount(x, axis=-1).numpy().tolist() == [[0, 2, 1, 0], [1, 0, 0, 2]]
        assert tf.math.bincount(x, axis=-1, binary_output=True).numpy().tolist() == [[0, 1, 1, 0], [1, 0, 0, 1]]
        weighted = tf.math.bincount(x, [[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]], axis=-1)
        assert weighted.numpy().tolist() == [[0, 3, 3, 0], [1, 0, 0, 2]]

    def test_gradient_goes_to_the_weights_that_count(self) -> None:
        got = gradient(lambda w: tf.math.bincount([0, 2, 0], w, maxlength=2) * [3.0, 5.0], [1.0, 1.0, 1.0])
        assert got.tolist() == [3, 0, 3]


class TestHistogram:
    VALUES = (-1.0, 0.0, 1.5, 2.0, 5.0, 15.0)

    def test_example_of_tensorflows_documentation(self) -> None:
        assert tf.histogram_fixed_width(self.VALUES, [0.0, 5.0], nbins=5).numpy().tolist() == [2, 1, 1, 0, 2]
        assert tf.histogram_fixed_width_bins(self.VALUES, [0.0, 5.0], nbins=5).numpy().tolist() == [0, 0, 1, 2, 4, 4]

    def test_counts_every_value_of_any_shape(self) -> None:
        counts = tf.histogram_fixed_width(np.random.default_rng(0).standard_normal((4, 5)), [-1.0, 1.0], dtype=tf.int64)
        assert (int(tf.reduce_sum(counts)), counts.shape, counts.dtype) == (20, (100,), tf.int64)


class TestConfusionMatrix:
    def test_example_of_tensorflows_documentation(self) -> None:
        expected = np.zeros((5, 5))
        expected[1, 2] = expected[2, 2] = expected[4, 4] = 1
        np.testing.assert_array_equal(tf.math.confusion_matrix([1, 2, 4], [2, 2, 4]), expected)

    def test_weights(self) -> None:
        got = tf.math.confusion_matrix([1, 1], [0, 0], num_classes=2, weights=[0.5, 2.0], dtype=tf.float32)
        assert got.numpy().tolist() == [[0, 0], [2.5, 0]]

    def test_gradient_goes_to_the_weights(self) -> None:
        function = lambda w: tf.math.confusion_matrix([0, 1], [1, 1], weights=w, dtype=tf.float32)[0, 1]  # noqa: E731
        assert gradient(function, [1.0, 1.0]).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.math.bincount([-1]), InvalidArgumentError, "bincount: integers must not be negative, got -1"),
        (lambda: tf.math.bincount([1.5]), DTypeError, "bincount: arr must hold integers"),
        (lambda: tf.math.bincount([1], weights=[1.0, 2.0]), InvalidArgumentError, "bincount: arr has shape"),
        (lambda: tf.math.bincount([1], axis=1), InvalidArgumentError, "bincount: axis must be"),
        (
            lambda: tf.histogram_fixed_width([1.0], [5.0, 5.0]),
            InvalidArgumentError,
            "histogram_fixed_width: value_range",
        ),
        (lambda: tf.math.confusion_matrix([5], [0], num_classes=3), InvalidArgumentError, "labels must be from 0 to 2"),
        (
            lambda: tf.math.confusion_matrix([0, 1], [0]),
            InvalidArgumentError,
            "confusion_matrix: labels and predictions",
        ),
    ],
)
def test_errors_name_the_operation(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
