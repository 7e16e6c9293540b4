"""Every reason for which a gradient can be lost has a name, the user's line, and a fix."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

import wengert as tf
from wengert.tape.explanation import NoGradientError, NoGradientWarning


def explained(tape: tf.GradientTape, target: object, source: object, line: str = "") -> str:
    """The reason; checks that the gradient really is None, and that the user's line is shown."""
    explanation = tape.explain(target, source)
    assert tape.gradient(target, source) is None
    again = tape.explain(target, source)
    assert again.reason == explanation.reason, "the reason is the same after the tape was used"
    assert line in str(explanation), str(explanation)
    assert explanation.fix
    return explanation.reason


def test_constant_never_watched():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x**2
    assert explained(tape, y, x, "y = x**2") == "never watched"


def test_gradient_of_a_gradient_outside_the_recording_is_mentioned_for_a_persistent_tape():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x**2
    text = str(tape.explain(y, x))
    assert "never watched" in text and "a gradient taken outside the recording has no derivative of its own" in text


def test_gradient_of_a_gradient_outside_the_recording():
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x**2
    g = tape.gradient(y, x)
    h = g * 2.0
    assert explained(tape, g, x) == "gradient of a gradient outside the recording"
    assert tape.gradient(h, x) is None


def test_watched_after_it_was_used():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.watch(x)
    assert explained(tape, y, x, "y = x * x") == "watched too late"


def test_variable_not_trainable():
    v = tf.Variable(3.0, trainable=False, name="frozen")
    with tf.GradientTape() as tape:
        y = v * v
    assert explained(tape, y, v, "frozen") == "not trainable"


def test_automatic_watching_off():
    v = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = v * v
    assert explained(tape, y, v, "y = v * v") == "automatic watching is off"


@pytest.mark.parametrize(
    ("before", "operation"),
    [
        (lambda w: tf.reshape(w, (2, 3)), "reshape"),
        (lambda w: tf.cast(w, tf.float64), "cast"),
        (lambda w: w[1:], "getitem"),
        (lambda w: w + 1.0, "add"),
    ],
    ids=["reshape", "cast", "slice", "plus-one"],
)
def test_transformed_before_the_tape_began(before, operation):
    w = tf.Variable(np.arange(6.0, dtype=np.float32), name="w")
    transformed = before(w)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(transformed * transformed)
    text = str(tape.explain(loss, w))
    assert f"{operation}  <-- ran before the tape began" in text
    assert f"Move the {operation} into" in text
    assert explained(tape, loss, w) == "made before the tape began"


def test_computed_after_the_tape_ended():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    z = y + 1.0
    assert explained(tape, z, x, "z = y + 1.0") == "made after the tape ended"


def test_computed_under_stop_recording():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape, tape.stop_recording():
        y = x * x
    assert explained(tape, y, x, "y = x * x") == "recording was stopped"


def test_name_rebound_to_a_new_tensor():
    x = tf.Variable(2.0)
    x = x + 1.0
    with tf.GradientTape() as tape:
        y = x * x
    assert "new tensor, made by add" in str(tape.explain(y, x))
    assert explained(tape, y, x, "x = x + 1.0") == "name rebound"


def test_name_rebound_after_the_use():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
        x = x + 1.0
    assert explained(tape, y, x, "x = x + 1.0") == "name rebound"


@pytest.mark.parametrize(
    ("cut", "name"),
    [
        (lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32), "cast"),
        (lambda x: tf.cast(x > 1.0, tf.float32), "greater"),
        (lambda x: tf.cast(tf.argmax(x), tf.float32), "argmax"),
        (lambda x: tf.round(x), "round"),
        (lambda x: tf.floor(x), "floor"),
    ],
    ids=["cast", "comparison", "argmax", "rounding", "floor"],
)
def test_integer_or_boolean_on_the_path(cut, name):
    x = tf.Variable([1.0, 2.5])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(cut(x * 2.0))
    assert re.search(rf"{name}  <-- its result carries no derivative", str(tape.explain(y, x)))
    assert explained(tape, y, x) == "integer or boolean"


def test_integer_source():
    x = tf.constant(10)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
    assert "int32 cannot carry a gradient" in str(caught[0].message)
    assert explained(tape, y, x, "int32") == "integer or boolean"


@pytest.mark.parametrize(
    ("leave", "how"),
    [
        (lambda x: np.mean(x.numpy()), ".numpy()"),
        (lambda x: np.asarray(x).mean(), "np.asarray"),
        (lambda x: float(x[0]) * 2, "float()"),
    ],
    ids=["numpy", "asarray", "float"],
)
def test_left_through_numpy(leave, how):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.constant(leave(x)) * 2.0
    assert f"{how}  <-- the value leaves the tape here" in str(tape.explain(y, x))
    assert explained(tape, y, x) == "left through NumPy"


