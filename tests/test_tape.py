"""GradientTape beyond what TensorFlow documents: structures, memory, threads, what is recorded, errors."""

from __future__ import annotations

import dataclasses
import gc
import resource
import threading
import weakref
from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import wengert as tf

Pair = namedtuple("Pair", "first second")


@dataclasses.dataclass
class Parameters:
    weight: object
    bias: object


@pytest.mark.parametrize(
    "wrap",
    [
        lambda a, b: [a, b],
        lambda a, b: (a, b),
        lambda a, b: {"z": a, "a": b},
        lambda a, b: OrderedDict(z=a, a=b),
        lambda a, b: Pair(a, [b]),
        lambda a, b: Parameters(a, {"deep": (b,)}),
    ],
    ids=["list", "tuple", "dict", "ordered", "namedtuple", "dataclass"],
)
def test_gradients_come_in_the_structure_of_the_sources(wrap):
    a, b = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = a * a * b
    sources = wrap(a, b)
    gradients = tape.gradient(y, sources)
    assert type(gradients) is type(sources)
    expected = {id(a): 12.0, id(b): 4.0}
    for source, gradient in zip(tf.nest.flatten(sources), tf.nest.flatten(gradients), strict=True):
        assert float(gradient) == expected[id(source)]


def test_targets_in_a_structure_are_summed_with_their_output_gradients():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        targets = {"b": [x * 2.0], "a": x * x}
    weights = {"b": [tf.constant([1.0, 10.0])], "a": tf.constant([100.0, 0.0])}
    assert tape.gradient(targets, x, output_gradients=weights).numpy().tolist() == [202.0, 20.0]


def test_same_source_twice():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert [float(g) for g in tape.gradient(y, [x, x])] == [6.0, 6.0]


def test_same_target_twice():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert float(tape.gradient([y, y], x)) == 12.0


def test_target_and_intermediate_as_sources_together():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        z = y * y
    assert [float(g) for g in tape.gradient(z, [x, y, z])] == [108.0, 18.0, 1.0]


def test_third_derivative_by_nested_tapes():
    x = tf.Variable(2.0, dtype=tf.float64)
    with tf.GradientTape() as t3:
        with tf.GradientTape() as t2:
            with tf.GradientTape() as t1:
                y = x**5.0
            d1 = t1.gradient(y, x)
        d2 = t2.gradient(d1, x)
    assert float(t3.gradient(d2, x)) == pytest.approx(60 * 4.0)


def test_second_derivative_on_one_persistent_tape():
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x * x
        g = tape.gradient(y, x)
    assert float(tape.gradient(g, x)) == 18.0


def test_tapes_may_end_in_any_order():
    x = tf.Variable(3.0)
    first, second = tf.GradientTape(), tf.GradientTape()
    first.__enter__()
    second.__enter__()
    y = x * x
    first.__exit__(None, None, None)
    z = x * y
    second.__exit__(None, None, None)
    assert float(first.gradient(y, x)) == 6.0
    assert float(second.gradient(z, x)) == 27.0


def test_an_error_inside_the_block_ends_the_recording():
    tape = tf.GradientTape()
    with pytest.raises(ZeroDivisionError), tape:
        1 / 0  # noqa: B018
    x = tf.Variable(1.0)
    _ = x * x
    assert len(tape) == 0


def test_a_tape_entered_twice_goes_on_recording():
    x = tf.Variable(2.0)
    tape = tf.GradientTape()
    with tape:
        y = x * x
    with tape:
        z = y * x
    assert float(tape.gradient(z, x)) == 12.0


def test_a_tape_cannot_be_entered_while_it_records():
    tape = tf.GradientTape()
    with tape, pytest.raises(ValueError, match="recording already"):
        tape.__enter__()


def test_stop_recording_leaves_other_tapes_alone():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner, inner.stop_recording():
        y = x * x
    assert float(outer.gradient(y, x)) == 4.0
    assert inner.gradient(y, x) is None


def test_what_does_not_depend_on_a_watched_source_is_not_recorded():
    x, c = tf.Variable(2.0), tf.constant(np.ones(4, "f"))
    with tf.GradientTape() as tape:
        for _ in range(10):
            c = c * 2.0 + 1.0
        y = x * tf.reduce_sum(c)
    assert len(tape) == 1
    tape.gradient(y, x)


def test_only_what_a_rule_names_is_kept():
    x = tf.Variable(np.ones(1000, "f"))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(-(x + 1.0))
    assert tape.nbytes == 0
    assert tape.gradient(y, x).numpy().tolist() == [-1.0] * 1000


def test_after_gradient_a_tape_holds_nothing():
    x = tf.Variable(np.ones(1000, "f"))
    with tf.GradientTape() as tape:
        h = tf.exp(x)
        y = tf.reduce_sum(h * h)
    ref = weakref.ref(h)
    del h
    gc.disable()
    try:
        tape.gradient(y, x)
        assert len(tape) == 0 and tape.nbytes == 0
        assert ref() is None, "freed without the garbage collector"
    finally:
        gc.enable()


def test_dropping_a_tape_frees_it_without_the_garbage_collector():
    x = tf.Variable(np.ones(1000, "f"))
    gc.disable()
    try:
        with tf.GradientTape() as tape:
            h = tf.exp(x)
            _ = h * h
        ref, tape_ref = weakref.ref(h), weakref.ref(tape)
        del h, _, tape
        assert ref() is None and tape_ref() is None
    finally:
        gc.enable()


