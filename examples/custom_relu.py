"""An operation with a gradient of its own."""

import tensorflow as tf


@tf.custom_gradient
def my_relu(x):
    out = tf.maximum(x, 0)

    def grad(dy):
        return dy * tf.cast(x > 0, dtype=dy.dtype)

    return out, grad


x = tf.constant([-2.0, -1.0, 0.0, 1.0, 2.0])
y = my_relu(x)

with tf.GradientTape() as tape:
    tape.watch(x)
    y = my_relu(x)

dy_dx = tape.gradient(y, x)
print("Custom gradients:", dy_dx.numpy())  # Output: Custom gradients: [0. 0. 0. 1. 1.]