def test_stop_gradient():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x * x) * 3.0
    assert explained(tape, y, x, "stop_gradient") == "stop_gradient"


def test_state_in_between():
    x0, x1 = tf.Variable(3.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        x1.assign_add(x0)
        y = x1**2
    assert explained(tape, y, x0, "x1.assign_add(x0)") == "assigned in between"


def test_operation_without_a_derivative():
    x = tf.Variable([3.0, 1.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(tf.random.shuffle(x))
    explanation = tape.explain(y, x)
    assert explanation.reason == "no derivative"
    assert "shuffle" in str(explanation)
    with pytest.raises(LookupError, match="shuffle"):
        tape.gradient(y, x)


def test_custom_gradient_returned_none():
    @tf.custom_gradient
    def lost(x):
        return x * x, lambda dy: None

    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = lost(x)
    assert tape.gradient(y, x) is None
    explanation = tape.explain(y, x)
    assert explanation.reason == "custom gradient returned None"
    assert "lost" in str(explanation)


def test_not_connected_prints_what_the_target_depends_on():
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    with tf.GradientTape() as tape:
        y = b * b
    assert "It depends on: b:0" in str(tape.explain(y, a))
    assert explained(tape, y, a) == "not connected"


# --- gradients that exist, but are useless ---------------------------------------------------------------------------


def test_dead_relu():
    x = tf.Variable([-1.0, -2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.nn.relu(x))
    explanation = tape.explain(y, x)
    assert explanation.reason == "zero"
    assert "relu" in str(explanation) and "dead" in str(explanation)


def test_saturated_sigmoid():
    x = tf.Variable(1000.0)
    with tf.GradientTape() as tape:
        y = tf.sigmoid(x)
    explanation = tape.explain(y, x)
    assert explanation.reason == "zero"
    assert "saturated" in explanation.fix


def test_rounding_of_a_sign_gives_zero():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.sign(x)
    assert tape.explain(y, x).reason == "zero"


def test_first_operation_of_the_backward_pass_that_is_not_finite():
    x = tf.Variable([1.0, 0.0, 4.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.sqrt(x) * 3.0)
    explanation = tape.explain(y, x)
    assert explanation.reason == "not finite"
    assert "sqrt is the first operation" in str(explanation)
    assert "index [1]" in str(explanation)


def test_a_good_gradient_is_called_good_and_the_tape_is_not_used_up():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.explain(y, x).reason == "connected"
    assert float(tape.gradient(y, x)) == 4.0


# --- forms -----------------------------------------------------------------------------------------------------------


def test_several_sources_get_a_finding_each():
    a, b = tf.Variable(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = a * b
    assert tape.explain(y, {"a": a, "b": b}).reasons == ["connected", "never watched"]


def test_text_and_html_show_the_same_reason_line_and_fix():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x  # <square>
    explanation = tape.explain(y, x)
    for shown in (str(explanation), explanation._repr_html_()):
        assert "never watched" in shown
        assert "test_explain.py:" in shown
        assert "tape.watch(x)" in shown
    assert "&lt;square&gt;" in explanation._repr_html_()


def test_what_happened_on_one_line_stands_together_with_each_remark_at_its_operation():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.exp(-x * x))
    text = str(tape.explain(y, x))
    assert text.count("y = tf.reduce_sum") == 1
    assert "negative  <-- used here, but not watched\n" in text
    assert re.search(r"^ +multiply, exp, sum$", text, flags=re.M)


def test_on_none_raise():
    x = tf.constant(3.0)
    with tf.GradientTape(on_none="raise") as tape:
        y = x * x
    with pytest.raises(NoGradientError, match="never watched"):
        tape.gradient(y, x)


def test_on_none_warn():
    x = tf.constant(3.0)
    with tf.GradientTape(on_none="warn") as tape:
        y = x * x
    with pytest.warns(NoGradientWarning, match="never watched"):
        assert tape.gradient(y, x) is None


def test_on_none_is_silent_when_there_is_a_gradient():
    x = tf.Variable(3.0)
    with tf.GradientTape(on_none="raise") as tape:
        y = x * x
    assert float(tape.gradient(y, x)) == 6.0


def test_on_none_must_be_known():
    with pytest.raises(ValueError, match="on_none"):
        tf.GradientTape(on_none="shout")


def test_operations_of_long_ago_do_not_break_the_explanation():
    w = tf.Variable([1.0, 2.0])
    old = tf.reshape(w, (2, 1))
    x = tf.constant(1.0)
    for _ in range(40_000):
        x = x * 1.0
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(old)
    assert tape.explain(y, w).reason == "not connected"
