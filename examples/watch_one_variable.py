"""A tape that watches only what it is told to."""

import tensorflow as tf

x = tf.constant(3.0)
w1 = tf.Variable(5.0)
w2 = tf.Variable(7.0)

with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(w1)  # Manually watch w1
    y = w1 * x + w2

# Both in one call: a tape that is not persistent answers once.
dy_dw1, dy_dw2 = tape.gradient(y, [w1, w2])

print("dy_dw1:", dy_dw1.numpy())  # Output: dy_dw1: 3.0
print("dy_dw2:", dy_dw2)  # Output: dy_dw2: None
