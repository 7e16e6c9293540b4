"""A gradient step with every gradient doubled; the article's Dense(1) layer is written out."""

import tensorflow as tf

kernel = tf.Variable([[0.5]])
bias = tf.Variable([0.0])
variables = [kernel, bias]


def model(x):
    return x @ kernel + bias


# Define a custom gradient function
def custom_gradient(x):
    return 2 * x


def train_step(x, y):
    with tf.GradientTape() as tape:
        predictions = model(x)
        loss = tf.reduce_mean(tf.square(predictions - y))

    gradients = tape.gradient(loss, variables)
    modified_gradients = [custom_gradient(grad) for grad in gradients]
    for variable, gradient in zip(variables, modified_gradients):
        variable.assign_sub(0.01 * gradient)
    return loss


x = tf.constant([[1.0], [2.0], [3.0], [4.0]])
y = tf.constant([[0.0], [-1.0], [-2.0], [-3.0]])

print("Loss:", train_step(x, y).numpy())  # Output: Loss: 10.375
print(train_step(x, y).numpy() < 10.375)  # Output: True
