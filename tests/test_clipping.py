"""Clipping of gradients, with the values that TensorFlow documents."""

from __future__ import annotations

import numpy as np
import pytest

import wengert as tf

FIRST, SECOND = [3.0, 0.0], [0.0, 4.0]


def test_clip_by_norm_documented() -> None:
    got = tf.clip_by_norm([[1.0, 2.0, 3.0, 4.0, 5.0]], 2.0).numpy()
    np.testing.assert_allclose(got, [[0.26967996, 0.5393599, 0.80903983, 1.0787199, 1.3483998]], rtol=2e-5)


def test_clip_by_norm_leaves_short_ones_as_they_are() -> None:
    assert tf.clip_by_norm([0.3, 0.4], 1.0).numpy().tolist() == np.float32([0.3, 0.4]).tolist()


def test_clip_by_norm_per_row_with_limits_of_their_own() -> None:
    got = tf.clip_by_norm([[3.0, 4.0], [0.0, 8.0]], [[1.0], [16.0]], axes=[1])
    np.testing.assert_allclose(got.numpy(), [[0.6, 0.8], [0.0, 8.0]], rtol=1e-6)


def test_clip_by_norm_at_the_origin_is_the_identity() -> None:
    x = tf.Variable([0.0, 0.0])
    with tf.GradientTape() as outer, tf.GradientTape() as tape:
        y = tf.clip_by_norm(x, 1.0)
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [1.0, 1.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.clip_by_norm(x, 1.0) ** 2)
        gradient = tape.gradient(y, x)
    assert np.all(np.isfinite(outer.gradient(gradient, x).numpy()))


def test_clip_by_norm_of_slices_keeps_them_sparse() -> None:
    slices = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), (5, 2))
    got = tf.clip_by_norm(slices, 1.0)
    assert isinstance(got, tf.IndexedSlices)
    np.testing.assert_allclose(got.values.numpy(), [[0.6, 0.8]], rtol=1e-6)
    assert got.indices.numpy().tolist() == [1]


def test_clip_by_norm_inside_a_custom_gradient() -> None:
    @tf.custom_gradient
    def clipped(x):
        return x, lambda dy: tf.clip_by_norm(dy, 0.5)

    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = clipped(v * v)
    assert float(tape.gradient(y, v)) == 2.0


@pytest.mark.parametrize(
    "limit, first, second",
    [(1.0, [0.6, 0.0], [0.0, 0.8]), (10.0, FIRST, SECOND)],
)
def test_clip_by_global_norm_documented(limit: float, first: list[float], second: list[float]) -> None:
    clipped, norm = tf.clip_by_global_norm([FIRST, SECOND], limit)
    np.testing.assert_allclose([c.numpy() for c in clipped], [first, second], rtol=2e-5)
    assert float(norm) == 5.0


def test_clip_by_global_norm_keeps_none() -> None:
    clipped, norm = tf.clip_by_global_norm((FIRST, None, SECOND), 1.0)
    assert clipped[1] is None
    np.testing.assert_allclose(clipped[2].numpy(), [0.0, 0.8], rtol=2e-5)
    assert float(norm) == 5.0


def test_clip_by_global_norm_with_a_norm_that_is_given() -> None:
    for given in (10.0, tf.constant(10.0)):
        clipped, norm = tf.clip_by_global_norm([FIRST, SECOND], 1.0, use_norm=given)
        np.testing.assert_allclose(clipped[0].numpy(), [0.3, 0.0], rtol=2e-5)
        assert float(norm) == 10.0


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_clip_by_global_norm_shows_what_is_not_finite(bad: float) -> None:
    clipped, norm = tf.clip_by_global_norm([[bad, 1.0], SECOND], 1.0)
    assert all(np.all(np.isnan(c.numpy())) for c in clipped)
    assert not np.isfinite(float(norm))


def test_clip_by_global_norm_of_slices() -> None:
    slices = tf.IndexedSlices(tf.constant([FIRST]), tf.constant([1]), (5, 2))
    (first, second), _ = tf.clip_by_global_norm([slices, SECOND], 1.0)
    assert isinstance(first, tf.IndexedSlices)
    np.testing.assert_allclose(first.values.numpy(), [[0.6, 0.0]], rtol=2e-5)
    np.testing.assert_allclose(second.numpy(), [0.0, 0.8], rtol=2e-5)


def test_clip_by_global_norm_takes_a_sequence() -> None:
    with pytest.raises(TypeError, match="clip_by_global_norm"):
        tf.clip_by_global_norm(tf.constant(FIRST), 1.0)
    with pytest.raises(TypeError, match="global_norm"):
        tf.linalg.global_norm(tf.constant(FIRST))


def test_clip_by_global_norm_at_the_origin() -> None:
    x = tf.Variable([0.0, 0.0])
    with tf.GradientTape() as tape:
        (y,), norm = tf.clip_by_global_norm([x], 1.0)
    assert float(norm) == 0.0
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [1.0, 1.0])


def test_global_norm_of_nothing() -> None:
    assert float(tf.linalg.global_norm([None])) == 0.0
    clipped, norm = tf.clip_by_global_norm([], 1.0)
    assert (clipped, float(norm)) == ([], 0.0)
