"""A gradient of a gradient.

The article asks one persistent tape twice, for a constant that it never watched: nothing was recorded, so that fails.
Right is to watch x, and to compute the first gradient while an outer tape records.
"""

import tensorflow as tf

x = tf.constant(3.0)
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = x**2
    dy_dx = inner.gradient(y, x)
d2y_dx2 = outer.gradient(dy_dx, x)
print(dy_dx.numpy(), d2y_dx2.numpy())  # Output: 6.0 2.0
