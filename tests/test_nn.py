"""Functions of neural networks: values from documents, edges, errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

import wengert as tf

INF, NAN = np.inf, np.nan


def value_and_gradient(function, x, dtype=tf.float32):
    x = tf.constant(x, dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return y.numpy(), tape.gradient(y, x).numpy()


# --- activations -----------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("name", "x", "value", "slope"),
    [
        ("sigmoid", [-1000.0, -INF, 0.0, 1000.0, INF], [0, 0, 0.5, 1, 1], [0, 0, 0.25, 0, 0]),
        ("softplus", [-1000.0, 0.0, 100.0, 1000.0], [0, np.log(2), 100, 1000], [0, 0.5, 1, 1]),
        ("relu", [-1.0, 0.0, 2.0, -INF, INF], [0, 0, 2, 0, INF], [0, 0, 1, 0, 1]),
        ("relu6", [-1.0, 0.0, 3.0, 6.0, 7.0], [0, 0, 3, 6, 6], [0, 0, 1, 0, 0]),
        ("leaky_relu", [-1.0, 0.0, 2.0], [-0.2, 0, 2], [0.2, 0.2, 1]),
        ("elu", [-1000.0, 0.0, 1000.0], [-1, 0, 1000], [0, 1, 1]),
        ("selu", [-1000.0, 0.0, 1.0], [-1.7580993, 0, 1.050701], [0, 1.050701, 1.050701]),
        ("softsign", [-3.0, 0.0, 6.0], [-0.75, 0, 6 / 7], [0.0625, 1, 0.02040816]),
        ("silu", [-1000.0, 0.0, 1000.0], [0, 0, 1000], [0, 0.5, 1]),
        ("gelu", [-1000.0, 0.0, 1000.0], [0, 0, 1000], [0, 0.5, 1]),
    ],
)
def test_activations_at_their_kinks_and_ends(name, x, value, slope) -> None:
    y, g = value_and_gradient(getattr(tf.nn, name), x)
    np.testing.assert_allclose(y, value, rtol=1e-6)
    np.testing.assert_allclose(g, slope, rtol=1e-6)


def test_log_sigmoid_far_from_the_origin() -> None:
    y, g = value_and_gradient(tf.math.log_sigmoid, [-1000.0, 1000.0])
    assert y.tolist() == [-1000.0, 0.0]
    assert g.tolist() == [1.0, 0.0]


def test_sigmoid_of_large_complex_numbers() -> None:
    z = tf.constant([-1000 + 1j, 1000 + 1j], tf.complex128)
    np.testing.assert_allclose(tf.sigmoid(z).numpy(), [0, 1], atol=1e-300)


def test_exact_gelu_keeps_its_digits_in_the_left_tail() -> None:
    x = np.array([-5.0, -8.0, -12.0])
    np.testing.assert_allclose(tf.nn.gelu(x.astype(np.float32)).numpy(), x * special.ndtr(x), rtol=1e-4)


@pytest.mark.parametrize("name", ["sigmoid", "softplus", "elu", "selu", "gelu", "silu", "softmax", "log_softmax"])
def test_integers_are_rejected(name) -> None:
    with pytest.raises(TypeError, match=name):
        getattr(tf.nn, name)(tf.constant([1, 2]))


def test_integers_where_tensorflow_takes_them() -> None:
    assert tf.nn.relu(tf.constant([-1, 2])).numpy().tolist() == [0, 2]
    np.testing.assert_allclose(tf.nn.leaky_relu(tf.constant([1, -2])).numpy(), [1, -0.4])


def test_complex_relu_is_rejected() -> None:
    with pytest.raises(TypeError, match="order"):
        tf.nn.relu(tf.constant([1j]))


def test_nan_goes_through() -> None:
    for name in ("sigmoid", "softplus", "relu", "relu6", "elu", "selu", "gelu", "silu", "softsign"):
        assert np.isnan(getattr(tf.nn, name)([NAN]).numpy()).all(), name


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16])
def test_16_bit_floats(dtype) -> None:
    x = [0.5, -1.0, 2.0]
    for name in ("sigmoid", "softplus", "relu", "elu", "selu", "silu", "softmax", "log_softmax", "leaky_relu"):
        y, g = value_and_gradient(getattr(tf.nn, name), x, dtype)
        wide_y, wide_g = value_and_gradient(getattr(tf.nn, name), x, tf.float64)
        assert y.dtype == g.dtype == dtype
        np.testing.assert_allclose(y.astype(float), wide_y, rtol=1e-2)
        np.testing.assert_allclose(g.astype(float), wide_g, rtol=5e-2, atol=2e-2)


# --- softmax ---------------------------------------------------------------------------------------------------------


def test_softmax_of_huge_and_masked_logits() -> None:
    assert tf.nn.softmax([1e30, 0.0, -INF]).numpy().tolist() == [1.0, 0.0, 0.0]
    assert tf.nn.log_softmax([1000.0, 0.0, -INF]).numpy().tolist() == [0.0, -1000.0, -INF]
    _, g = value_and_gradient(lambda x: tf.nn.softmax(x)[0], [1.0, 2.0, -INF])
    np.testing.assert_allclose(g, [0.19661194, -0.19661194, 0.0], rtol=1e-6)


def test_softmax_shapes() -> None:
    assert tf.nn.softmax(tf.zeros([2, 0])).shape == (2, 0)
    assert tf.nn.softmax(tf.zeros([0, 2])).shape == (0, 2)
    assert tf.nn.softmax([[5.0]]).numpy().tolist() == [[1.0]]
    with pytest.raises(ValueError, match="axis"):
        tf.nn.softmax(1.0)
    with pytest.raises(ValueError, match="axis 2 is out of range"):
        tf.nn.softmax([[1.0]], axis=2)


@settings(max_examples=30, deadline=None)
@given(shape=st.lists(st.integers(1, 4), min_size=1, max_size=3), data=st.data())
def test_softmax_over_any_axis(shape, data) -> None:
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    x = np.random.default_rng(0).normal(size=shape) * 10
    np.testing.assert_allclose(tf.nn.softmax(x, axis).numpy(), special.softmax(x, axis), rtol=1e-12)
    np.testing.assert_allclose(tf.nn.log_softmax(x, axis).numpy(), special.log_softmax(x, axis), rtol=1e-12, atol=1e-14)
    labels = special.softmax(np.random.default_rng(1).normal(size=shape), axis)
    loss = tf.nn.softmax_cross_entropy_with_logits(labels, x, axis=axis)
    np.testing.assert_allclose(loss.numpy(), -np.sum(labels * special.log_softmax(x, axis), axis), rtol=1e-10)


# --- losses ----------------------------------------------------------------------------------------------------------


def test_cross_entropy_with_a_masked_class() -> None:
    logits = tf.constant([[1.0, 2.0, -INF]])
    with tf.GradientTape() as tape:
        tape.watch(logits)
        loss = tf.nn.softmax_cross_entropy_with_logits([[0.3, 0.7, 0.0]], logits)
    np.testing.assert_allclose(loss.numpy(), [0.6132617], rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(loss, logits).numpy(), [[-0.03105858, 0.03105858, 0.0]], rtol=1e-5)


def test_sparse_and_dense_cross_entropy_agree() -> None:
    logits = tf.constant(np.random.default_rng(0).normal(size=(4, 3)) * 50)
    classes = [2, 0, 1, 1]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(logits)
        sparse = tf.nn.sparse_softmax_cross_entropy_with_logits(classes, logits)
        dense = tf.nn.softmax_cross_entropy_with_logits(np.eye(3)[classes], logits)
    np.testing.assert_allclose(sparse.numpy(), dense.numpy())
    np.testing.assert_allclose(tape.gradient(sparse, logits).numpy(), tape.gradient(dense, logits).numpy(), atol=1e-12)


@pytest.mark.parametrize("labels", [[5], [-1]])
def test_labels_that_are_no_class(labels) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"label .* no class from 0 to 1"):
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels, [[1.0, 2.0]])


def test_losses_reject_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="one axis less"):
        tf.nn.sparse_softmax_cross_entropy_with_logits([[1]], [[1.0, 2.0]])
    with pytest.raises(TypeError, match="numbers of classes"):
        tf.nn.sparse_softmax_cross_entropy_with_logits([1.0], [[1.0, 2.0]])
    with pytest.raises(ValueError, match="do not broadcast"):
        tf.nn.softmax_cross_entropy_with_logits([[1.0, 2.0, 3.0]], [[1.0, 2.0]])
    for loss in (
        tf.nn.sigmoid_cross_entropy_with_logits,
        tf.nn.log_poisson_loss,
        lambda z, x: tf.nn.weighted_cross_entropy_with_logits(z, x, 1.0),
    ):
        with pytest.raises(ValueError, match="must have one shape"):
            loss([1.0], [[1.0, 2.0]])


def test_empty_batches() -> None:
    assert tf.nn.sparse_softmax_cross_entropy_with_logits(np.zeros(0, int), np.zeros((0, 3))).shape == (0,)
    assert tf.nn.softmax_cross_entropy_with_logits(np.zeros((0, 3)), np.zeros((0, 3))).shape == (0,)


def test_sigmoid_cross_entropy_keeps_small_losses() -> None:
    loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[30.0, -30.0]).numpy()
    np.testing.assert_allclose(loss, np.exp([-30.0, -30.0]), rtol=1e-5)


def test_full_poisson_loss_of_zero_counts() -> None:
    z, c = tf.constant([0.0, 1.0, 2.0]), tf.constant([0.5, 0.5, 0.5])
    with tf.GradientTape() as tape:
        tape.watch(z)
        loss = tf.nn.log_poisson_loss(z, c, compute_full_loss=True)
    full = 2 * np.log(2) - 2 + 0.5 * np.log(4 * np.pi)
    np.testing.assert_allclose(loss.numpy(), np.exp(0.5) - np.array([0, 0.5, 1.0]) + [0, 0, full], rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(loss, z).numpy(), [-0.5, -0.5, -0.5 + np.log(2) + 0.25], rtol=1e-5)


# --- normalisation and dropout ---------------------------------------------------------------------------------------


def test_moments_of_16_bit_floats_do_not_overflow() -> None:
    mean, variance = tf.nn.moments(tf.constant([200.0, 600.0], tf.float16), [0])
    assert (float(mean), float(variance)) == (400.0, 40000.0)


def test_moments_without_axes_and_of_integers() -> None:
    mean, variance = tf.nn.moments(tf.constant([1.0, 2.0]), [])
    assert mean.numpy().tolist() == [1.0, 2.0]
    assert variance.numpy().tolist() == [0.0, 0.0]
    with pytest.raises(TypeError, match="moments needs a floating dtype"):
        tf.nn.moments(tf.constant([1, 2]), [0])


def test_second_derivative_of_the_variance() -> None:
    x = tf.Variable([1.0, 2.0, 6.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            variance = tf.nn.moments(x, [0])[1]
        first = inner.gradient(variance, x)
    np.testing.assert_allclose(outer.jacobian(first, x).numpy(), 2 / 3 * (np.eye(3) - 1 / 3), rtol=1e-5)


def test_batch_normalization_of_mixed_dtypes() -> None:
    x = tf.constant([[1.0, 3.0]], tf.float16)
    y = tf.nn.batch_normalization(
        x, tf.constant([1.0, 1.0]), tf.constant([4.0, 4.0]), None, tf.constant([2.0, 2.0]), 0.0
    )
    assert y.dtype == tf.float16
    assert y.numpy().tolist() == [[0.0, 2.0]]


def test_zero_fraction_of_nothing() -> None:
    assert np.isnan(float(tf.nn.zero_fraction(np.zeros(0))))


def test_bias_add_rejects_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="one bias for each channel"):
        tf.nn.bias_add(tf.zeros([1, 2, 3]), [1.0, 2.0])
    with pytest.raises(ValueError, match="at least two axes"):
        tf.nn.bias_add([1.0], [1.0])
    with pytest.raises(ValueError, match="data_format"):
        tf.nn.bias_add([[1.0]], [1.0], data_format="CN")


def test_local_response_normalization_takes_images() -> None:
    with pytest.raises(ValueError, match="batch, height, width, channels"):
        tf.nn.local_response_normalization(tf.zeros([2, 2]))


def test_dropout_keeps_the_mean_and_scales_the_gradient() -> None:
    x = tf.Variable(tf.ones([10_000]))
    with tf.GradientTape() as tape:
        y = tf.nn.dropout(x, 0.3, seed=1)
    dropped = np.mean(y.numpy() == 0)
    assert abs(dropped - 0.3) < 5 * np.sqrt(0.21 / 10_000)
    np.testing.assert_allclose(np.unique(y.numpy()), [0, 1 / 0.7], rtol=1e-6)
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), y.numpy())


def test_dropout_of_an_infinity_is_zero() -> None:
    y = tf.nn.dropout(tf.fill([100], INF), 0.5).numpy()
    assert set(y.tolist()) == {0.0, INF}


def test_dropout_noise_shape_and_rates() -> None:
    y = tf.nn.dropout(tf.ones([50, 4]), 0.5, noise_shape=[None, 1]).numpy()
    assert (y == y[:, :1]).all()
    assert len(np.unique(y)) == 2
    x = tf.ones([3])
    assert tf.nn.dropout(x, 0) is x
    rate = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.nn.dropout(tf.ones([100]), rate))
    np.testing.assert_allclose(float(tape.gradient(y, rate)), 2 * float(y), rtol=1e-5)


def test_dropout_rejects_what_does_not_fit() -> None:
    for rate in (1.0, -0.1, 1.5):
        with pytest.raises(ValueError, match="rate"):
            tf.nn.dropout([1.0], rate)
    with pytest.raises(TypeError, match="floating"):
        tf.nn.dropout([1, 2], 0.5)
    with pytest.raises(ValueError, match="noise_shape"):
        tf.nn.dropout(tf.ones([2, 3]), 0.5, noise_shape=[2, 2])


def test_documented_stable_softplus() -> None:
    y, g = value_and_gradient(tf.math.softplus, 100.0)
    assert (y, g) == (100.0, 1.0)


def test_documented_softmax() -> None:
    _, g = value_and_gradient(lambda x: tf.nn.softmax(x)[0], [1.0, 2.0, 3.0])
    np.testing.assert_allclose(tf.nn.softmax([1.0, 2.0, 3.0]).numpy(), [0.09003057, 0.24472848, 0.66524094], rtol=1e-6)
    np.testing.assert_allclose(g, [0.08192507, -0.02203305, -0.05989202], rtol=1e-6)
