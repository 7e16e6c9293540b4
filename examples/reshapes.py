"""A reshape inside the tape has a gradient, whether its shape is written down or computed."""

import tensorflow as tf

x = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

with tf.GradientTape() as tape:
    flat = tf.reshape(x, [6])
    loss = tf.reduce_sum(flat * flat)
static = tape.gradient(loss, x)

with tf.GradientTape() as tape:
    shape = tf.shape(x)
    flat = tf.reshape(x, [shape[0] * shape[1]])
    loss = tf.reduce_sum(flat * flat)
dynamic = tape.gradient(loss, x)

print(static.shape, bool(tf.reduce_all(static == dynamic)))  # Output: (2, 3) True

flat = tf.reshape(x, [6])  # before the tape
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(flat * flat)
print(tape.gradient(loss, x))  # Output: None
