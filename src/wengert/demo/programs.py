"""The programs of five articles on gradient tapes, with the results that are right.

Each row is a small function that returns what the program prints; where an article's own value was wrong, the note says
so. Programs on Keras layers are run with the layer written by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import wengert as tf

__all__ = ["PROGRAMS", "Program", "agrees"]


@dataclass(frozen=True)
class Program:
    """One program: which article it is from, what it computes, the right result, and the function that computes it."""

    article: str
    text: str
    expected: Any
    run: Callable[[], Any]

    @property
    def name(self) -> str:
        """The function's name."""
        return self.run.__name__


PROGRAMS: Final[list[Program]] = []


def _program(article: str, text: str, expected: Any) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def register(function: Callable[[], Any]) -> Callable[[], Any]:
        PROGRAMS.append(Program(article, text, expected, function))
        return function

    return register


def agrees(got: Any, expected: Any) -> bool:
    """Whether a result is the expected one: numbers to five digits, everything else exactly.

    >>> agrees([6.0, None], [6.0000001, None]), agrees([6.0, None], [6.0, 0.0])
    (True, False)
    """
    if isinstance(expected, (list, tuple)):
        return isinstance(got, (list, tuple)) and len(got) == len(expected) and all(map(agrees, got, expected))
    if isinstance(expected, float):
        return isinstance(got, float) and abs(got - expected) <= 1e-5 * max(1.0, abs(expected))
    return type(got) is type(expected) and bool(got == expected)


def _values(gradients: Any) -> Any:
    """Gradients as Python numbers and lists, None where there is none."""
    if isinstance(gradients, (list, tuple)):
        return [_values(g) for g in gradients]
    return None if gradients is None else gradients.numpy().tolist()


def _alike(a: Any, b: Any, tolerance: float = 1e-5) -> bool:
    return all(np.allclose(x, y, rtol=tolerance, atol=tolerance) for x, y in zip(a, b, strict=True))


# --- purpose of the tape ----------------------------------------------------------------------------------------------

_PURPOSE: Final = "purpose of the tape"


@_program(_PURPOSE, "y = x * x at Variable(3.0)", 6.0)
def square() -> Any:
    """The first program of the article."""
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    return _values(tape.gradient(y, x))


