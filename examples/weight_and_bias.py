"""Gradients of a loss with respect to a weight and a bias."""

import tensorflow as tf

x = tf.Variable(2.0)
w = tf.Variable(4.0)
b = tf.Variable(1.0)


# Define forward-pass computation
def forward_pass(x):
    return w * x + b


with tf.GradientTape() as tape:
    # Compute loss
    loss = (forward_pass(x) - 10) ** 2

# Compute gradients
gradients = tape.gradient(loss, [w, b])

# The article prints 24.0 and 12.0; right is 2 (w x + b - 10) x = -4 and 2 (w x + b - 10) = -2.
print("dw: ", gradients[0].numpy())  # Output: dw:  -4.0
print("db: ", gradients[1].numpy())  # Output: db:  -2.0
