"""NumPy's reductions, statistics and sorting called with tensors, against NumPy called with arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf
from tests.test_reduce import gradient, reductions
from wengert.errors import DTypeError, InvalidArgumentError, UnimplementedError

X = np.array([[0.3, -1.2, 2.5, 0.7], [1.1, 0.4, -0.6, -2.0], [0.9, -0.1, 1.8, 3.0]])
GAPS = np.array([[0.3, np.nan, 2.5, 0.7], [np.nan, np.nan, np.nan, 1.0], [0.9, -0.1, 1.8, 3.0]])
W = np.array([0.5, 2.0, 1.0, 0.25])

CALLS = {
    "sum": lambda x: np.sum(x, axis=(0, 1)),
    "prod": lambda x: np.prod(x, 1, keepdims=True),
    "mean": lambda x: x.mean(0),
    "max": lambda x: np.max(x, axis=1),
    "amax": lambda x: np.amax(x),
    "min": lambda x: x.min(axis=0, keepdims=True),
    "amin": lambda x: np.amin(x, 0),
    "add.reduce": lambda x: np.add.reduce(x),
    "maximum.reduce": lambda x: np.maximum.reduce(x, axis=1, keepdims=True),
    "ptp": lambda x: np.ptp(x, axis=1),
    "var": lambda x: np.var(x, axis=1, ddof=1),
    "var-correction": lambda x: np.var(x, correction=1),
    "var-mean": lambda x: np.var(x, axis=1, mean=np.mean(x, 1, keepdims=True), keepdims=True),
    "std": lambda x: x.std(0, ddof=1),
    "std-mean": lambda x: np.std(x, axis=0, mean=np.mean(x, 0, keepdims=True)),
    "median": lambda x: np.median(x, axis=1),
    "median-odd": lambda x: np.median(x, axis=0, keepdims=True),
    "median-all": lambda x: np.median(x),
    "quantile": lambda x: np.quantile(x, 0.3, axis=0),
    "quantile-several": lambda x: np.quantile(x, [[0.0, 0.25], [0.9, 1.0]], axis=1),
    "quantile-keepdims": lambda x: np.quantile(x, [0.2, 0.6], axis=(0, 1), keepdims=True),
    "percentile": lambda x: np.percentile(x, [10, 55], axis=1),
    "average": lambda x: np.average(x, axis=1, weights=W),
    "average-unweighted": lambda x: np.average(x, axis=0),
    "average-full": lambda x: np.average(x, weights=X**2, keepdims=True),
    "nansum": lambda x: np.nansum(x, axis=1),
    "nanprod": lambda x: np.nanprod(x, axis=1),
    "nanmean": lambda x: np.nanmean(x, axis=0),
    "nanvar": lambda x: np.nanvar(x, axis=1),
    "nanvar-ddof": lambda x: np.nanvar(x, ddof=1),
    "nanstd": lambda x: np.nanstd(x, axis=1, keepdims=True),
    "nanmax": lambda x: np.nanmax(x, axis=1),
    "nanmin": lambda x: np.nanmin(x),
    "cumsum": lambda x: np.cumsum(x, axis=1),
    "cumsum-flat": lambda x: x.cumsum(),
    "cumprod": lambda x: np.cumprod(x, axis=0),
    "cumulative_sum": lambda x: np.cumulative_sum(x, axis=1, include_initial=True),
    "cumulative_prod": lambda x: np.cumulative_prod(x, axis=0, include_initial=True),
    "diff": lambda x: np.diff(x),
    "diff-twice": lambda x: np.diff(x, n=2, axis=0),
    "diff-ends": lambda x: np.diff(x, prepend=0.0, append=x[:, :2]),
    "sort": lambda x: np.sort(x, axis=0),
    "sort-flat": lambda x: np.sort(x, axis=None),
    "trapezoid": lambda x: np.trapezoid(x, dx=0.5, axis=0),
    "trapezoid-places": lambda x: np.trapezoid(x, [0.0, 1.0, 3.0], axis=0),
    "trapezoid-own-places": lambda x: np.trapezoid(x**2, x, axis=1),
    "cov": lambda x: np.cov(x),
    "cov-columns": lambda x: np.cov(x, rowvar=False, bias=True),
    "cov-two": lambda x: np.cov(x[0], x[1]),
    "cov-weights": lambda x: np.cov(x, fweights=[1, 2, 1, 3], aweights=W),
    "cov-one": lambda x: np.cov(x[0]),
    "corrcoef": lambda x: np.corrcoef(x),
    "unique": lambda x: np.unique(x),
}


@pytest.mark.parametrize("name", CALLS)
def test_value_is_numpys(name: str) -> None:
    call = CALLS[name]
    x = GAPS if name.startswith("nan") else X
    expected = call(x)
    got = call(tf.constant(x))
    assert isinstance(got, tf.Tensor)
    assert (got.shape, got.dtype) == (np.shape(expected), np.asarray(expected).dtype)
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", CALLS)
def test_gradient_is_the_difference_quotient(name: str) -> None:
    call = CALLS[name]
    x = GAPS if name.startswith("nan") else X
    weights = np.random.default_rng(0).standard_normal(np.shape(call(x)))
    got = gradient(call, x, tf.constant(weights))
    assert np.isfinite(got[np.isfinite(x)]).all()
    direction = np.random.default_rng(1).standard_normal(x.shape)
    step = 1e-6
    moved = [np.sum(weights * np.asarray(call(x + sign * step * direction))) for sign in (1, -1)]
    assert np.nansum(got * direction) == pytest.approx((moved[0] - moved[1]) / (2 * step), rel=1e-6, abs=1e-8)


def test_float32_stays_float32() -> None:
    for name, call in CALLS.items():
        if name in ("average", "average-full", "cov-weights"):
            continue  # they are weighted by float64
        got = call(tf.constant(X.astype(np.float32)))
        assert got.dtype == tf.float32, name


@settings(max_examples=30, deadline=None)
@given(reductions(smallest=1), st.floats(0, 1))
def test_quantiles_of_any_shape(case: Any, q: float) -> None:
    x, axis, keepdims = case
    if axis == () or not x.ndim:
        return
    expected = np.quantile(x, q, axis=axis, keepdims=keepdims)
    np.testing.assert_allclose(np.quantile(tf.constant(x), q, axis=axis, keepdims=keepdims), expected, atol=1e-12)
    expected = np.median(x, axis=axis, keepdims=keepdims)
    np.testing.assert_allclose(np.median(tf.constant(x), axis=axis, keepdims=keepdims), expected, atol=1e-12)


METHODS = "linear lower higher midpoint nearest hazen weibull median_unbiased normal_unbiased interpolated_inverted_cdf"


@pytest.mark.parametrize("method", METHODS.split())
def test_methods_of_quantiles(method: str) -> None:
    levels = [0.0, 0.1, 0.37, 0.5, 0.92, 1.0]
    expected = np.quantile(X, levels, axis=1, method=method)
    np.testing.assert_allclose(np.quantile(tf.constant(X), levels, axis=1, method=method), expected, rtol=1e-12)


def test_quantile_is_differentiable_by_the_level() -> None:
    assert float(gradient(lambda q: np.quantile(tf.constant([0.0, 1.0, 3.0, 7.0]), q), 0.5)) == pytest.approx(6.0)


def test_quantiles_of_lines_with_nan_are_nan() -> None:
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(np.median(tf.constant(GAPS), axis=1), np.median(GAPS, axis=1))


def test_nan_functions_of_nothing_else_are_nan() -> None:
    assert np.isnan(float(np.nanmax(tf.constant([np.nan, np.nan]))))
    assert float(np.nansum(tf.constant([np.nan]))) == 0


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint8, np.int32, np.int64])
def test_integers_are_added_up_as_in_numpy(dtype: Any) -> None:
    x = np.array([[1, 0], [1, 1]]).astype(dtype)
    for call in (np.sum, np.prod, np.mean, np.cumsum, np.std, np.median, np.any, np.all, np.count_nonzero):
        got, expected = call(tf.constant(x)), np.asarray(call(x))
        np.testing.assert_allclose(got, expected)
        if call is not np.count_nonzero:
            assert got.dtype == expected.dtype, call


class TestIndices:
    @settings(max_examples=30, deadline=None)
    @given(reductions(smallest=1))
    def test_argmax_is_numpys(self, case: Any) -> None:
        x, axis, keepdims = case
        axis = axis if isinstance(axis, int) else None
        for call in (np.argmax, np.argmin):
            expected = call(x, axis=axis, keepdims=keepdims)
            got = call(tf.constant(x), axis=axis, keepdims=keepdims)
            assert got.shape == np.shape(expected)
            np.testing.assert_array_equal(got, expected)

    def test_argsort_and_searchsorted(self) -> None:
        np.testing.assert_array_equal(tf.constant(X).argsort(0), np.argsort(X, 0))
        np.testing.assert_array_equal(np.argsort(tf.constant(X), axis=None), np.argsort(X, None))
        line = np.array([3.0, 1.0, 2.0])
        order = np.argsort(line)
        np.testing.assert_array_equal(
            np.searchsorted(tf.constant(line), [1.0, 2.5], side="right", sorter=order), [1, 2]
        )

    def test_unique_with_everything(self) -> None:
        x = np.array([[3, 1, 3], [3, 1, 3], [0, 1, 2]])
        for axis in (None, 0, 1):
            for g, e in zip(np.unique(tf.constant(x), True, True, True, axis), np.unique(x, True, True, True, axis)):
                np.testing.assert_array_equal(g, e)

    def test_bincount_sums_weights_in_float64(self) -> None:
        got = np.bincount(tf.constant([0, 2, 2]), tf.constant([1.0, 2.0, 3.0]), 5)
        assert got.dtype == tf.float64
        assert got.numpy().tolist() == [1, 0, 5, 0, 0]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: np.sum(x, where=[True, False]), UnimplementedError, r"np.sum\(..., where=\)"),
        (lambda x: np.max(x, initial=3.0), UnimplementedError, r"np.max\(..., initial=\)"),
        (lambda x: np.cumsum(x, out=np.zeros(2)), UnimplementedError, "out=.*cannot be written to"),
        (lambda x: np.sort(x, order="f"), UnimplementedError, r"np.sort\(..., order=\)"),
        (
            lambda x: np.quantile(x, 0.5, method="closest_observation"),
            UnimplementedError,
            "method 'closest_observation'",
        ),
        (lambda x: np.quantile(x, 1.5), InvalidArgumentError, "quantiles must be between 0 and 1"),
        (lambda x: np.max(x[:0]), InvalidArgumentError, "np.max: nothing to choose from"),
        (lambda x: np.sum(x, axis=5), InvalidArgumentError, "sum: axis 5 is out of range"),
        (lambda x: np.average(x, weights=[1.0, 2.0, 3.0]), InvalidArgumentError, "np.average: weights of shape"),
        (lambda x: np.bincount(x), DTypeError, "bincount: arr must hold integers"),
    ],
)
def test_errors_say_what_is_not_available(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(tf.constant([1.0, 2.0]))
