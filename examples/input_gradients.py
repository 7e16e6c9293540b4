"""Gradients with respect to the inputs: one sweep over a batch gives those of every example."""

import tensorflow as tf

weights = tf.constant([[1.0, -1.0], [0.5, 2.0]])
inputs = tf.constant([[0.1, 0.2], [0.3, -0.4], [-0.5, 0.6]])


def gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.tanh(x @ weights))
    return tape.gradient(y, x)


one_at_a_time = tf.concat([gradient(inputs[k : k + 1]) for k in range(3)], axis=0)
batched = gradient(inputs)
print(bool(tf.reduce_all(tf.abs(one_at_a_time - batched) < 1e-6)))  # Output: True
