"""Three ways in which training loops lose a gradient, each explained by the tape."""

from __future__ import annotations

from typing import Any

import numpy as np

import wengert as tf

__all__ = ["LOST_GRADIENTS"]


def left_through_numpy() -> Any:
    """The loss is computed from plain numbers"""
    weights = tf.Variable([[0.5], [-0.5]], name="weights")
    with tf.GradientTape() as tape:
        scores = (tf.constant([[1.0, 2.0]]) @ weights).numpy()
        loss = tf.reduce_mean((scores - 1.0) ** 2)
    return tape.explain(loss, weights)


def rebound() -> Any:
    """The second step rebinds the Variable's name to a plain tensor"""
    weights = tf.Variable([1.0, 2.0], name="weights")
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weights**2)
        gradient = tape.gradient(loss, weights)
        if gradient is not None:
            weights = weights - 0.1 * gradient
    return tape.explain(loss, weights)


def accuracy_as_loss() -> Any:
    """The accuracy, which moves in steps, stands in for a loss"""
    weights = tf.Variable(np.eye(3, dtype=np.float32), name="weights")
    with tf.GradientTape() as tape:
        scores = tf.constant([[0.2, 0.5, 0.3], [0.6, 0.3, 0.1]]) @ weights
        hits = tf.equal(tf.argmax(scores, axis=1), [1, 2])
        loss = 1.0 - tf.reduce_mean(tf.cast(hits, tf.float32))
    return tape.explain(loss, weights)


LOST_GRADIENTS = (left_through_numpy, rebound, accuracy_as_loss)
