"""The gradient through a recurrence, and what nested tapes give instead; the recurrent cell is written out."""

import tensorflow as tf

a = tf.Variable(0.5)


def cell(x, state):
    return a * state + x


# One tape around all four steps: the full gradient, through every step.
with tf.GradientTape() as tape:
    state = tf.constant(0.0)
    states = []
    for _ in range(4):
        state = cell(1.0, state)
        states.append(state)
    loss = tf.reduce_sum(states)
print("full:", tape.gradient(loss, a).numpy())  # Output: full: 5.75

# One tape for each step, as in the article, their gradients added: what reaches a step through the state of the step
# before is missing.
state = tf.constant(0.0)
total = tf.constant(0.0)
for _ in range(4):
    with tf.GradientTape() as tape:
        state = cell(1.0, state)
    total += tape.gradient(state, a)
print("truncated:", total.numpy())  # Output: truncated: 4.25
