"""Assertions, the check for NaN and infinity, and the numerical check of derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as tf

D = tf.debugging
INF, NAN = np.inf, np.nan


# --- assertions on values --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "x", "y"),
    [
        (D.assert_equal, [1.0, 2.0], [1.0, 2.0]),
        (D.assert_none_equal, [1, 2], [2, 1]),
        (D.assert_less, [1, 2], 3),
        (D.assert_less_equal, [[1], [2]], [2, 3]),
        (D.assert_greater, [4, 5], [3, 4]),
        (D.assert_greater_equal, [3, 4], [3, 4]),
        (D.assert_near, [1.0], [1.0 + 1e-7]),
        (D.assert_near, [1, 2], [1, 2]),
        (D.assert_near, [INF], [INF]),
        (D.assert_equal, np.zeros(0), np.zeros(0)),
    ],
)
def test_comparisons_that_hold(check, x, y) -> None:
    assert check(x, y) is None


@pytest.mark.parametrize(
    ("check", "x", "y", "text"),
    [
        (D.assert_equal, [1.0, 2.0], [1.0, 1.0], r"x == y .* 1 of 2 elements: x\[1\] = 2.0 and y\[1\] = 1.0"),
        (D.assert_none_equal, [1, 2], [1, 3], r"x != y"),
        (D.assert_less, [1, 2], 2, r"x < y .*x\[1\] = 2 and y\[1\] = 2"),
        (D.assert_less_equal, 3, 2, r"x <= y .* x = 3 and y = 2"),
        (D.assert_greater, [1], [1], r"x > y"),
        (D.assert_greater_equal, [1], [NAN], r"x >= y"),
        (D.assert_near, [1.0], [1.1], r"within"),
        (D.assert_equal, [1, 2], [1, 2, 3], r"broadcast"),
    ],
)
def test_comparisons_that_fail(check, x, y, text) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=text) as caught:
        check(x, y, message="hey")
    assert caught.value.message.startswith("hey: ")


def test_near_with_tolerances() -> None:
    D.assert_near([100.0], [101.0], rtol=0.01)
    D.assert_near([1.0], [1.5], atol=0.5, rtol=0.0)
    with pytest.raises(ValueError, match="within"):
        D.assert_near([1.0], [1.6], atol=0.5, rtol=0.0)
    D.assert_near(tf.constant([1.0], tf.bfloat16), tf.constant([1.01], tf.bfloat16))


def test_signs() -> None:
    D.assert_positive([1, 2])
    D.assert_negative([-1.0])
    D.assert_non_negative([0, 1])
    D.assert_non_positive(0)
    for check, x in (
        (D.assert_positive, [1, 0]),
        (D.assert_negative, [-1, 0]),
        (D.assert_non_negative, [0, -1]),
        (D.assert_non_positive, [0, 1]),
    ):
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=rf"{check.__name__}.* 1 of 2 elements: x\[1\] = {x[1]}"
        ):
            check(x)


def test_assert_shows_its_data() -> None:
    D.Assert(True, [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Data: a, 1"):
        tf.Assert(False, ["a", tf.constant(1)])


# --- assertions on shapes and dtypes ---------------------------------------------------------------------------------


def test_ranks() -> None:
    D.assert_rank([1], 1)
    D.assert_rank_at_least([[1]], 1)
    D.assert_rank_in(1.0, (0, 1))
    assert float(D.assert_scalar(2.0)) == 2.0
    for check, arguments in (
        (D.assert_rank, ([1], 2)),
        (D.assert_rank_at_least, ([1], 2)),
        (D.assert_rank_in, ([1], (0, 2))),
        (D.assert_scalar, ([1.0],)),
    ):
        with pytest.raises(ValueError, match=r"got 1 \(shape \(1,\)\)"):
            check(*arguments)


def test_shapes_with_names() -> None:
    x, y = tf.zeros([2, 3]), tf.zeros([4, 2])
    D.assert_shapes([(x, ("N", "M")), (y, (4, "N"))])
    D.assert_shapes({x.ref(): "N3", y.ref(): (None, "N")})
    D.assert_shapes([(tf.zeros([5, 6, 2]), (..., "N")), (x, ("N", "."))])
    D.assert_shapes([(1.0, ())])
    with pytest.raises(ValueError, match="axis 0 must have size 3, as 'M' is axis 1 of tensor 0"):
        D.assert_shapes([(x, ("N", "M")), (y, ("M", "N"))])
    with pytest.raises(ValueError, match="axis 1 must have size 4, as specified"):
        D.assert_shapes([(x, ("N", 4))])
    with pytest.raises(ValueError, match="rank 3 was specified"):
        D.assert_shapes([(x, ("N", "M", "K"))])


def test_dtypes() -> None:
    D.assert_type(tf.constant([1.0]), tf.float32)
    D.assert_integer([1])
    assert D.assert_same_float_dtype([tf.ones(1), tf.ones(2)]) == tf.float32
    assert D.assert_same_float_dtype() == tf.float32
    D.assert_proper_iterable([1])
    for check in (
        lambda: D.assert_type([1], tf.float32),
        lambda: D.assert_integer([1.0]),
        lambda: D.assert_same_float_dtype([tf.ones(1), tf.ones(1, tf.float64)]),
        lambda: D.assert_same_float_dtype([tf.constant(1)]),
        lambda: D.assert_proper_iterable(tf.constant([1])),
        lambda: D.assert_proper_iterable("text"),
    ):
        with pytest.raises(TypeError):
            check()
    assert D.is_numeric_tensor(tf.Variable(1.0))
    assert not D.is_numeric_tensor(tf.constant(True))
    assert not D.is_numeric_tensor(np.ones(2))


# --- NaN and infinity ------------------------------------------------------------------------------------------------


def test_check_numerics_names_message_and_first_index() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"loss: found inf at \[0, 1\], the first of 2 of 4"):
        D.check_numerics([[1.0, INF], [NAN, 2.0]], "loss")
    with pytest.raises(ValueError, match=r"loss: found nan$"):
        D.assert_all_finite(NAN, "loss")
    x = tf.constant([1.0])
    assert D.check_numerics(x, "ok").numpy().tolist() == [1.0]


def test_check_numerics_checks_the_gradient() -> None:
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape() as tape:
        y = tf.sqrt(D.check_numerics(x, "root"))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"the gradient at 'root': found inf at \[0\]"):
        tape.gradient(y, x)


def test_every_operation_is_checked_while_enabled() -> None:
    D.enable_check_numerics()
    D.enable_check_numerics()
    try:
        x = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            y = tf.sqrt(x)
        with pytest.raises(tf.errors.InvalidArgumentError, match="enable_check_numerics"):
            tape.gradient(y, x)
    finally:
        D.disable_check_numerics()
    assert np.isinf(float(tf.divide(1.0, 0.0)))


# --- compute_gradient ------------------------------------------------------------------------------------------------


def test_documented_gradient() -> None:
    theoretical, numerical = tf.test.compute_gradient(lambda x: x * x, [1.0])
    assert theoretical[0].tolist() == [[2.0]]
    np.testing.assert_allclose(numerical[0], [[2.000004]], atol=1e-5)


def test_jacobians_of_several_arguments() -> None:
    theoretical, numerical = tf.test.compute_gradient(
        lambda x, y: tf.reduce_sum(x, 0) * y, [tf.ones([3, 2]), [3.0, 4.0]]
    )
    assert [j.shape for j in theoretical] == [j.shape for j in numerical] == [(2, 6), (2, 2)]
    assert tf.test.max_error(theoretical, numerical) < 1e-2


def test_complex_numbers_count_as_two() -> None:
    theoretical, numerical = tf.test.compute_gradient(lambda z: z * z, [np.array([1 + 2j])])
    np.testing.assert_allclose(theoretical[0], [[2, -4], [4, 2]])
    np.testing.assert_allclose(numerical[0], [[2, -4], [4, 2]], rtol=1e-5)


def test_gradients_of_lookups_and_of_constants() -> None:
    table = tf.ones([4, 2])
    exact, numerical = tf.test.compute_gradient(lambda t: tf.gather(t, [1, 1]), [table])
    assert tf.test.max_error(exact, numerical) < 1e-2
    exact, numerical = tf.test.compute_gradient(lambda x: tf.constant([1.0]), [[2.0, 3.0]])
    assert exact[0].tolist() == numerical[0].tolist() == [[0.0, 0.0]]


def test_wrong_gradients_are_found() -> None:
    @tf.custom_gradient
    def wrong(x):
        return x * x, lambda g: g * x

    exact, numerical = tf.test.compute_gradient(wrong, [np.array([3.0])])
    assert tf.test.max_error(exact, numerical) > 1.0


def test_compute_gradient_takes_a_list_of_floats() -> None:
    with pytest.raises(ValueError, match="list or tuple"):
        tf.test.compute_gradient(lambda x: x, 1.0)
    with pytest.raises(TypeError, match="no derivative"):
        tf.test.compute_gradient(lambda x: x, [tf.constant([1, 2])])