@_program(_PURPOSE, "loss = (w * x + b - 10) ** 2 by [w, b] (the article prints 24.0 and 12.0)", [-4.0, -2.0])
def weight_and_bias() -> Any:
    """2 (w x + b - 10) x = -4: the article's printed values are wrong."""
    x, w, b = tf.Variable(2.0), tf.Variable(4.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        loss = (w * x + b - 10) ** 2
    return _values(tape.gradient(loss, [w, b]))


@_program(_PURPOSE, "y = x ** 2 at a constant that nobody watched", [None, "never watched", True])
def unwatched_constant() -> Any:
    """The article's program, which forgot to watch: None, the reason, and a word on the second gradient it wants."""
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x**2
    explanation = tape.explain(y, x)
    told = "outside the recording has no derivative of its own" in str(explanation)
    return [_values(tape.gradient(y, x)), explanation.reason, told]


@_program(
    _PURPOSE,
    "x watched, gradient of the gradient outside the recording",
    [6.0, None, "gradient of a gradient outside the recording"],
)
def gradient_outside_the_recording() -> Any:
    """A gradient computed while no tape records has no derivative of its own, and the explanation says so."""
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x**2
    first = tape.gradient(y, x)
    second = tape.gradient(first, x)
    return [*_values([first, second]), tape.explain(first, x).reason]


@_program(_PURPOSE, "x watched, both gradients while an outer tape records", [6.0, 2.0])
def second_derivative() -> Any:
    """What the article meant."""
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**2
        first = inner.gradient(y, x)
    return _values([first, outer.gradient(first, x)])


@_program(_PURPOSE, "watch_accessed_variables=False, w1 watched, y = w1 * x + w2", [3.0, None])
def watch_one_variable() -> Any:
    """Only what was watched has a gradient."""
    x = tf.constant(3.0)
    w1, w2 = tf.Variable(5.0), tf.Variable(7.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w1)
        y = w1 * x + w2
    return _values(tape.gradient(y, [w1, w2]))


# --- modifying gradients ----------------------------------------------------------------------------------------------

_MODIFYING: Final = "modifying gradients"


@_program(_MODIFYING, "an SGD step with doubled gradients: loss decreases, step twice as long", [True, 2.0])
def doubled_step() -> Any:
    """One dense unit on four points, written by hand."""
    x = tf.constant([[1.0], [2.0], [3.0], [4.0]])
    y = tf.constant([[0.0], [-1.0], [-2.0], [-3.0]])

    def step(factor: float) -> tuple[float, float, Any]:
        kernel, bias = tf.Variable([[0.5]]), tf.Variable([0.0])

        def loss() -> Any:
            return tf.reduce_mean(tf.square(x @ kernel + bias - y))

        with tf.GradientTape() as tape:
            before = loss()
        for variable, gradient in zip([kernel, bias], tape.gradient(before, [kernel, bias])):
            variable.assign_sub(0.01 * (factor * gradient))
        return float(before), float(loss()), kernel.numpy()[0, 0] - np.float32(0.5)

    (_, _, plain), (before, after, doubled) = step(1.0), step(2.0)
    return [after < before, float(doubled / plain)]


@_program(_MODIFYING, "relu through custom_gradient at [-2, -1, 0, 1, 2]", [0.0, 0.0, 0.0, 1.0, 1.0])
def custom_relu() -> Any:
    """The article's program as it stands."""

    @tf.custom_gradient
    def my_relu(x: tf.Tensor) -> Any:
        out = tf.maximum(x, 0)

        def grad(dy: tf.Tensor) -> Any:
            return dy * tf.cast(x > 0, dtype=dy.dtype)

        return out, grad

    x = tf.constant([-2.0, -1.0, 0.0, 1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = my_relu(x)
    return _values(tape.gradient(y, x))


# --- recurrence -------------------------------------------------------------------------------------------------------

_RECURRENCE: Final = "recurrence"


class _Cell:
    """A long short-term memory cell (Hochreiter and Schmidhuber, 1997) with four inputs and three units, in float64."""

    def __init__(self) -> None:
        random = np.random.default_rng(0)
        self.kernel = tf.Variable(0.5 * random.standard_normal((4, 12)))
        self.recurrent = tf.Variable(0.5 * random.standard_normal((3, 12)))
        self.bias = tf.Variable(np.zeros(12))
        self.inputs = [tf.constant(random.standard_normal((2, 4))) for _ in range(10)]

    @property
    def variables(self) -> list[tf.Variable]:
        return [self.kernel, self.recurrent, self.bias]

    def start(self) -> tuple[tf.Tensor, tf.Tensor]:
        return tf.zeros([2, 3], tf.float64), tf.zeros([2, 3], tf.float64)

    def __call__(self, x: tf.Tensor, state: tuple[tf.Tensor, tf.Tensor]) -> tuple[tf.Tensor, tf.Tensor]:
        output, memory = state
        gates = x @ self.kernel + output @ self.recurrent + self.bias
        take, forget, new, give = (gates[:, 3 * k : 3 * k + 3] for k in range(4))
        memory = tf.sigmoid(forget) * memory + tf.sigmoid(take) * tf.tanh(new)
        return tf.sigmoid(give) * tf.tanh(memory), memory

    def mean_output(self) -> Any:
        """The mean over all ten outputs."""
        state, outputs = self.start(), []
        for x in self.inputs:
            state = self(x, state)
            outputs.append(state[0])
        return tf.reduce_mean(outputs)

    def full_gradient(self) -> list[Any]:
        with tf.GradientTape() as tape:
            loss = self.mean_output()
        return [g.numpy() for g in tape.gradient(loss, self.variables)]

    def truncated_gradient(self) -> list[Any]:
        """The article's nested tapes: each step's own gradient, its incoming state a constant; the mean of them."""
        state, total = self.start(), [np.zeros(tuple(v.shape)) for v in self.variables]
        for x in self.inputs:
            with tf.GradientTape() as tape:
                state = self(x, tuple(map(tf.stop_gradient, state)))
                loss = tf.reduce_mean(state[0])
            total = [t + g.numpy() / 10 for t, g in zip(total, tape.gradient(loss, self.variables))]
        return total


@_program(_RECURRENCE, "an LSTM cell over ten steps: the full gradient equals finite differences", True)
def full_recurrence() -> Any:
    """Not "only the last time step", as the article says."""
    cell = _Cell()
    differences = []
    for variable in cell.variables:
        value = variable.numpy()
        slopes = np.empty_like(value)
        for index in np.ndindex(value.shape):
            means = []
            for step in (1e-6, -1e-6):
                moved = value.copy()
                moved[index] += step
                variable.assign(moved)
                means.append(float(cell.mean_output()))
            slopes[index] = (means[0] - means[1]) / 2e-6
        variable.assign(value)
        differences.append(slopes)
    return _alike(cell.full_gradient(), differences, 1e-7)


@_program(_RECURRENCE, "the same: it equals the sum of what each step's output contributes", True)
def recurrence_by_step() -> Any:
    """One output at a time as the target of a persistent tape."""
    cell = _Cell()
    total = [np.zeros(tuple(v.shape)) for v in cell.variables]
    with tf.GradientTape(persistent=True) as tape:
        state, losses = cell.start(), []
        for x in cell.inputs:
            state = cell(x, state)
            losses.append(tf.reduce_mean(state[0]) / 10)
    for loss in losses:
        total = [t + g.numpy() for t, g in zip(total, tape.gradient(loss, cell.variables))]
    return _alike(cell.full_gradient(), total)


@_program(_RECURRENCE, "the same with nested tapes, one per step: truncated, so not the full gradient", False)
def truncated_recurrence() -> Any:
    """What reaches a step through the state of the one before is missing."""
    cell = _Cell()
    return _alike(cell.full_gradient(), cell.truncated_gradient())


@_program(_RECURRENCE, "h = a * h + 1 from h = 0, sum of four h at a = 0.5: full, and nested tapes", [5.75, 4.25])
def full_beside_truncated() -> Any:
    """By a: 0 + 1 + (1 + 2a) + (1 + 2a + 3a^2), and truncated the sum of the incoming h, 0 + 1 + 1.5 + 1.75."""
    a = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        h, total = tf.constant(0.0), tf.constant(0.0)
        for _ in range(4):
            h = a * h + 1.0
            total = total + h
    full = tape.gradient(total, a)
    h, truncated = tf.constant(0.0), tf.constant(0.0)
    for _ in range(4):
        with tf.GradientTape() as tape:
            h = a * tf.stop_gradient(h) + 1.0
        truncated = truncated + tape.gradient(h, a)
    return _values([full, truncated])


# --- reshapes ---------------------------------------------------------------------------------------------------------

_RESHAPES: Final = "reshapes"


@_program(_RESHAPES, "a Variable reshaped before the tape began", [None, "made before the tape began", "reshape"])
def reshaped_before_the_tape() -> Any:
    """None; the explanation gives the reason and the operation."""
    w = tf.Variable([1.0, 2.0, 3.0, 4.0])
    matrix = tf.reshape(w, [2, 2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(matrix**2)
    explanation = tape.explain(loss, w)
    return [_values(tape.gradient(loss, w)), explanation.reason, explanation.path[0].operation]


@_program(_RESHAPES, "the reshape inside the tape", [2.0, 4.0, 6.0, 8.0])
def reshaped_inside_the_tape() -> Any:
    """The gradient has the Variable's own shape."""
    w = tf.Variable([1.0, 2.0, 3.0, 4.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.reshape(w, [2, 2]) ** 2)
    return _values(tape.gradient(loss, w))


@_program(_RESHAPES, "a shape computed from tf.shape(x): as the static reshape", [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]])
def dynamic_reshape() -> Any:
    """Shapes that are known only when the program runs cost no gradient."""
    x = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    with tf.GradientTape() as tape:
        shape = tf.shape(x)
        flat = tf.reshape(x, [shape[0] * shape[1]])
        loss = tf.reduce_sum(flat * flat)
    return _values(tape.gradient(loss, x))


# --- slow input gradients ---------------------------------------------------------------------------------------------


@_program("slow input gradients", "by the inputs, one at a time and batched: the same values", True)
def input_gradients() -> Any:
    """Rows do not depend on each other, so one sweep of the batch gives every example's gradient."""
    random = np.random.default_rng(0)
    weights = tf.constant(random.standard_normal((5, 3)))
    inputs = random.standard_normal((8, 5))

    def gradient(x: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.tanh(x @ weights) ** 2)
        return tape.gradient(y, x).numpy()

    one_at_a_time = [gradient(tf.constant(row[None]))[0] for row in inputs]
    return _alike(one_at_a_time, gradient(tf.constant(inputs)))
