"""Claims about exponentials, trigonometric functions, rounding and NumPy's element-wise functions beyond the table."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import wengert as tf

INF, NAN = float("inf"), float("nan")
#: NumPy warns at the edge of a domain, on purpose
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def gradient(function, *values):
    """The gradients of the sum of the function's elements, as lists; None where there is none."""
    xs = [tf.constant(np.asarray(v)) for v in values]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    grads = [None if g is None else g.numpy().tolist() for g in tape.gradient(y, xs)]
    return grads[0] if len(grads) == 1 else grads


# --- derivatives at and beyond the edge of a domain ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sqrt", "asin", "acos", "acosh", "atanh", "log", "log1p", "rsqrt"])
def test_a_branch_that_was_not_selected_contributes_nothing(name):
    function = getattr(tf.math, name)
    for x in (-2.0, -1.0, 0.0, 1.0):
        assert gradient(lambda x: tf.where(x > 100.0, function(x), x), np.array([x])) == [1.0]


def test_nor_does_it_in_the_second_derivative():
    x = tf.constant([0.0, 4.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.where(x > 0, tf.sqrt(x), 0.0)
        first = inner.gradient(y, x)
    assert first.numpy().tolist() == [0.0, 0.25]
    np.testing.assert_allclose(outer.gradient(first, x), [0.0, -0.25 * 4**-1.5])


@pytest.mark.parametrize(
    ("function", "x", "expected"),
    [
        (tf.sqrt, 0.0, INF),
        (np.cbrt, 0.0, INF),
        (tf.math.log, 0.0, INF),
        (tf.asin, 1.0, INF),
        (tf.acos, 1.0, -INF),
        (tf.acosh, 1.0, INF),
        (tf.atanh, 1.0, INF),
    ],
)
def test_an_infinite_derivative_is_infinite(function, x, expected):
    assert gradient(function, x) == expected


def test_the_root_keeps_its_derivative_when_a_cotangent_is_zero():
    """The push-forward through a pull-back with cotangent 0 must not vanish."""
    x, g = tf.constant([4.0]), tf.constant([0.0])
    with tf.GradientTape() as outer:
        outer.watch(g)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.sqrt(x)
        pulled = inner.gradient(y, x, output_gradients=g)
    assert outer.gradient(pulled, g).numpy().tolist() == [0.25]


def test_hypot_and_atan2_have_derivative_0_at_the_origin():
    assert gradient(np.hypot, 0.0, 0.0) == [0.0, 0.0]
    assert gradient(tf.atan2, 0.0, 0.0) == [0.0, 0.0]


def test_hypot_and_atan2_do_not_overflow_in_float32():
    x, y = np.float32(3e30), np.float32(4e30)
    np.testing.assert_allclose(gradient(np.hypot, x, y), [0.6, 0.8], rtol=1e-6)
    np.testing.assert_allclose(gradient(tf.atan2, y, x), [1.2e-31, -1.6e-31], rtol=1e-6)


def test_asinh_does_not_overflow_in_float32():
    np.testing.assert_allclose(gradient(tf.asinh, np.float32(1e30)), 1e-30, rtol=1e-6)


def test_logaddexp_is_stable_and_splits_ties_of_infinities():
    x, y = np.array([1000.0, -1000.0, -INF, INF, INF, 3.0]), np.array([0.0, 0.0, -INF, INF, 1.0, -INF])
    np.testing.assert_array_equal(np.logaddexp(tf.constant(x), y), np.logaddexp(x, y))
    assert gradient(np.logaddexp, x, y) == [[1.0, 0.0, 0.5, 0.5, 1.0, 1.0], [0.0, 1.0, 0.5, 0.5, 0.0, 0.0]]


def test_log1p_of_exp_keeps_small_slopes():
    x = np.array([-40.0, -700.0])
    np.testing.assert_allclose(gradient(lambda x: tf.math.log1p(tf.exp(x)), x), np.exp(x), rtol=1e-15)


def test_expm1_keeps_small_slopes():
    np.testing.assert_allclose(gradient(tf.math.expm1, -60.0), np.exp(-60.0), rtol=1e-15)


def test_products_with_a_zero_that_wins():
    zero = np.zeros(3)
    for function in (tf.math.xlogy, tf.math.xlog1py, tf.math.xdivy):
        y = np.array([0.0, -1.0, NAN])
        assert function(zero, y).numpy().tolist() == [0.0, 0.0, 0.0]
        assert gradient(function, zero, y) == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def test_xlogy_at_a_vanishing_y():
    assert gradient(tf.math.xlogy, 0.1, 0.0) == [-INF, INF]


def test_sinc_is_flat_at_0_and_curved_as_it_should_be():
    x = tf.constant(np.array(0.0))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = np.sinc(x)
        first = inner.gradient(y, x)
    assert float(first) == 0.0
    np.testing.assert_allclose(outer.gradient(first, x), -(np.pi**2) / 3, rtol=1e-14)


# --- dtypes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize(
    "function",
    [
        tf.exp, tf.math.log, tf.sqrt, tf.math.rsqrt, tf.tanh, tf.sin, tf.atan, tf.asinh, tf.math.log1p, np.sinc,
        np.exp2, tf.math.erf, tf.math.lgamma, tf.math.digamma, tf.math.bessel_i0e,
        tf.math.special.spence, tf.math.special.fresnel_sin, lambda x: tf.math.igamma(x, x),
        lambda x: tf.math.betainc(x, x, x / 2),
        lambda x: np.logaddexp(x, x), lambda x: np.hypot(x, x),
    ],
)  # fmt: skip
def test_16_bit_floats_keep_their_dtype(function, dtype):
    values = np.array([0.5, 1.0, 1.5])
    x, wide = tf.constant(values.astype(dtype)), tf.constant(values)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, wide])
        y, expected = function(x), function(wide)
    g, expected_gradient = tape.gradient(y, x), tape.gradient(expected, wide)
    assert y.dtype == g.dtype == x.dtype
    tolerance = 2e-2 if dtype is ml_dtypes.bfloat16 else 4e-3
    np.testing.assert_allclose(y.numpy().astype(float), expected, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(g.numpy().astype(float), expected_gradient, rtol=4 * tolerance, atol=2 * tolerance)


def test_integers_are_computed_in_float64_as_in_numpy():
    assert np.exp(tf.constant([1, 2])).dtype == tf.float64
    np.testing.assert_array_equal(np.exp(tf.constant([1, 2])), np.exp([1, 2]))


def test_mixed_kinds_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"atan2.*cast"):
        tf.atan2(tf.constant([1.0]), tf.constant([1]))


