"""What a gradient tape is for."""

import tensorflow as tf


# Define a model and loss function
def model(x):
    return x * x


x = tf.Variable(3.0)

with tf.GradientTape() as tape:
    # Forward pass
    y = model(x)

# Compute gradient of y with respect to x
dy_dx = tape.gradient(y, x)

print("Gradient:", dy_dx.numpy())  # Output: Gradient: 6.0
