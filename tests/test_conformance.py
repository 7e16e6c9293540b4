"""What TensorFlow's guides and reference pages document of tapes, with the values that TensorFlow 2.21 gives."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import wengert as tf


class Raises(NamedTuple):
    """The documented outcome is an error of this type."""

    kind: type[Exception]


CASES: dict[str, tuple[Callable[[], Any], Any]] = {}


def gives(expected: Any) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    def decorate(program: Callable[[], Any]) -> Callable[[], Any]:
        CASES[program.__name__.replace("__", ".")] = (program, expected)
        return program

    return decorate


def plain(value: Any) -> Any:
    """Tensors as nested lists, structures kept."""
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (tf.Tensor, tf.Variable, tf.IndexedSlices)):
        return np.asarray(value.numpy()).tolist()
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def same(got: Any, expected: Any) -> bool:
    if isinstance(expected, dict):
        return got.keys() == expected.keys() and all(same(got[k], expected[k]) for k in expected)
    if isinstance(expected, list):
        return len(got) == len(expected) and all(same(g, e) for g, e in zip(got, expected))
    if isinstance(expected, float):
        return got == pytest.approx(expected, rel=2e-5, abs=1e-9, nan_ok=True)
    return got == expected


# --- guide/autodiff --------------------------------------------------------------------------------------------------


@gives(6.0)
def autodiff__square():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x**2
    return tape.gradient(y, x)


def linear_layer():
    w = tf.Variable([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], name="w")
    b = tf.Variable(tf.zeros(2), name="b")
    x = [[1.0, 2.0, 3.0]]
    with tf.GradientTape(persistent=True) as tape:
        y = x @ w + b
        loss = tf.reduce_mean(y**2)
    return tape, loss, w, b


@gives([[3, 2], [2]])
def autodiff__layer_shapes():
    tape, loss, w, b = linear_layer()
    return [list(g.shape) for g in tape.gradient(loss, [w, b])]


@gives({"w": [[16.0, 22.0], [32.0, 44.0], [48.0, 66.0]], "b": [16.0, 22.0]})
def autodiff__layer_values():
    tape, loss, w, b = linear_layer()
    return tape.gradient(loss, {"w": w, "b": b})


def watched_things():
    x0 = tf.Variable(3.0, name="x0")
    x1 = tf.Variable(3.0, name="x1", trainable=False)
    x2 = tf.Variable(2.0, name="x2") + 1.0
    x3 = tf.constant(3.0, name="x3")
    with tf.GradientTape() as tape:
        y = (x0**2) + (x1**2) + (x2**2)
    return tape, y, [x0, x1, x2, x3]


@gives([6.0, None, None, None])
def autodiff__what_is_watched():
    tape, y, sources = watched_things()
    return tape.gradient(y, sources)


@gives(["x0:0"])
def autodiff__watched_names():
    tape, _, _ = watched_things()
    return [v.name for v in tape.watched_variables()]


@gives(6.0)
def autodiff__watch_constant():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x**2
    return tape.gradient(y, x)


@gives({"x0": None, "x1": 0.9999546})
def autodiff__no_auto_watch():
    x0, x1 = tf.Variable(0.0), tf.Variable(10.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x1)
        y0, y1 = tf.math.sin(x0), tf.nn.softplus(x1)
        ys = tf.reduce_sum(y0 + y1)
    return tape.gradient(ys, {"x0": x0, "x1": x1})


@gives(18.0)
def autodiff__intermediate():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return tape.gradient(z, y)


@gives([[4.0, 108.0], [2.0, 6.0]])
def autodiff__persistent():
    x = tf.constant([1, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return [tape.gradient(z, x), tape.gradient(y, x)]


@gives(Raises(RuntimeError))
def autodiff__nonpersistent_twice():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    tape.gradient(y, x)


@gives([4.0, -0.25])
def autodiff__two_targets_apart():
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y0, y1 = x**2, 1 / x
    return [tape.gradient(y0, x), tape.gradient(y1, x)]


@gives(3.75)
def autodiff__two_targets_dict():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y0, y1 = x**2, 1 / x
    return tape.gradient({"y0": y0, "y1": y1}, x)


@gives(7.0)
def autodiff__vector_target():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * [3.0, 4.0]
    return tape.gradient(y, x)


@gives([201, 100, 0.25, True])
def autodiff__sigmoid_line():
    x = tf.linspace(-10.0, 10.0, 200 + 1)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.sigmoid(x)
    g = tape.gradient(y, x).numpy()
    ends = np.allclose([g[0], g[-1]], 4.5396e-05, rtol=1e-3)
    return [len(g), int(np.argmax(g)), float(g.max()), bool(ends)]


@gives([1.0, None, None])
def autodiff__python_if():
    x, v0, v1 = tf.constant(1.0), tf.Variable(2.0), tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        result = v0 if x > 0.0 else v1**2
    return [*tape.gradient(result, [v0, v1]), tape.gradient(result, x)]


@gives(None)
def autodiff__unconnected():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        z = y * y
    return tape.gradient(z, x)


@gives([1.0, None])
def autodiff__lost_variable():
    x = tf.Variable(2.0)
    found = []
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = x + 1
        found.append(tape.gradient(y, x))
        x = x + 1
    return found


@gives(None)
def autodiff__int_source():
    x = tf.constant(10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
    return tape.gradient(y, x)


@gives(Raises(tf.errors.InvalidArgumentError))
def autodiff__no_auto_cast():
    return tf.constant([1, 2]) * tf.constant([1.0, 2.0])


@gives(None)
def autodiff__state():
    x0, x1 = tf.Variable(3.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        x1.assign_add(x0)
        y = x1**2
    return tape.gradient(y, x0)


@gives(Raises(LookupError))
def autodiff__no_gradient_registered():
    image = tf.Variable([[[0.5, 0.0, 0.0]]])
    delta = tf.Variable(0.1)
    with tf.GradientTape() as tape:
        new_image = tf.image.adjust_contrast(image, delta)
    return tape.gradient(new_image, [image, delta])


def unused_source(**kwargs: Any):
    x, y = tf.Variable([2.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        z = y**2
    return tape.gradient(z, x, **kwargs)


@gives([0.0, 0.0])
def autodiff__zero_instead_of_none():
    return unused_source(unconnected_gradients=tf.UnconnectedGradients.ZERO)


@gives([0.0, 0.0])
def autodiff__zero_string():
    return unused_source(unconnected_gradients="zero")


@gives(Raises(ValueError))
def autodiff__unconnected_bad_value():
    return unused_source(unconnected_gradients="nonsense")


# --- guide/advanced_autodiff -----------------------------------------------------------------------------------------


@gives({"x": 4.0, "y": None})
def adv__stop_recording():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as t:
        x_sq = x * x
        with t.stop_recording():
            y_sq = y * y
        z = x_sq + y_sq
    return t.gradient(z, {"x": x, "y": y})


@gives({"x": 4.0, "y": None})
def adv__reset():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    reset = True
    with tf.GradientTape() as t:
        y_sq = y * y
        if reset:
            t.reset()
        z = x * x + y_sq
    return t.gradient(z, {"x": x, "y": y})


@gives({"x": 4.0, "y": None})
def adv__stop_gradient():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as t:
        z = x**2 + tf.stop_gradient(y**2)
    return t.gradient(z, {"x": x, "y": y})


@gives(2.0)
def adv__clip_in_backward():
    @tf.custom_gradient
    def clip_gradients(y):
        def backward(dy):
            return tf.clip_by_norm(dy, 0.5)

        return y, backward

    v = tf.Variable(2.0)
    with tf.GradientTape() as t:
        output = clip_gradients(v * v)
    return t.gradient(output, v)


@gives([1.0, 0.25])
def adv__two_tapes():
    x0, x1 = tf.constant(0.0), tf.constant(0.0)
    with tf.GradientTape() as tape0, tf.GradientTape() as tape1:
        tape0.watch(x0)
        tape1.watch(x1)
        ys = tf.reduce_sum(tf.math.sin(x0) + tf.nn.sigmoid(x1))
    return [tape0.gradient(ys, x0), tape1.gradient(ys, x1)]


@gives([3.0, 6.0])
def adv__second_order():
    x = tf.Variable(1.0)
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            y = x * x * x
        dy_dx = t1.gradient(y, x)
    return [dy_dx, t2.gradient(dy_dx, x)]


def dense(units_in: int, units_out: int, seed: int):
    rng = np.random.default_rng(seed)
    return (
        tf.Variable(rng.standard_normal((units_in, units_out)).astype("f") / 2),
        tf.Variable(rng.standard_normal(units_out).astype("f") / 10),
    )


def noise(*shape: int):
    return tf.constant(np.random.default_rng(9).standard_normal(shape).astype("f"))


@gives([[5, 10], [10]])
def adv__input_grad_regulariser():
    x = noise(7, 5)
    w, b = dense(5, 10, 0)
    with tf.GradientTape() as t2:
        with tf.GradientTape(watch_accessed_variables=False) as t1:
            t1.watch(x)
            y = tf.nn.relu(x @ w + b)
            out = tf.reduce_sum(y**2)
        g1 = t1.gradient(out, x)
        g1_mag = tf.norm(g1)
    return [list(g.shape) for g in t2.gradient(g1_mag, [w, b], unconnected_gradients="zero")]


@gives([[201], [201], 0.25])
def adv__jacobian_scalar_source():
    x = tf.linspace(-10.0, 10.0, 200 + 1)
    delta = tf.Variable(0.0)
    with tf.GradientTape() as tape:
        y = tf.nn.sigmoid(x + delta)
    dy_dx = tape.jacobian(y, delta)
    return [list(y.shape), list(dy_dx.shape), float(tf.reduce_max(dy_dx))]


@gives([[7, 10, 5, 10], [5, 10], True])
def adv__jacobian_kernel():
    x = noise(7, 5)
    w, b = dense(5, 10, 0)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.nn.relu(x @ w + b)
    j, g = tape.jacobian(y, w), tape.gradient(y, w)
    return [
        list(j.shape),
        list(g.shape),
        bool(np.allclose(tf.reduce_sum(j, axis=[0, 1]).numpy(), g.numpy(), atol=1e-3)),
    ]


def hessian():
    x = noise(7, 5)
    (k1, b1), (k2, b2) = dense(5, 8, 0), dense(8, 6, 1)
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            y = tf.nn.relu(tf.nn.relu(x @ k1 + b1) @ k2 + b2)
            loss = tf.reduce_mean(y**2)
        g = t1.gradient(loss, k1)
    return g, t2.jacobian(g, k1), k1


@gives([[5, 8, 5, 8], True])
def adv__hessian():
    _, h, _ = hessian()
    flat = h.numpy().reshape(40, 40)
    return [list(h.shape), bool(np.allclose(flat, flat.T, atol=1e-5))]


@gives([5, 8])
def adv__newton_step():
    g, h, k1 = hessian()
    update = tf.linalg.solve(tf.reshape(h, [40, 40]) + tf.eye(40) * 1e-3, tf.reshape(g, [40, 1]))
    k1.assign_sub(tf.reshape(update, k1.shape))
    return list(k1.shape)


@gives([[7, 6], [7, 6, 7, 5], [7, 6, 5], [7, 6, 5], [7, 6, 5], True, True])
def adv__batch_jacobian():
    x = noise(7, 5)
    (k1, b1), (k2, b2) = dense(5, 8, 0), dense(8, 6, 1)
    with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = tf.nn.elu(tf.nn.elu(x @ k1 + b1) @ k2 + b2)
    j = tape.jacobian(y, x)
    j_sum = tf.reduce_sum(j, axis=2)
    j_select = tf.einsum("bxby->bxy", j)
    jb = tape.batch_jacobian(y, x)
    shapes = [list(t.shape) for t in (y, j, j_sum, j_select, jb)]
    close = [bool(np.allclose(jb.numpy(), t.numpy(), atol=1e-3)) for t in (j_sum, j_select)]
    return [*shapes, *close]


@gives([7, 6, 5])
def adv__batch_jacobian_dependent():
    x = noise(7, 5)
    (k1, b1), (k2, b2) = dense(5, 8, 0), dense(8, 6, 1)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x @ k1 + b1
        y = tf.nn.elu((z - tf.reduce_mean(z, axis=0)) @ k2 + b2)
    return list(tape.batch_jacobian(y, x).shape)


@gives(Raises(ValueError))
def adv__batch_jacobian_mismatch():
    x = tf.Variable(tf.ones([3, 2]))
    with tf.GradientTape() as tape:
        y = x[:2] * 2.0
    return tape.batch_jacobian(y, x)


# --- api GradientTape ------------------------------------------------------------------------------------------------


@gives(6.0)
def tape__square():
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    return g.gradient(y, x)


@gives([10.0, 2.0])
def tape__nested():
    x = tf.constant(5.0)
    with tf.GradientTape() as g:
        g.watch(x)
        with tf.GradientTape() as gg:
            gg.watch(x)
            y = x * x
        dy_dx = gg.gradient(y, x)
    return [dy_dx, g.gradient(dy_dx, x)]


@gives([108.0, 6.0])
def tape__persistent():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as g:
        g.watch(x)
        y = x * x
        z = y * y
    return [g.gradient(z, x), g.gradient(y, x)]


@gives([4.0, None])
def tape__no_auto_watch():
    x, w = tf.Variable(2.0), tf.Variable(5.0)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        tape.watch(x)
        y = x**2
        z = w**3
    return [tape.gradient(y, x), tape.gradient(z, w)]


@gives(None)
def tape__stop_recording():
    x = tf.constant(4.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tape.stop_recording():
            y = x**2
    return tape.gradient(y, x)


@gives(Raises(ValueError))
def tape__stop_recording_outside():
    with tf.GradientTape().stop_recording():
        pass


@gives(5.0)
def tape__reset_equiv():
    x = tf.Variable(3.0)
    with tf.GradientTape() as t:
        loss = x * x
        t.reset()
        loss += 5.0 * x
    return t.gradient(loss, x)


@gives(Raises(ValueError))
def tape__watch_nontensor():
    with tf.GradientTape() as tape:
        tape.watch("x")


@gives(Raises(TypeError))
def tape__target_none():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        pass
    return tape.gradient(None, x)


@gives(1.0)
def tape__target_variable():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
    return tape.gradient(x, x)


@gives(6.0)
def tape__inside_nonpersistent():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        return tape.gradient(y, x)


@gives([2.0, 40.0, 600.0])
def tape__output_gradients():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x, output_gradients=tf.constant([1.0, 10.0, 100.0]))


@gives([[2.0, 0.0], [0.0, 4.0]])
def tape__jacobian():
    with tf.GradientTape() as g:
        x = tf.constant([1.0, 2.0])
        g.watch(x)
        y = x * x
    return g.jacobian(y, x)


@gives(Raises(RuntimeError))
def tape__jacobian_no_pfor_nonpersistent():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as g:
        y = x * x
    return g.jacobian(y, x, experimental_use_pfor=False)


@gives([[2.0, 0.0], [0.0, 4.0]])
def tape__jacobian_no_pfor_persistent():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as g:
        y = x * x
    return g.jacobian(y, x, experimental_use_pfor=False)


@gives([[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]])
def tape__batch_jacobian():
    with tf.GradientTape() as g:
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        g.watch(x)
        y = x * x
    return g.batch_jacobian(y, x)


# --- api custom_gradient, recompute_grad and neighbours --------------------------------------------------------------


@gives(float("nan"))
def cg__log1pexp_naive():
    x = tf.constant(100.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.log(1 + tf.exp(x))
    return tape.gradient(y, x)


@gives(1.0)
def cg__log1pexp():
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)

        def grad(upstream):
            return upstream * (1 - 1 / (1 + e))

        return tf.math.log(1 + e), grad

    x = tf.constant(100.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = log1pexp(x)
    return tape.gradient(y, x)


@gives([6.0, 3.0, 2.0])
def cg__two_inputs():
    @tf.custom_gradient
    def bar(x, y):
        def grad(upstream):
            return upstream * y, upstream * x

        return x * y, grad

    a, b = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(a)
        tape.watch(b)
        c = bar(a, b)
    return [c, tape.gradient(c, a), tape.gradient(c, b)]


def polynomial(with_variables: bool):
    weights = tf.Variable(tf.ones([2]))
    seen = []

    @tf.custom_gradient
    def linear_poly(x):
        poly = weights[1] * x + weights[0]

        def grad_fn(dpoly, variables):
            seen.extend(variables)
            dy_dx = dpoly * weights[1]
            grad_vars = [tf.reduce_sum(tf.stack([dpoly * x, dpoly]), axis=1)]
            return dy_dx, grad_vars

        return poly, grad_fn if with_variables else lambda dpoly: dpoly

    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        poly = linear_poly(x)
    return tape, poly, x, weights, seen


@gives([[2.0, 3.0, 4.0], [1.0, 1.0, 1.0], [6.0, 3.0]])
def cg__variables():
    # what the user's rule says is taken as it is, although the page lists the slope's gradient first
    tape, poly, x, weights, seen = polynomial(True)
    found = [poly, tape.gradient(poly, x), tape.gradient(poly, weights)]
    assert all(v is weights for v in seen)
    return found


@gives(Raises(TypeError))
def cg__variables_missing():
    return polynomial(False)


@gives([8.0, 12.0, 12.0])
def cg__nested_second_order():
    @tf.custom_gradient
    def cube(x):
        def grad(dy):
            @tf.custom_gradient
            def first(x):
                return 3 * x**2, lambda ddy: ddy * 6 * x

            return dy * first(x)

        return x**3, grad

    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = cube(x)
        dy = inner.gradient(y, x)
    return [y, dy, outer.gradient(dy, x)]


@gives([1.0, 1.0])
def cg__no_grad_op_inside():
    @tf.custom_gradient
    def f(x):
        shuffled = tf.stop_gradient(tf.random.shuffle(x))
        return x + 0 * shuffled, lambda upstream: upstream

    x = tf.constant([0.3, 0.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


@gives([[4, 4, 4.0], [4, 8, 4.0]])
def recompute__counts():
    found = []
    for wrap in (lambda f: f, tf.recompute_grad):
        y = tf.Variable(1.0)
        calls = []

        def counted(x, y=y, calls=calls):
            calls.append(1)
            return x * y

        f = wrap(counted)
        r = tf.constant(1.0)
        with tf.GradientTape() as tape:
            for _ in range(4):
                r = f(r)
        forward = len(calls)
        gradient = tape.gradient(r, y)
        found.append([forward, len(calls), float(gradient)])
    return found


@gives(True)
def recompute__wrapped():
    def f(x):
        return x

    return tf.recompute_grad(f).__wrapped__ is f


@gives([9.0, 6.0, 9.0])
def grad_pass_through():
    x, z = tf.Variable(1.0, name="x"), tf.Variable(3.0, name="z")
    with tf.GradientTape() as tape:
        y = tf.grad_pass_through(x.assign)(z**2)
    return [y, tape.gradient(y, z), x]


@gives([[0.09003057, 0.24472848, 0.66524094], [0.08192507, -0.02203305, -0.05989202]])
def stop_gradient__softmax():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        numerator = tf.exp(x - tf.stop_gradient(tf.reduce_max(x)))
        s = numerator / tf.reduce_sum(numerator)
        first = s[0]
    return [s, tape.gradient(first, x)]


# --- api autodiff.ForwardAccumulator ---------------------------------------------------------------------------------


@gives([True, [-1.4, 0.9], [-0.1]])
def fwd__linear_regression():
    x, targets = tf.constant([[2.0, 3.0], [1.0, 4.0]]), tf.constant([[1.0], [-1.0]])
    kernel, bias = tf.Variable([[0.5], [-0.25]]), tf.Variable([0.1])

    def loss():
        return tf.reduce_sum((x @ kernel + bias - targets) ** 2.0)

    def jvp(primal, tangent):
        with tf.autodiff.ForwardAccumulator(primals=primal, tangents=tangent) as acc:
            value = loss()
        return float(acc.jvp(value))

    along = [
        jvp(kernel, tf.constant([[1.0], [0.0]])),
        jvp(kernel, tf.constant([[0.0], [1.0]])),
        jvp(bias, tf.constant([1.0])),
    ]
    with tf.GradientTape() as tape:
        value = loss()
    gk, gb = tape.gradient(value, [kernel, bias])
    exact = np.allclose([*gk.numpy().ravel(), *gb.numpy()], along, rtol=1e-5)
    # by hand: the residuals are r = (-0.65, 0.6), the gradient is 2 x^T r
    assert np.allclose(
        along, 2 * np.array([[2, 1], [3, 4], [1, 1]]) @ (x.numpy() @ [[0.5], [-0.25]] + 0.1 - targets.numpy())[:, 0]
    )
    return [bool(exact), along[:2], along[2:]]


@gives(6.0)
def fwd__keyword_args():
    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(primals=x, tangents=tf.constant(1.0)) as acc:
        y = x * x
    return acc.jvp(y)


def nested_accumulators():
    primal = tf.constant(1.1)
    with tf.autodiff.ForwardAccumulator(primal, tf.constant(1.0)) as outer:
        with tf.autodiff.ForwardAccumulator(primal, tf.constant(1.0)) as inner:
            primal_out = primal**3.5
        inner_jvp = inner.jvp(primal_out)
        return inner, outer, primal_out, inner_jvp


@gives([4.4417057, 10.094786])
def fwd__nested():
    _, outer, _, inner_jvp = nested_accumulators()
    return [inner_jvp, outer.jvp(inner_jvp)]


@gives(None)
def fwd__nested_wrong_order():
    inner, outer, primal_out, _ = nested_accumulators()
    return inner.jvp(outer.jvp(primal_out))


@gives([[3.0, 12.0], [6.0, 0.0]])
def fwd__over_back():
    v = tf.Variable([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(v, tf.constant([1.0, 0.0])) as acc:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v**3.0)
        backward = tape.gradient(y, v)
    return [backward, acc.jvp(backward)]


@gives([None, [0.0, 0.0]])
def fwd__unconnected():
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as acc:
        y = tf.constant([3.0, 4.0]) * 2.0
    return [acc.jvp(y), acc.jvp(y, unconnected_gradients="zero")]


@gives([6.0, 6.0, None])
def fwd__after_exit():
    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = x * x
    late = y * y
    return [acc.jvp(y), acc.jvp(y), acc.jvp(late)]


# --- clipping, numerical check ---------------------------------------------------------------------------------------

PIECES = ([3.0, 0.0], [0.0, 4.0])


@gives([[[0.6, 0.0], [0.0, 0.8]], 5.0])
def clip_global__shrinks():
    return list(tf.clip_by_global_norm([tf.constant(p) for p in PIECES], 1.0))


@gives([[[3.0, 0.0], [0.0, 4.0]], 5.0])
def clip_global__unchanged():
    return list(tf.clip_by_global_norm([tf.constant(p) for p in PIECES], 10.0))


@gives([[[0.6, 0.0], None, [0.0, 0.8]], 5.0])
def clip_global__none():
    a, b = (tf.constant(p) for p in PIECES)
    return list(tf.clip_by_global_norm([a, None, b], 1.0))


@gives([[[0.3, 0.0], [0.0, 0.4]], 10.0])
def clip_global__use_norm():
    return list(tf.clip_by_global_norm([tf.constant(p) for p in PIECES], 1.0, use_norm=tf.constant(10.0)))


@gives([True, True])
def clip_global__inf():
    clipped, _ = tf.clip_by_global_norm([tf.constant([np.inf, 1.0])], 1.0)
    return [bool(b) for b in np.isnan(clipped[0].numpy())]


@gives(Raises(TypeError))
def clip_global__not_sequence():
    return tf.clip_by_global_norm(tf.constant([1.0, 2.0]), 1.0)


@gives(5.0)
def global_norm():
    return tf.linalg.global_norm([tf.constant(PIECES[0]), None, tf.constant(PIECES[1])])


@gives([[0.26967996, 0.5393599, 0.80903983, 1.0787199, 1.3483998]])
def clip_by_norm():
    return tf.clip_by_norm(tf.constant([[1.0, 2.0, 3.0, 4.0, 5.0]]), 2.0)


@gives([[-1.0, -1.0, 0.0], [0.0, 1.0, 1.0]])
def clip_by_value():
    return tf.clip_by_value(tf.constant([[-10.0, -1.0, 0.0], [0.0, 2.0, 10.0]]), -1, 1)


@gives([[2.0, 2.0, 10.0], [1.0, 1.0, 10.0]])
def clip_by_value__broadcast():
    t = tf.constant([[-1, 0.0, 10.0], [-1, 0, 10]])
    return tf.clip_by_value(t, clip_value_min=[[2], [1]], clip_value_max=[[100]])


@gives(Raises(tf.errors.InvalidArgumentError))
def clip_by_value__expand():
    return tf.clip_by_value(tf.constant([[-1, 0.0, 10.0], [-1, 0, 10]]), [[[2, 1], [3, 4]]], 100)


@gives(Raises(TypeError))
def clip_by_value__int_float():
    return tf.clip_by_value(tf.constant([[1, 2], [3, 4]]), 1.5, 2.5)


@gives([[1, 1], 2.0, True])
def numeric__compute_gradient():
    theoretical, numerical = tf.test.compute_gradient(lambda x: x * x, [tf.constant([1.0])])
    close = bool(abs(numerical[0][0, 0] - 2.0) < 1e-3)
    return [list(theoretical[0].shape), float(theoretical[0][0, 0]), close]


@pytest.mark.parametrize("name", CASES)
def test_documented(name: str) -> None:
    program, expected = CASES[name]
    if isinstance(expected, Raises):
        with pytest.raises(expected.kind):
            program()
        return
    got = plain(program())
    assert same(got, expected), (got, expected)
