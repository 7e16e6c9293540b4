"""Running sums, products and log-sum-exps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf
from tests.test_reduce import gradient, second_gradient
from wengert.errors import DTypeError, InvalidArgumentError

INF = float("inf")
FUNCTIONS = {
    "cumsum": (tf.cumsum, np.add, 0.0),
    "cumprod": (tf.math.cumprod, np.multiply, 1.0),
    "cumulative_logsumexp": (tf.math.cumulative_logsumexp, np.logaddexp, -INF),
}


def reference(ufunc: Any, x: np.ndarray, axis: int, exclusive: bool, reverse: bool, empty: float) -> np.ndarray:
    """One element at a time, from the definition."""
    lines = np.moveaxis(x, axis, -1)
    lines = lines[..., ::-1] if reverse else lines
    out = np.empty_like(lines)
    for place in np.ndindex(lines.shape):
        line, k = lines[place[:-1]], place[-1]
        out[place] = ufunc.reduce(line[: k if exclusive else k + 1], initial=empty)
    return np.moveaxis(out[..., ::-1] if reverse else out, -1, axis)


@st.composite
def runs(draw: Any) -> tuple[np.ndarray, int, bool, bool]:
    shape = tuple(draw(st.lists(st.integers(0, 4), min_size=1, max_size=3)))
    x = np.random.default_rng(draw(st.integers(0, 1000))).standard_normal(shape)
    return x, draw(st.integers(-len(shape), len(shape) - 1)), draw(st.booleans()), draw(st.booleans())


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=30, deadline=None)
@given(runs())
def test_value_of_any_shape_is_the_definitions(name: str, run: Any) -> None:
    function, ufunc, empty = FUNCTIONS[name]
    x, axis, exclusive, reverse = run
    expected = reference(ufunc, x, axis, exclusive, reverse, empty)
    np.testing.assert_allclose(function(x, axis, exclusive, reverse), expected, rtol=1e-10, atol=1e-12)
    assert gradient(lambda t: function(t, axis, exclusive, reverse), x).shape == x.shape


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
def test_wide_slices_give_the_same(name: str, reverse: bool, axis: int) -> None:
    function, ufunc, _ = FUNCTIONS[name]
    x = np.random.default_rng(0).standard_normal((5, 7, 700))
    turned = np.flip(x, axis) if reverse else x
    expected = ufunc.accumulate(turned, axis)
    expected = np.flip(expected, axis) if reverse else expected
    np.testing.assert_allclose(function(x, axis, reverse=reverse), expected, rtol=1e-12)


def test_examples_of_tensorflows_documentation() -> None:
    assert tf.cumsum([1, 2, 3], exclusive=True, reverse=True).numpy().tolist() == [5, 3, 0]
    assert tf.math.cumprod([2, 3, 4], exclusive=True, reverse=True).numpy().tolist() == [12, 4, 1]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("x", [[2.0, 0.0, 3.0, 5.0], [0.0, 0.0, 3.0, 2.0], [4.0, 0.0, 0.0, 0.0]])
def test_cumprod_derivatives_are_exact_with_zeros(x: list[float], exclusive: bool, reverse: bool) -> None:
    # a polynomial that is affine in each x[k], so its differences are its derivatives
    def total(values: Any) -> float:
        return float(reference(np.multiply, np.array(values), 0, exclusive, reverse, 1.0) @ weights)

    def changed(k: int, value: float, base: list[float]) -> list[float]:
        return [*base[:k], value, *base[k + 1 :]]

    def partial(k: int, base: list[float]) -> float:
        return total(changed(k, 1.0, base)) - total(changed(k, 0.0, base))

    weights = np.array([1.0, 2.0, 3.0, 4.0])
    function = lambda t: tf.reduce_sum(  # noqa: E731
        tf.math.cumprod(t, exclusive=exclusive, reverse=reverse) * weights.astype(np.float32)
    )
    np.testing.assert_array_equal(gradient(function, x), [partial(k, x) for k in range(4)])
    for j, unit in enumerate(np.eye(4, dtype=np.float32)):
        row = [partial(j, changed(k, 1.0, x)) - partial(j, changed(k, 0.0, x)) for k in range(4)]
        np.testing.assert_array_equal(second_gradient(function, x, unit), row)


@pytest.mark.filterwarnings("error")
def test_cumulative_logsumexp_of_infinite_elements() -> None:
    masked = [-INF, 0.0, -INF, 0.0]
    np.testing.assert_allclose(tf.math.cumulative_logsumexp(masked), [-INF, 0, 0, np.log(2)], rtol=1e-6)
    np.testing.assert_allclose(gradient(tf.math.cumulative_logsumexp, masked), [0, 2.5, 0, 0.5])
    np.testing.assert_allclose(gradient(tf.math.cumulative_logsumexp, [1.0, INF, 0.0]), [1, 2, 0])
    assert np.isfinite(second_gradient(tf.math.cumulative_logsumexp, masked, np.float32([1, 2, 3, 4]))).all()


def test_cumulative_logsumexp_does_not_overflow() -> None:
    x = tf.constant([1000.0, -1000.0, 1000.0], tf.float64)
    np.testing.assert_allclose(tf.math.cumulative_logsumexp(x), [1000, 1000, 1000 + np.log(2)], rtol=1e-6)
    np.testing.assert_allclose(gradient(tf.math.cumulative_logsumexp, x), [2.5, 0, 0.5])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.cumsum([1.0], axis=1), InvalidArgumentError, "cumsum: axis 1 is out of range"),
        (lambda: tf.math.cumprod(3.0), InvalidArgumentError, "cumprod: axis 0 is out of range"),
        (lambda: tf.cumsum([True]), DTypeError, "cumsum: takes numbers, got bool"),
        (lambda: tf.math.cumulative_logsumexp([1]), DTypeError, "cumulative_logsumexp: takes real floating numbers"),
    ],
)
def test_errors_name_the_operation(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
