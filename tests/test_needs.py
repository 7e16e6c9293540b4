"""What users of gradient tapes asked for: one test a row of the list of needs, with the right value.

The names carry the row: ``1_8`` is the eighth need about gradients that are None or wrong, ``3_*`` are about custom
gradients, ``5_*`` about gradients that are modified, ``6_*`` about NumPy code.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
import scipy.special

import wengert as tf
from wengert.tape.explanation import NoGradientError


def var(value, **kwargs):
    return tf.Variable(np.asarray(value, dtype=np.float64), **kwargs)


def grad(function, *values, order=1):
    """The gradient of a scalar function of float64 Variables."""
    variables = [var(v) for v in values]
    with tf.GradientTape() as tape:
        y = function(*variables)
    gradients = [None if g is None else tf.convert_to_tensor(g).numpy().tolist() for g in tape.gradient(y, variables)]
    return gradients[0] if len(values) == 1 else gradients


# --- 1: the tape returns None, or a wrong gradient -------------------------------------------------------------------


def test_1_1_made_before_the_tape_is_a_named_error():
    w = var(np.arange(6.0), name="w")
    big = w[None]
    reshaped = tf.reshape(w, (2, 3))
    with tf.GradientTape(on_none="raise") as tape:
        loss = tf.reduce_sum(reshaped**2)
    with pytest.raises(NoGradientError, match=r"(?s)reshape .*ran before the tape began"):
        tape.gradient(loss, w)
    assert big.shape == (1, 6)


def test_1_1_inside_the_tape_the_gradient_has_the_variables_own_shape():
    assert grad(lambda w: tf.reduce_sum(tf.reshape(w, (2, 3)) ** 2), np.arange(6.0)) == [0, 2, 4, 6, 8, 10]


def test_1_2_intermediates_are_legal_sources():
    x = var(3.0)
    with tf.GradientTape() as tape:
        z = x + 1
        y = z * z
    assert [float(g) for g in tape.gradient(y, [x, z])] == [8.0, 8.0]


def test_1_3_zeros_have_the_variables_shape_dtype_and_structure():
    a, b = var(2.0), var(np.ones(3))
    with tf.GradientTape() as tape:
        loss = a * a
    g = tape.gradient(loss, {"a": a, "b": b}, unconnected_gradients="zero")
    assert float(g["a"]) == 4.0
    assert g["b"].numpy().tolist() == [0, 0, 0] and g["b"].dtype == tf.float64


def test_1_4_integer_variables_name_their_dtype():
    x = tf.constant(np.array([110]))
    with pytest.warns(UserWarning, match="int64 cannot carry a gradient"), tf.GradientTape(on_none="raise") as tape:
        tape.watch(x)
        loss = tf.reduce_sum(x / 2)
    with pytest.raises(NoGradientError, match="int64"):
        tape.gradient(loss, x)


def test_1_4_float_input_gets_its_gradient():
    assert grad(lambda x: tf.reduce_sum(x / 2), [110.0]) == [0.5]


def test_1_5_unwatched_constants_get_a_message():
    x = tf.constant(3.0)
    with tf.GradientTape(on_none="raise") as tape:
        y = x * x
    with pytest.raises(NoGradientError, match=r"(?s)y = x \* x.*tape.watch\(x\)"):
        tape.gradient(y, x)


def test_1_6_numpy_functions_record():
    assert grad(lambda x: np.sin(x).sum(), [0.0, 1.0]) == pytest.approx(np.cos([0.0, 1.0]))


def test_1_7_an_assignment_in_between_is_named_never_a_bare_none():
    x0, x1 = var(3.0), var(0.0)
    with tf.GradientTape(on_none="raise") as tape:
        x1.assign_add(x0)
        y = x1**2
    with pytest.raises(NoGradientError, match="assigned in between"):
        tape.gradient(y, x0)


def test_1_7_the_value_after_the_assignment_is_the_one_differentiated():
    x0, x1 = var(3.0), var(0.0)
    with tf.GradientTape() as tape:
        x1.assign_add(x0)
        y = x1**2
    assert float(tape.gradient(y, x1)) == 6.0


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_1_8_gather_along_any_axis(axis):
    x = np.arange(6.0).reshape(2, 3)
    indices = [1, 0, 1]
    expected = np.zeros((2, 3))
    np.add.at(expected.swapaxes(0, axis), indices, 2 * x.swapaxes(0, axis)[indices])
    assert grad(lambda v: tf.reduce_sum(tf.gather(v, indices, axis=axis) ** 2), x) == expected.tolist()


@pytest.mark.parametrize(
    "key",
    [
        0,
        -1,
        slice(None, None, -2),
        ([0, 2, 0], [1, 1, 1]),
        np.array([[True, False, True]] * 4),
        (slice(1, 3), [0, 0]),
        (..., None, 1),
        ([[0], [1]], [[0, 2]]),
        (np.array([True, False, True, True]), 0),
    ],
    ids=str,
)
def test_1_8_every_index_form_scatters_exactly(key):
    x = np.arange(12.0).reshape(4, 3)
    expected = np.zeros((4, 3))
    np.add.at(expected, key, 2 * x[key])
    assert grad(lambda v: tf.reduce_sum(v[key] ** 2), x) == expected.tolist()


def test_1_9_repeated_indices_give_a_dense_sum():
    assert grad(lambda x: x[[0, 0, 1]].sum(), [1.0, 2.0]) == [2, 1]


def test_1_10_second_derivative_through_indexing():
    x = var([1.0, 2.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(x[[0, 0, 1]] ** 3)
        g = inner.gradient(y, x)
    assert outer.gradient(g, x).numpy().tolist() == [12.0, 12.0]


@pytest.mark.parametrize(("at", "expected"), [(1.0, 0.5), (-1.0, 0.25)])
def test_1_11_the_branch_not_taken_gives_no_nan(at, expected):
    assert grad(lambda x: tf.where(x < 0, 1 / (1 - x), tf.math.log(x + 1)), at) == expected


def test_1_11_overflow_in_the_branch_not_taken():
    assert grad(lambda a: tf.where(a <= 0, tf.exp(a), 1 + a), 1000.0) == 1.0


def test_1_12_norm_at_the_origin():
    assert grad(tf.norm, [0.0, 0.0]) == [0, 0]
    assert grad(lambda x: tf.norm(x) ** 2, [0.0, 0.0]) == [0, 0]
    assert grad(np.linalg.norm, [0.0, 0.0]) == [0, 0]


def test_1_13_powers_at_zero():
    assert grad(lambda x: x**2.0, 0.0) == 0.0
    assert grad(lambda x: x**0, 0.0) == 0.0
    assert grad(lambda x: tf.sqrt(x) ** 2, 1e-300) == pytest.approx(1.0)


def test_1_14_persistent_tape_gives_second_derivatives_and_jacobians_inside():
    y, v = var(2.0), var(1.0)
    with tf.GradientTape(persistent=True) as t:
        w = y * y * v
        g = t.gradient(w, y)
        j = t.jacobian(w, y)
    assert float(t.gradient(g, v)) == 4.0
    assert float(t.gradient(j, v)) == 4.0


def test_1_14_a_gradient_taken_outside_says_so():
    y, v = var(2.0), var(1.0)
    with tf.GradientTape(persistent=True) as t:
        w = y * y * v
    g = t.gradient(w, y)
    assert t.gradient(g, v) is None
    assert t.explain(g, v).reason in ("not connected", "gradient of a gradient outside the recording")


def test_1_15_two_gradients_from_one_persistent_tape():
    x = var(3.0)
    with tf.GradientTape(persistent=True) as t:
        y = x * x
        z = y * y
    assert [float(t.gradient(z, x)), float(t.gradient(y, x))] == [108.0, 6.0]


def test_1_16_no_live_nodes_after_each_step():
    x = var(3.0)
    for _ in range(3):
        with tf.GradientTape() as t:
            y = tf.exp(x * x) + x
        t.gradient(y, x)
        assert len(t) == 0 and t.nbytes == 0


def test_1_18_a_list_of_targets_is_their_sum_and_a_jacobian_tells_them_apart():
    x = var([1.0, 2.0])
    with tf.GradientTape(persistent=True) as t:
        y = x**2.0
    assert t.gradient(y, x).numpy().tolist() == [2, 4]
    assert t.jacobian(y, x).numpy().tolist() == [[2, 0], [0, 4]]


def test_1_19_ties_have_total_mass_one():
    assert grad(tf.maximum, 1.0, 1.0) == [0.5, 0.5]
    assert grad(tf.minimum, 1.0, 1.0) == [0.5, 0.5]
    assert grad(tf.reduce_max, [2.0, 1.0, 2.0]) == [0.5, 0, 0.5]
    assert grad(lambda x: tf.sort(x)[1], [3.0, 1.0, 2.0]) == [0, 0, 1]


# --- 3: custom gradients ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [lambda f, x: f(x), lambda f, x: f(x=x), lambda f, x: f(x, 3.0), lambda f, x: f(scale=3.0, x=x)],
    ids=["positional", "keyword", "both-positional", "both-keyword"],
)
def test_3_1_keyword_positional_and_default_arguments_alike(call):
    @tf.custom_gradient
    def f(x, scale=3.0):
        return x * scale, lambda dy: (7 * dy, 0 * dy)

    assert grad(lambda x: call(f, x), 2.0) == 7.0


def test_3_2_captured_variables():
    w = var(10.0)

    @tf.custom_gradient
    def f(x):
        return x * w, lambda dy, variables: (dy * variables[0], [dy * x])

    x = var(3.0)
    with tf.GradientTape() as tape:
        y = f(x)
    assert [float(g) for g in tape.gradient(y, [x, w])] == [10.0, 3.0]


def test_3_2_the_rule_may_return_a_mapping_of_variables():
    w = var(10.0)

    @tf.custom_gradient
    def f(x):
        return x * w, lambda dy, variables: (dy * w, {w.ref(): dy * x})

    x = var(3.0)
    with tf.GradientTape() as tape:
        y = f(x)
    assert [float(g) for g in tape.gradient(y, [x, w])] == [10.0, 3.0]


def test_3_3_nested_custom_rules_hold_in_second_order():
    @tf.custom_gradient
    def slope(x):
        return 3 * x**2.0, lambda dy: dy * 100.0

    @tf.custom_gradient
    def cube(x):
        return x**3.0, lambda dy: dy * slope(x)

    x = var(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = cube(x)
        g = inner.gradient(y, x)
    assert (float(g), float(outer.gradient(g, x))) == (12.0, 100.0)


def test_3_3_second_order_through_a_value_computed_in_the_forward_function():
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))

    x = var(0.3)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = log1pexp(x)
        g = inner.gradient(y, x)
    s = scipy.special.expit(0.3)
    assert float(outer.gradient(g, x)) == pytest.approx(s * (1 - s))


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda dy: [], r"must return 1 gradient \(x\), but returned 0"),
        (lambda dy: (dy, dy), r"must return 1 gradient \(x\), but returned 2"),
        (lambda dy: [[1.0, 2.0, 3.0]], "but returned 3"),
        (lambda dy: tf.ones([5]), r"gradient of argument x has shape \(5,\), but the argument has shape \(2,\)"),
    ],
    ids=["none", "two", "list", "shape"],
)
def test_3_4_wrong_count_or_shape_names_the_argument(returned, message):
    @tf.custom_gradient
    def f(x):
        return x * 2.0, returned

    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = f(x)
    with pytest.raises(ValueError, match=message):
        tape.gradient(y, x)


def test_3_4_a_function_without_a_gradient_function():
    @tf.custom_gradient
    def f(x):
        return x * 2.0

    with pytest.raises(ValueError, match="result and a gradient function"):
        f(tf.constant(1.0))


def test_3_5_one_rule_serves_forward_mode_and_forward_over_reverse():
    @tf.custom_gradient
    def f(x):
        return x**3.0, lambda dy: dy * 3 * x**2.0

    x = var(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0, tf.float64)) as acc:
        with tf.GradientTape() as tape:
            y = f(x)
        g = tape.gradient(y, x)
    assert float(acc.jvp(y)) == 12.0
    assert float(acc.jvp(g)) == 12.0


def test_3_7_gradient_reversal_by_a_custom_gradient():
    def reverse(x, scale):
        @tf.custom_gradient
        def f(x):
            return tf.identity(x), lambda dy: -scale * dy

        return f(x)

    x = var(3.0)
    with tf.GradientTape() as tape:
        y = reverse(x, 0.5) ** 2
    assert (float(y), float(tape.gradient(y, x))) == (9.0, -3.0)


def test_3_8_straight_through_by_a_custom_gradient():
    @tf.custom_gradient
    def through(x):
        return tf.round(x), lambda dy: dy

    assert grad(lambda x: tf.reduce_sum([2.0, 3.0] * through(x)), [0.4, 1.6]) == [2.0, 3.0]


def test_3_9_external_code_on_the_tape():
    @tf.custom_gradient
    def cube(x):
        return tf.numpy_function(lambda a: a**3, [x], tf.float64), lambda dy: dy * 3 * x**2.0

    assert grad(cube, 2.0) == 12.0


def test_3_11_stable_softplus():
    assert grad(tf.nn.softplus, 100.0) == 1.0
    assert grad(lambda x: np.logaddexp(0.0, x), 100.0) == 1.0


def test_3_12_code_inside_a_custom_forward_is_one_node():
    @tf.custom_gradient
    def f(x):
        y = x
        for _ in range(50):
            y = y * 1.01
        return y, lambda dy: dy

    x = var(1.0)
    with tf.GradientTape() as tape:
        f(x)
    assert len(tape) == 1


def test_recompute_replays_random_numbers_keywords_and_variables():
    w = var(2.0)

    def f(x, *, rate):
        noise = tf.random.normal([1000], dtype=tf.float64)
        return tf.reduce_sum(w * x * noise * rate)

    tf.random.set_seed(7)
    x = var(3.0)
    with tf.GradientTape() as tape:
        y = tf.recompute_grad(f)(x, rate=0.5)
    gx, gw = tape.gradient(y, [x, w])
    assert float(gx) == pytest.approx(float(y) / 3.0)
    assert float(gw) == pytest.approx(float(y) / 2.0)


def test_recompute_of_the_same_argument_twice():
    f = tf.recompute_grad(lambda a, b: a + b)
    assert grad(lambda x: f(x, x), 1.0) == 2.0


def test_recompute_keeps_less_and_differentiates_twice():
    def chain(x):
        for _ in range(20):
            x = tf.sin(x)
        return x

    x = var(np.linspace(0, 1, 1000))
    with tf.GradientTape() as plain:
        chain(x)
    with tf.GradientTape() as light:
        tf.recompute_grad(chain)(x)
    assert light.nbytes < plain.nbytes / 10

    def second(f):
        x = var(0.7)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = f(x)
            g = inner.gradient(y, x)
        return float(outer.gradient(g, x))

    assert second(tf.recompute_grad(chain)) == pytest.approx(second(chain))


def test_recompute_refuses_a_variable_that_changed():
    w = var(2.0)
    f = tf.recompute_grad(lambda x: w * x)
    x = var(1.0)
    with tf.GradientTape() as tape:
        y = f(x)
    w.assign(3.0)
    with pytest.raises(RuntimeError, match="assigned after"):
        tape.gradient(y, x)


# --- 5: modified gradients (what the tape itself has to do with it) --------------------------------------------------


def test_5_1_clipping_is_the_identity_below_the_norm():
    assert grad(lambda x: tf.reduce_sum(tf.clip_by_norm(x, 10.0) * [1.0, 2.0]), [0.3, 0.4]) == [1.0, 2.0]


def test_5_3_clipping_keeps_none():
    clipped, norm = tf.clip_by_global_norm([None, tf.constant([3.0, 4.0])], 1.0)
    assert clipped[0] is None
    assert clipped[1].numpy() == pytest.approx([0.6, 0.8])
    assert float(norm) == 5.0


def test_5_4_rows_named_twice_are_summed_when_dense():
    s = tf.IndexedSlices(tf.constant([[3.0], [4.0]]), tf.constant([0, 0]), (1, 1))
    assert float(tf.norm(tf.convert_to_tensor(s))) == 7.0


def test_5_5_sparse_and_dense_gradients_add_to_one_dense_result():
    table = var([[1.0], [2.0], [3.0]])
    with tf.GradientTape(persistent=True) as tape:
        looked_up = tf.reduce_sum(tf.gather(table, [0, 2, 0]))
        both = looked_up + tf.reduce_sum(table)
    assert isinstance(tape.gradient(looked_up, table), tf.IndexedSlices)
    assert tape.gradient(both, table).numpy().tolist() == [[3.0], [1.0], [2.0]]


def test_5_6_four_micro_batches_make_one_batch():
    rng = np.random.default_rng(0)
    w, x = var(rng.standard_normal((5, 3))), rng.standard_normal((8, 5))

    def gradient(rows):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(x[rows] @ w) ** 2) / 8
        return tape.gradient(loss, w).numpy()

    parts = sum(gradient(slice(k, k + 2)) for k in range(0, 8, 2))
    np.testing.assert_allclose(parts, gradient(slice(None)), rtol=1e-13)


def test_5_13_gradients_serve_scipys_optimisers():
    def value_and_grad(p):
        v = var(p)
        with tf.GradientTape() as tape:
            y = (1 - v[0]) ** 2 + 100 * (v[1] - v[0] ** 2) ** 2
        return float(y), tape.gradient(y, v).numpy()

    found = scipy.optimize.minimize(value_and_grad, [-1.2, 1.0], jac=True, method="L-BFGS-B", tol=1e-14)
    assert found.x == pytest.approx([1.0, 1.0], abs=1e-5)


# --- 6: NumPy code ---------------------------------------------------------------------------------------------------


def test_6_5_plain_numpy_matrix_times_tensor():
    x = var([1.0, 2.0, 3.0])
    matrix = np.arange(9.0).reshape(3, 3)
    with tf.GradientTape() as tape:
        y = matrix @ x
    assert tape.jacobian(y, x).numpy().tolist() == matrix.tolist()


def test_6_5_methods_of_arrays_record():
    assert grad(lambda x: x.dot(x), [1.0, 2.0]) == [2, 4]
    assert grad(lambda x: x.reshape(2, 2).T[0].sum(), [1.0, 2.0, 3.0, 4.0]) == [1, 0, 1, 0]


def test_6_5_a_list_of_scalars_stacks():
    assert grad(lambda a, b: np.sum(np.stack([a, b]) ** 2), 1.0, 2.0) == [2, 4]


def test_6_7_interp_and_broadcast_to():
    assert grad(lambda y: np.interp(1.5, [0, 1, 2], y), [3.0, 5.0, 9.0]) == [0, 0.5, 0.5]
    assert grad(lambda x: np.sum(np.broadcast_to(x, (4, 3))), [1.0, 2.0, 3.0]) == [4, 4, 4]


def numeric(function, *values, h=1e-6):
    """Central differences by each scalar argument."""
    return [
        float(
            function(*(v + h * (j == k) for j, v in enumerate(values)))
            - function(*(v - h * (j == k) for j, v in enumerate(values)))
        )
        / (2 * h)
        for k in range(len(values))
    ]


@pytest.mark.parametrize(
    ("ours", "scipys", "at"),
    [
        (tf.math.betainc, scipy.special.betainc, (1.5, 2.5, 0.3)),
        (tf.math.igamma, scipy.special.gammainc, (2.5, 1.7)),
    ],
    ids=["betainc", "igamma"],
)
def test_6_8_derivatives_by_shape_parameters(ours, scipys, at):
    assert grad(ours, *at) == pytest.approx(numeric(scipys, *at), rel=1e-7)


def test_6_9_symmetric_functions_of_repeated_eigenvalues():
    assert grad(lambda a: tf.reduce_sum(tf.linalg.eigvalsh(a) ** 2), np.eye(3)) == pytest.approx(2 * np.eye(3))
    g = grad(lambda a: tf.reduce_sum(tf.linalg.svd(a, compute_uv=False) ** 2), np.eye(3))
    assert np.asarray(g) == pytest.approx(2 * np.eye(3))


def test_6_10_solve():
    a, b = [[4.0, 1.0], [2.0, 3.0]], [[1.0], [2.0]]
    ga, gb = grad(lambda a, b: tf.reduce_sum(tf.linalg.solve(a, b)), a, b)
    assert np.asarray(gb).ravel() == pytest.approx([0.1, 0.3])
    assert np.asarray(ga) == pytest.approx(np.array([[-0.01, -0.06], [-0.03, -0.18]]))


def test_6_12_gradients_keep_the_dtype():
    x = tf.Variable(np.ones(3, "f"))
    with tf.GradientTape() as tape:
        y = np.mean(np.exp(x) / 3) * 2.0
    assert tape.gradient(y, x).dtype == tf.float32


def test_6_13_the_convention_for_complex_gradients():
    z = tf.Variable(1 + 0.5j)
    with tf.GradientTape() as tape:
        y = np.abs(z)
    g = complex(tape.gradient(y, z))
    assert (g.real, g.imag) == (pytest.approx(0.8944271910), pytest.approx(0.4472135955))


def test_6_14_float64_stays_float64():
    x = tf.constant(np.array([1.0]))
    assert all(f(x).dtype == tf.float64 for f in (np.sin, tf.exp, lambda x: x * 2, lambda x: 1 / x, tf.reduce_mean))


def test_6_17_values_that_are_overwritten_by_name_keep_their_gradient():
    def f(x):
        a = np.exp(x)
        a += 1
        return a.sum()

    assert grad(f, [0.0, 1.0]) == pytest.approx(np.exp([0.0, 1.0]))