def test_shapes_that_do_not_broadcast_are_refused():
    with pytest.raises(ValueError, match="xlogy"):
        tf.math.xlogy(tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0]))


def test_an_angle_of_complex_numbers_follows_the_phase():
    z = np.exp(0.7j)
    # turning z by a small angle t moves it along 1j z, and the angle by t
    with tf.autodiff.ForwardAccumulator(x := tf.constant(z), tf.constant(1j * z)) as accumulator:
        y = tf.math.angle(x)
    np.testing.assert_allclose([y, accumulator.jvp(y)], [0.7, 1.0])


# --- rounding --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [tf.floor, tf.math.ceil, tf.round, tf.math.rint, np.trunc, np.fix, np.rint])
def test_rounding_has_no_gradient(function):
    assert gradient(function, np.array([1.5])) is None


def test_round_goes_to_the_even_half():
    assert tf.round([0.5, 1.5, 2.5, -0.5]).numpy().tolist() == [0.0, 2.0, 2.0, -0.0]
    assert tf.round([7, 8]).dtype == tf.int32


def test_truncated_division():
    x, y = tf.constant([7, -7, 7, -7]), tf.constant([2, 2, -2, -2])
    assert tf.truncatediv(x, y).numpy().tolist() == [3, -3, -3, 3]
    assert tf.truncatemod(x, y).numpy().tolist() == [1, -1, 1, -1]


# --- NumPy's names ---------------------------------------------------------------------------------------------------

X = np.array([-1.7, -0.4, 0.3, 0.8, 2.6])