def test_memory_is_flat_over_ten_thousand_steps():
    w = tf.Variable(np.ones((20, 20), "f"))
    x = tf.constant(np.ones((4, 20), "f") / 20)

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.exp(x @ w) - 1.0))
        w.assign_sub(0.001 * tape.gradient(loss, w))

    for _ in range(6000):  # fills the lineage, whose size is fixed
        step()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(10_000):
        step()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 2_000, f"{grown} KiB"


def test_tapes_are_per_thread():
    x = tf.Variable(3.0)
    seen = {}

    def other():
        y = x * x
        with tf.GradientTape() as tape:
            z = x * x * x
        seen["z"] = float(tape.gradient(z, x))
        seen["y"] = y

    with tf.GradientTape() as tape:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        mine = x * x
    assert len(tape) == 1
    assert seen["z"] == 27.0
    assert float(tape.gradient(mine, x)) == 6.0


def test_many_threads_train_at_once():
    def train(k, results):
        w = tf.Variable(float(k))
        for _ in range(200):
            with tf.GradientTape() as tape:
                loss = (w - 2.0) ** 2
            w.assign_sub(0.1 * tape.gradient(loss, w))
        results[k] = float(w)

    results: dict[int, float] = {}
    threads = [threading.Thread(target=train, args=(k, results)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == {k: pytest.approx(2.0, abs=1e-5) for k in range(8)}


def test_values_saved_for_the_backward_pass_survive_an_assignment():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = v * v
        v.assign([100.0, 100.0])
    assert tape.gradient(y, v).numpy().tolist() == [2.0, 4.0]


def test_gradients_of_an_array_that_is_changed_afterwards():
    data = np.array([1.0, 2.0])
    x = tf.constant(data)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    data[:] = 100.0
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0]


def test_gradient_dtype_is_the_sources_dtype():
    single, double = tf.Variable(2.0), tf.Variable(3.0, dtype=tf.float64)
    with tf.GradientTape() as tape:
        y = single * double
    gradients = tape.gradient(y, [single, double])
    assert y.dtype == tf.float64
    assert [g.dtype for g in gradients] == [tf.float32, tf.float64]


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16])
def test_sixteen_bit_floats_train(dtype):
    w = tf.Variable(np.full((3, 3), 0.5), dtype=dtype)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.exp(w @ w) * 2.5)
    gradient = tape.gradient(y, w)
    assert y.dtype == dtype and gradient.dtype == dtype and gradient.shape == (3, 3)
    expected = 2.5 * np.exp(0.75) * 3  # each of two factors: sum over three columns of 0.5 each
    assert gradient.numpy().astype(float) == pytest.approx(np.full((3, 3), expected), rel=2e-2)


def test_complex_gradient_points_uphill():
    z = tf.Variable(1 + 0.5j)
    with tf.GradientTape() as tape:
        y = tf.abs(z)
    g = complex(tape.gradient(y, z))
    assert g.real == pytest.approx(0.8944271910)
    assert g.imag == pytest.approx(0.4472135955), "TensorFlow's convention: the conjugate of the holomorphic derivative"


def test_complex_gradient_of_a_holomorphic_function_is_the_conjugate_derivative():
    z = tf.Variable(1 + 2j)
    with tf.GradientTape() as tape:
        y = z * z * z
    assert complex(tape.gradient(y, z)) == pytest.approx(np.conj(3 * (1 + 2j) ** 2))


def test_forward_mode_through_an_operation_without_a_derivative_is_not_a_silent_none():
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones([2])), pytest.raises(LookupError, match="random_shuffle"):
        tf.random.shuffle(x)


# --- misuse ----------------------------------------------------------------------------------------------------------


def test_a_used_tape_says_what_to_do():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="persistent=True"):
        tape.gradient(y, x)


def test_a_plain_number_as_source_says_what_to_do():
    with tf.GradientTape() as tape:
        y = tf.constant(2.0) * 3.0
    with pytest.raises(TypeError, match=r"source 0 is of type float.*tape.watch"):
        tape.gradient(y, 3.0)


def test_output_gradients_of_the_wrong_shape():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    with pytest.raises(ValueError, match=r"shape \(3,\).*shape \(2,\)"):
        tape.gradient(y, x, output_gradients=[1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="does not match"):
        tape.gradient([y], x, output_gradients=[[1.0, 2.0], [1.0, 2.0]])


def test_empty_tape_and_empty_tensors():
    x = tf.Variable(np.zeros((0, 3), "f"))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * 2.0)
    assert tape.gradient(y, x).shape == (0, 3)
    with tf.GradientTape() as tape:
        pass
    assert tape.gradient(x, []) == []


def test_jacobian_in_a_structure_and_through_second_order():
    w, b = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as tape:
            y = w * w * b
        jacobians = tape.jacobian(y, {"w": w, "b": b})
    assert jacobians["w"].numpy().tolist() == [[6.0, 0.0], [0.0, 12.0]]
    assert jacobians["b"].numpy().tolist() == [1.0, 4.0]
    assert outer.gradient(jacobians["w"], b).numpy() == pytest.approx(6.0)


def test_jacobian_of_an_empty_target():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x[:0] * 2.0
    assert tape.jacobian(y, x).shape == (0, 2)


def test_batch_jacobian_of_an_empty_batch():
    x = tf.Variable(np.zeros((0, 3), "f"))
    with tf.GradientTape() as tape:
        y = x * 2.0
    assert tape.batch_jacobian(y, x).shape == (0, 3, 3)
