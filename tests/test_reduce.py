"""Reductions: values against NumPy over shapes and axes, and the edges where derivatives are often wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf
from wengert.errors import DTypeError, InvalidArgumentError

INF, NAN = float("inf"), float("nan")


@st.composite
def reductions(draw: Any, smallest: int = 0) -> tuple[np.ndarray, Any, bool]:
    """An array (sizes 0 and 1 included), axes to reduce, and whether to keep them."""
    shape = tuple(draw(st.lists(st.integers(smallest, 3), max_size=3)))
    seed = draw(st.integers(0, 1000))
    x = np.random.default_rng(seed).standard_normal(shape)
    axis: Any = draw(st.sampled_from([None, "one", "some"])) if shape else None
    if axis == "one":
        axis = draw(st.integers(-len(shape), len(shape) - 1))
    elif axis == "some":
        axis = tuple(draw(st.sets(st.integers(0, len(shape) - 1))))
    return x, axis, draw(st.booleans())


def gradient(function: Any, x: Any, seed: Any = None) -> np.ndarray:
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x, seed).numpy()


def second_gradient(function: Any, x: Any, weights: Any) -> np.ndarray:
    """The gradient of the weighted sum of the gradient."""
    x = tf.constant(x)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        total = tf.reduce_sum(tape.gradient(y, x) * weights)
    return outer.gradient(total, x).numpy()


SAME_AS_NUMPY = {
    "sum": (tf.reduce_sum, np.sum),
    "prod": (tf.reduce_prod, np.prod),
    "norm": (tf.math.reduce_euclidean_norm, lambda x, axis, keepdims: np.sqrt(np.sum(x * x, axis, keepdims=keepdims))),
    "count_nonzero": (tf.math.count_nonzero, np.count_nonzero),
    "max": (tf.reduce_max, lambda x, axis, keepdims: np.max(x, axis, keepdims=keepdims, initial=-INF)),
    "min": (tf.reduce_min, lambda x, axis, keepdims: np.min(x, axis, keepdims=keepdims, initial=INF)),
    "any": (lambda x, *a: tf.reduce_any(x > 0, *a), lambda x, axis, keepdims: np.any(x > 0, axis, keepdims=keepdims)),
    "all": (lambda x, *a: tf.reduce_all(x > 0, *a), lambda x, axis, keepdims: np.all(x > 0, axis, keepdims=keepdims)),
}


@pytest.mark.parametrize("name", SAME_AS_NUMPY)
@settings(max_examples=30, deadline=None)
@given(reductions())
def test_value_of_any_shape_is_numpys(name: str, case: Any) -> None:
    function, reference = SAME_AS_NUMPY[name]
    x, axis, keepdims = case
    expected = reference(x, axis=axis, keepdims=keepdims)
    got = function(x, axis, keepdims)
    assert got.shape == np.shape(expected)
    np.testing.assert_allclose(got, expected, rtol=1e-12)


NOT_EMPTY = {
    "mean": (tf.reduce_mean, np.mean),
    "variance": (tf.math.reduce_variance, np.var),
    "std": (tf.math.reduce_std, np.std),
    "logsumexp": (tf.reduce_logsumexp, scipy.special.logsumexp),
}


@pytest.mark.parametrize("name", NOT_EMPTY)
@settings(max_examples=30, deadline=None)
@given(reductions(smallest=1))
def test_value_of_any_nonempty_shape_is_numpys(name: str, case: Any) -> None:
    function, reference = NOT_EMPTY[name]
    x, axis, keepdims = case
    expected = reference(x, axis=axis, keepdims=keepdims)
    np.testing.assert_allclose(function(x, axis, keepdims), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", ["sum", "prod", "norm", "max", "min", *NOT_EMPTY])
@settings(max_examples=30, deadline=None)
@given(reductions())
def test_gradient_has_the_shape_of_the_input(name: str, case: Any) -> None:
    function, _ = {**SAME_AS_NUMPY, **NOT_EMPTY}[name]
    x, axis, keepdims = case
    g = gradient(lambda t: function(t, axis, keepdims), x)
    assert g.shape == x.shape
    assert np.isfinite(g).all()


class TestEmpty:
    def test_values_are_tensorflows(self) -> None:
        empty = tf.zeros([0])
        assert float(tf.reduce_sum(empty)) == 0
        assert float(tf.reduce_prod(empty)) == 1
        assert float(tf.reduce_max(empty)) == -INF
        assert float(tf.reduce_min(empty)) == INF
        assert float(tf.reduce_logsumexp(empty)) == -INF
        assert np.isnan(float(tf.reduce_mean(empty)))
        assert np.isnan(float(tf.math.reduce_variance(empty)))
        assert np.isnan(float(tf.math.reduce_std(empty)))

    def test_integers_have_their_limits(self) -> None:
        empty = tf.zeros([0], tf.int32)
        assert int(tf.reduce_max(empty)) == -(2**31)
        assert int(tf.reduce_min(empty)) == 2**31 - 1
        assert int(tf.reduce_mean(empty)) == 0

    def test_argmax_refuses(self) -> None:
        with pytest.raises(InvalidArgumentError, match=r"argmax: axis 1 of shape \(2, 0\) is empty"):
            tf.argmax(tf.zeros([2, 0]), axis=1)


class TestMean:
    def test_of_integers_rounds_towards_zero_as_tensorflows(self) -> None:
        assert int(tf.reduce_mean([1, 0, 1, 0])) == 0
        assert int(tf.reduce_mean([-3, 0])) == -1
        assert tf.reduce_mean([1, 2]).dtype == tf.int32

    def test_of_large_integers_is_exact(self) -> None:
        big = 2**62
        assert int(tf.reduce_mean(tf.constant([big, -1], tf.int64))) == (big - 1) // 2

    def test_of_integers_is_exact_under_numpys_name(self) -> None:
        assert float(np.mean(tf.constant([1, 2]))) == 1.5


class TestProduct:
    @pytest.mark.parametrize("x", [[2.0, 0.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0], [2.0, 5.0, 3.0]])
    def test_gradient_is_the_product_of_the_others(self, x: list[float]) -> None:
        others = [np.prod(x[:k] + x[k + 1 :]) for k in range(3)]
        np.testing.assert_array_equal(gradient(tf.reduce_prod, x), others)

    @pytest.mark.parametrize("x", [[2.0, 0.0, 3.0, 5.0], [0.0, 0.0, 3.0, 5.0], [0.0, 0.0, 0.0, 5.0]])
    def test_second_order_is_the_product_of_all_but_two(self, x: list[float]) -> None:
        hessian = np.array(
            [
                [0.0 if i == j else np.prod([x[k] for k in range(4) if k not in (i, j)]) for j in range(4)]
                for i in range(4)
            ]
        )
        for row, weights in zip(hessian, np.eye(4, dtype=np.float32)):
            np.testing.assert_array_equal(second_gradient(tf.reduce_prod, x, weights), row)


class TestExtremes:
    def test_ties_share_equally(self) -> None:
        np.testing.assert_allclose(gradient(tf.reduce_max, [1.0, 3.0, 3.0, 3.0]), [0, 1 / 3, 1 / 3, 1 / 3])
        np.testing.assert_array_equal(gradient(tf.reduce_min, [1.0, 1.0, 3.0]), [0.5, 0.5, 0])

    @settings(max_examples=30, deadline=None)
    @given(reductions(smallest=1))
    def test_total_mass_is_one(self, case: Any) -> None:
        x, axis, keepdims = case
        rounded = np.round(x)
        count = tf.reduce_max(rounded, axis, keepdims).size
        assert gradient(lambda t: tf.reduce_max(t, axis, keepdims), rounded).sum() == pytest.approx(count)

    def test_where_the_maximum_is_nan_the_gradient_goes_there(self) -> None:
        np.testing.assert_array_equal(gradient(tf.reduce_max, [1.0, NAN, 0.0]), [0, 1, 0])

    def test_tangent_of_ties_is_their_mean(self) -> None:
        x = tf.constant([2.0, 2.0, 1.0])
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 3.0, 9.0])) as accumulator:
            y = tf.reduce_max(x)
        assert float(accumulator.jvp(y)) == 2.0

    def test_argmax_takes_the_first_axis_and_the_first_of_several(self) -> None:
        assert tf.argmax([[1, 5], [1, 2]]).numpy().tolist() == [0, 0]
        assert tf.argmin([[1, 5], [1, 2]], output_type=tf.int32).dtype == tf.int32


class TestNorm:
    def test_subgradient_at_the_origin_is_zero(self) -> None:
        np.testing.assert_array_equal(gradient(tf.math.reduce_euclidean_norm, [0.0, 0.0]), [0, 0])
        np.testing.assert_array_equal(gradient(lambda x: tf.math.reduce_euclidean_norm(x) ** 2, [0.0, 0.0]), [0, 0])

    def test_second_order_at_the_origin_is_finite(self) -> None:
        got = second_gradient(tf.math.reduce_euclidean_norm, [0.0, 0.0], np.float32([1, 2]))
        np.testing.assert_array_equal(got, [0, 0])

    def test_keeps_the_dtype_as_tensorflows(self) -> None:
        assert int(tf.math.reduce_euclidean_norm([[1, 2, 3], [1, 1, 1]])) == 4  # of TensorFlow's documentation
        assert tf.math.reduce_euclidean_norm([1 + 1j]).dtype == tf.complex128


class TestMoments:
    @pytest.mark.parametrize("constant", [0.0, 0.1, 1 / 3, 1e8])
    def test_std_of_constant_data_is_zero_and_so_is_its_gradient(self, constant: float) -> None:
        x = np.full((7, 3), constant, np.float32)
        assert (tf.math.reduce_std(x, axis=0).numpy() == 0).all()
        assert (gradient(lambda t: tf.math.reduce_std(t, axis=0), x) == 0).all()
        assert (second_gradient(tf.math.reduce_std, x, x) == 0).all()

    def test_variance_far_from_zero_is_accurate(self) -> None:
        assert float(tf.math.reduce_variance(tf.constant([1e4, 1e4 + 1, 1e4 + 2]))) == pytest.approx(2 / 3, rel=1e-6)

    def test_of_complex_numbers_is_real(self) -> None:
        x = np.array([1 + 1j, 2])
        assert tf.math.reduce_variance(x).dtype == tf.float64
        assert float(tf.math.reduce_std(x)) == pytest.approx(np.std(x))

    def test_gradient_of_complex_variance_is_tensorflows(self) -> None:
        np.testing.assert_allclose(gradient(tf.math.reduce_variance, np.array([1 + 1j, 2])), [-0.5 + 0.5j, 0.5 - 0.5j])


class TestLogSumExp:
    def test_does_not_overflow(self) -> None:
        assert float(tf.reduce_logsumexp([1e4, 1e4])) == pytest.approx(1e4 + np.log(2))

    def test_gradient_of_large_elements_is_accurate(self) -> None:
        np.testing.assert_allclose(gradient(tf.reduce_logsumexp, [1e4, 1e4]), [0.5, 0.5], rtol=1e-7)

    @pytest.mark.parametrize(
        ("x", "value", "expected"),
        [
            ([-INF, 0.0, 0.0], np.log(2), [0, 0.5, 0.5]),
            ([-INF, -INF], -INF, [0, 0]),
            ([INF, 0.0, INF], INF, [0.5, 0, 0.5]),
            ([INF, -INF], INF, [1, 0]),
        ],
    )
    @pytest.mark.filterwarnings("error")
    def test_infinite_elements(self, x: list[float], value: float, expected: list[float]) -> None:
        assert float(tf.reduce_logsumexp(x)) == pytest.approx(value)
        np.testing.assert_allclose(gradient(tf.reduce_logsumexp, x), expected)
        assert np.isfinite(second_gradient(tf.reduce_logsumexp, x, np.float32(range(1, len(x) + 1)))).all()

    def test_nan_stays_nan(self) -> None:
        assert np.isnan(float(tf.reduce_logsumexp([NAN, 0.0])))
        assert np.isnan(gradient(tf.reduce_logsumexp, [NAN, 0.0])).all()


class TestErrors:
    @pytest.mark.parametrize(
        ("call", "error", "message"),
        [
            (lambda: tf.reduce_sum([1.0], axis=3), InvalidArgumentError, "reduce_sum: axis 3 is out of range"),
            (
                lambda: tf.reduce_max([[1.0]], axis=[0, -2]),
                InvalidArgumentError,
                "reduce_max: axis .* names an axis twice",
            ),
            (lambda: tf.reduce_mean([1.0], axis="rows"), InvalidArgumentError, "reduce_mean: axis must be an integer"),
            (lambda: tf.reduce_sum([True]), DTypeError, "reduce_sum: takes numbers, got bool"),
            (lambda: tf.reduce_max([1j]), DTypeError, "reduce_max: takes real numbers, got complex128"),
            (lambda: tf.reduce_any([1]), DTypeError, "reduce_any: takes booleans, got int32"),
            (lambda: tf.reduce_logsumexp([1]), DTypeError, "reduce_logsumexp: takes real floating numbers, got int32"),
            (lambda: tf.math.reduce_std([1]), DTypeError, "reduce_std: takes floating or complex numbers, got int32"),
        ],
    )
    def test_name_the_operation_and_what_is_wrong(self, call: Any, error: type[Exception], message: str) -> None:
        with pytest.raises(error, match=message):
            call()


def test_axis_may_be_a_tensor_and_keepdims_none() -> None:
    assert float(tf.reduce_sum([[1.0, 2.0]], axis=tf.constant([0, 1]), keepdims=None)) == 3.0  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16])
def test_sixteen_bit_floats_are_summed_in_float32(dtype: Any) -> None:
    x = tf.cast(tf.fill([4096], 1.0), dtype)
    for function, expected in ((tf.reduce_sum, 4096.0), (tf.reduce_mean, 1.0), (tf.reduce_max, 1.0)):
        assert float(function(x)) == expected
        assert function(x).dtype == dtype