@pytest.mark.parametrize(
    "function",
    [
        np.exp, np.exp2, np.expm1, np.sin, np.cos, np.tan, np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.cbrt,
        np.deg2rad, np.rad2deg, np.degrees, np.radians, np.floor, np.ceil, np.trunc, np.rint, np.fix, np.round, np.sinc,
        np.isnan, np.isinf, np.isfinite, np.isposinf, np.isneginf, np.signbit, np.fabs, np.sign, np.square, np.angle,
        np.i0, np.nan_to_num, lambda x: np.round(x, 1), lambda x: np.around(x, -1), lambda x: np.clip(x, -1, 1),
        lambda x: np.clip(x, None, 1.0), lambda x: np.clip(x, -1.0, None), lambda x: np.clip(x, min=-1.0),
        lambda x: x.clip(-1, 1), lambda x: x.clip(max=0.5), lambda x: x.round(), lambda x: x.round(1),
        lambda x: np.hypot(x, 2.0), lambda x: np.arctan2(x, 2.0), lambda x: np.logaddexp(x, 0.5),
        lambda x: np.logaddexp2(x, 0.5), lambda x: np.fmod(x, 0.7), lambda x: np.copysign(x, [1, -1, 1, -1, 1]),
        lambda x: np.heaviside(x, 0.5), lambda x: np.float_power(x, 2), lambda x: np.fmax(x, 0.5),
        lambda x: np.fmin(x, 0.5), lambda x: np.nextafter(x, 0.0), lambda x: np.isclose(x, 0.3),
        lambda x: np.interp(x, [-1.0, 0.0, 2.0], [3.0, 1.0, 2.0]), lambda x: np.angle(x, deg=True),
        lambda x: np.interp(x, [-1.0, 0.0, 2.0], [3.0, 1.0, 2.0], left=7.0, right=-7.0),
        lambda x: np.interp(x, [0.5, 2.0, 0.1], [3.0, 1.0, 2.0], period=1.5),
        lambda x: np.divmod(x, 0.7)[0], lambda x: np.divmod(x, 0.7)[1],
    ],
)  # fmt: skip
def test_numpy_functions_take_tensors(function):
    got, expected = function(tf.constant(X)), function(X)
    assert isinstance(got, tf.Tensor)
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=1e-14)


def test_numpy_functions_of_numbers_that_are_none():
    x = np.array([NAN, INF, -INF, 1.0])
    t = tf.constant(x)
    for function in (np.isnan, np.isinf, np.isfinite, np.isposinf, np.isneginf, np.nan_to_num):
        np.testing.assert_array_equal(function(t), function(x))
    np.testing.assert_array_equal(np.nan_to_num(t, nan=1, posinf=2, neginf=3), [1, 2, 3, 1])
    np.testing.assert_array_equal(np.fmax(t, 0.0), np.fmax(x, 0.0))
    np.testing.assert_array_equal(np.fmin(0.0, t), np.fmin(0.0, x))
    assert np.isclose(t, x, equal_nan=True).numpy().all()
    assert np.allclose(t, x, equal_nan=True) is True
    assert np.allclose(t, x) is False
    assert gradient(np.nan_to_num, x) == [0.0, 0.0, 0.0, 1.0]
    assert gradient(lambda x: np.fmax(x, 0.0), x) == [0.0, 1.0, 0.0, 1.0]


def test_clip_with_one_bound():
    x = np.array([-2.0, -1.0, 0.0, 3.0])
    assert gradient(lambda x: np.clip(x, -1.0, None), x) == [0.0, 1.0, 1.0, 1.0]
    assert gradient(lambda x: np.clip(x, None, 0.0), x) == [1.0, 1.0, 1.0, 0.0]
    assert np.clip(tf.constant([1, 5, 9]), None, 6).numpy().tolist() == [1, 5, 6]


def test_interp_is_differentiable_by_everything():
    points, heights = [0.0, 1.0, 2.0], [1.0, 5.0, 2.0]
    by_x, by_points, by_heights = gradient(np.interp, 1.5, points, heights)
    assert by_x == -3.0
    assert by_heights == [0.0, 0.5, 0.5]
    assert by_points == [0.0, 1.5, 1.5]


def test_interp_beyond_the_ends_and_at_the_points():
    x = np.array([-1.0, 0.0, 1.0, 2.0, 3.0])
    by_heights = gradient(lambda y: np.interp(x, [0, 1, 2], y), [1.0, 5.0, 2.0])
    assert by_heights == [2.0, 1.0, 2.0]
    assert gradient(lambda x: np.interp(x, [0, 1, 2], [1.0, 5.0, 2.0]), x) == [0.0, 4.0, -3.0, -3.0, 0.0]


def test_interp_keeps_float32():
    y = np.interp(tf.constant([0.5]), [0, 1], [1.0, 3.0])
    assert y.dtype == tf.float32
    assert y.numpy().tolist() == [2.0]


def test_interp_refuses_points_that_do_not_fit():
    x = tf.constant([0.5])
    with pytest.raises(ValueError, match=r"interp: xp and fp must have one shape"):
        np.interp(x, [0.0, 1.0], [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="period"):
        np.interp(x, [0.0, 1.0], [0.0, 1.0], period=0)


def test_out_is_refused():
    with pytest.raises(tf.errors.UnimplementedError, match="out="):
        np.clip(tf.constant([1.0]), 0.0, 1.0, out=np.zeros(1))
    with pytest.raises(tf.errors.UnimplementedError, match="out="):
        np.round(tf.constant([1.0]), out=np.zeros(1))


# --- combinations ----------------------------------------------------------------------------------------------------


def test_polyval_is_differentiable_by_its_coefficients():
    assert gradient(np.polyval, [2.0, -1.0, 3.0], 0.5) == [[0.25, 0.5, 1.0], 1.0]
    x = np.array([[1.0, 2.0]])
    np.testing.assert_array_equal(tf.math.polyval([2.0, -1.0, 3.0], x), np.polyval([2.0, -1.0, 3.0], x))
    assert tf.math.polyval([], x).numpy().tolist() == [[0.0, 0.0]]
    with pytest.raises(ValueError, match="polyval"):
        tf.math.polyval(1.0, x)


def test_reciprocal_no_nan_has_derivative_0_at_0():
    assert gradient(tf.math.reciprocal_no_nan, [2.0, 0.0]) == [-0.25, 0.0]


def test_scalar_mul_takes_rows_and_refuses_axes():
    rows = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
    assert tf.math.scalar_mul(2.0, rows).values.numpy().tolist() == [[2.0, 4.0]]
    with pytest.raises(ValueError, match="scalar_mul"):
        tf.scalar_mul([2.0], [1.0])


def test_order_of_elements():
    assert [bool(tf.math.is_non_decreasing(x)) for x in ([], [1], [1, 1, 2], [2, 1])] == [True, True, True, False]
    assert [bool(tf.math.is_strictly_increasing(x)) for x in ([], [1], [1, 1, 2], [1, 2])] == [True, True, False, True]


# --- any shape -------------------------------------------------------------------------------------------------------

SHAPES = hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0)


@settings(max_examples=30, deadline=None)
@given(SHAPES, st.sampled_from([np.hypot, tf.atan2, np.logaddexp, tf.math.xlogy, tf.math.xdivy]), st.integers(0, 99))
def test_gradients_have_the_shapes_of_their_sources(shapes, function, seed):
    rng = np.random.default_rng(seed)
    values = [rng.uniform(0.5, 2.0, shape) for shape in shapes.input_shapes]
    xs = [tf.constant(v) for v in values]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    assert y.shape == shapes.result_shape
    full = [tf.constant(np.broadcast_to(v, shapes.result_shape)) for v in values]
    with tf.GradientTape() as whole:
        whole.watch(full)
        z = function(*full)
    for g, v, spread in zip(tape.gradient(y, xs), values, whole.gradient(z, full)):
        assert g.shape == v.shape
        np.testing.assert_allclose(np.sum(g), np.sum(spread), rtol=1e-12)


def test_variables_are_followed_through_functions_on_top():
    v = tf.Variable([1.0, 2.0])
    for function in (tf.math.lbeta, tf.math.reciprocal_no_nan, lambda x: np.interp(x, [0, 3], [1, 2]), np.round):
        with tf.GradientTape() as tape:
            y = function(v)
        assert (tape.gradient(y, v) is None) == (function is np.round)
