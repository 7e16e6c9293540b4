"""Claims about the special functions beyond the table: shape parameters, edges, orders of differentiation.

The numbers come from mpmath, with 60 digits.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import special

import wengert as tf

# a, x; derivatives of P(a, x) by a, by a twice, by a and x
IGAMMA = [
    (0.001, 0.2, -1.2224444134060657, 0.20829366071910413, 4.085199103745786),
    (0.3, 1.2, -0.2611460398262423, -0.3068254427158386, 0.32654274799474564),
    (0.5, 1e-06, -0.015630304114240563, 0.21545617754351326, -6686.768557552722),
    (0.7, 4.0, -0.02456652568229468, -0.04429745216579023, 0.024262651405463017),
    (2.5, 2.0, -0.27455132194588155, 0.06707717180911078, -0.0028822422628288543),
    (2.5, 9.0, -0.004741679548193881, -0.006217598371257099, 0.00374496335999998),
    (30.0, 3.0, -9.933782875422915e-20, 2.293276474963466e-19, -8.833590435844135e-19),
    (30.0, 31.0, -0.07068643603337486, -0.0023176822620203036, 0.0034265485156671407),
    (200.0, 150.0, -1.731907109270468e-05, 4.9844966801692585e-06, -5.7180595023603644e-06),
    (10000.0, 10100.0, -0.0024156880031763668, -2.4037093166337313e-05, 2.403748984326719e-05),
]

# a, b, x; derivatives of I_x(a, b) by a, by b, by a twice, by a and b, by b twice
BETAINC = [
    (
        0.001,
        2.0,
        0.3,
        -0.5042081667841304,
        0.00036894935554668767,
        -0.23471396772326006,
        0.36876650267620614,
        -0.0003588551943526877,
    ),
    (
        0.2,
        0.4,
        0.9,
        -0.5542447240950276,
        0.5573921685651193,
        1.3124910254818178,
        1.5384419472825386,
        -2.4643821844319596,
    ),
    (0.5, 0.5, 0.5, -0.5831218080616376, 0.5831218080616376, 0.9442959579270792, 0.0, -0.9442959579270792),
    (
        1.0,
        1.0,
        0.25,
        -0.34657359027997264,
        0.2157615543388357,
        0.48045301391820144,
        -0.15552814849706678,
        -0.0620707311076138,
    ),
    (
        2.5,
        4.0,
        0.1,
        -0.060036706172630114,
        0.016988632346987897,
        0.09299478511701743,
        -0.022109888755505964,
        0.0035994638040352444,
    ),
    (
        3.0,
        0.8,
        0.95,
        -0.05544937656377532,
        0.46386752772627365,
        0.006586577829459154,
        0.05475229928118567,
        -0.8927737891045224,
    ),
    (
        50.0,
        70.0,
        0.45,
        -0.0317471164112927,
        0.02424682193193774,
        -0.0021788578814418563,
        0.001907718506080951,
        -0.001630667749014792,
    ),
    (
        300.0,
        2.0,
        0.98,
        -0.00028321039192351545,
        0.025043656161548293,
        4.779158070789208e-06,
        -0.0003886520326185848,
        0.028250483021738656,
    ),
    (
        1.5,
        900.0,
        0.004,
        -0.09725730225286329,
        0.00023280983726993323,
        -0.08649637820082808,
        0.0002898481764059287,
        -8.038039929108979e-07,
    ),
    (
        2000.0,
        3000.0,
        0.41,
        -0.002421891530673721,
        0.0016484225208268043,
        -5.931984297877093e-05,
        4.0786754033109076e-05,
        -2.8035270996188694e-05,
    ),
]

# x, q; derivatives of zeta(x, q) by x, by x twice
ZETA = [
    (1.1, 0.5, -98.54623880363009, 2001.037959046483),
    (2.0, 1.0, -0.9375482543158438, 1.989280234298901),
    (3.5, 20.0, -0.0008022791323221965, 0.0027425659509505065),
    (9.0, 2.0, -0.001415982227241809, 0.0010088289814794212),
]


def derivatives(function, *values):
    """The gradient and the Hessian of a function of float64 numbers."""
    xs = [tf.constant(np.float64(v)) for v in values]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(xs)
        with tf.GradientTape() as inner:
            inner.watch(xs)
            y = function(*xs)
        first = inner.gradient(y, xs)
    second = [outer.gradient(g, xs, unconnected_gradients="zero") for g in first]
    return np.array([float(g) for g in first]), np.array([[float(h) for h in row] for row in second])


@pytest.mark.parametrize(("a", "x", "by_a", "by_a_a", "by_a_x"), IGAMMA)
def test_igamma_by_its_shape(a, x, by_a, by_a_a, by_a_x):
    gradient, hessian = derivatives(tf.math.igamma, a, x)
    np.testing.assert_allclose(gradient[0], by_a, rtol=1e-10)
    np.testing.assert_allclose(hessian[0], [by_a_a, by_a_x], rtol=1e-10)
    np.testing.assert_allclose(hessian[1, 0], by_a_x, rtol=1e-10)


@pytest.mark.parametrize(("a", "x", "by_a", "by_a_a", "by_a_x"), IGAMMA)
def test_igammac_is_its_complement(a, x, by_a, by_a_a, by_a_x):
    gradient, hessian = derivatives(tf.math.igammac, a, x)
    np.testing.assert_allclose(-gradient[0], by_a, rtol=1e-10)
    np.testing.assert_allclose(-hessian[0], [by_a_a, by_a_x], rtol=1e-10)


@pytest.mark.parametrize(("a", "b", "x", "by_a", "by_b", "by_a_a", "by_a_b", "by_b_b"), BETAINC)
def test_betainc_by_its_shapes(a, b, x, by_a, by_b, by_a_a, by_a_b, by_b_b):
    gradient, hessian = derivatives(tf.math.betainc, a, b, x)
    np.testing.assert_allclose(gradient[:2], [by_a, by_b], rtol=1e-10)
    np.testing.assert_allclose(hessian[:2, :2], [[by_a_a, by_a_b], [by_a_b, by_b_b]], rtol=1e-10, atol=1e-15)
    np.testing.assert_allclose(hessian[:2, 2], hessian[2, :2], rtol=1e-10)


@pytest.mark.parametrize(("x", "q", "by_x", "by_x_x"), ZETA)
def test_zeta_by_its_exponent(x, q, by_x, by_x_x):
    gradient, hessian = derivatives(tf.math.zeta, x, q)
    np.testing.assert_allclose([gradient[0], hessian[0, 0]], [by_x, by_x_x], rtol=1e-12)
    np.testing.assert_allclose(hessian[0, 1], hessian[1, 0], rtol=1e-12)


def test_the_shape_derivatives_have_a_third_order():
    """By a, by a and by x: the same in every order."""
    a, x = tf.constant(np.float64(2.5)), tf.constant(np.float64(3.0))
    results = []
    for order in ((a, a, x), (a, x, a), (x, a, a)):
        y, tapes = None, [tf.GradientTape() for _ in order]
        for tape in tapes:
            tape.__enter__()
            tape.watch([a, x])
        y = tf.math.igamma(a, x)
        for tape, source in zip(reversed(tapes), order):
            tape.__exit__(None, None, None)
            y = tape.gradient(y, source)
        results.append(float(y))
    np.testing.assert_allclose(results, results[0], rtol=1e-12)


def test_the_ends_of_the_range():
    for x, p in ((0.0, 0.0), (np.inf, 1.0)):
        gradient, _ = derivatives(tf.math.igamma, 2.5, x)
        assert float(tf.math.igamma(2.5, x)) == p
        assert gradient.tolist() == [0.0, 0.0]
    for x in (0.0, 1.0):
        gradient, _ = derivatives(tf.math.betainc, 2.5, 3.0, x)
        assert float(tf.math.betainc(2.5, 3.0, x)) == x
        assert gradient.tolist() == [0.0, 0.0, 0.0]


def test_the_densities_at_their_ends():
    for a, slope in ((0.5, np.inf), (1.0, 1.0), (1.5, 0.0)):
        assert derivatives(tf.math.igamma, a, 0.0)[0][1] == slope
        assert derivatives(tf.math.betainc, a, 1.0, 0.0)[0][2] == slope
        assert derivatives(tf.math.betainc, 1.0, a, 1.0)[0][2] == slope
    assert derivatives(tf.math.betainc, 1.0, 3.0, 0.0)[0][2] == 3.0


def test_outside_of_the_domain_is_not_a_number():
    for a, x in ((-1.0, 1.0), (0.0, 1.0), (1.0, -1.0), (np.nan, 1.0), (1.0, np.nan)):
        assert np.isnan(derivatives(tf.math.igamma, a, x)[0][0])
    for a, b, x in ((-1.0, 1.0, 0.5), (1.0, -1.0, 0.5), (1.0, 1.0, 1.5), (1.0, 1.0, np.nan)):
        assert np.isnan(derivatives(tf.math.betainc, a, b, x)[0][:2]).all()


def test_float32_gradients_of_shapes_are_float32_and_exact():
    a, b, x = (tf.constant(np.float32(v)) for v in (2.5, 4.0, 0.1))
    with tf.GradientTape() as tape:
        tape.watch([a, b, x])
        y = tf.math.betainc(a, b, x)
    gradients = tape.gradient(y, [a, b, x])
    assert all(g.dtype == tf.float32 for g in gradients)
    np.testing.assert_allclose(gradients[:2], [-0.060036706172630114, 0.016988632346987897], rtol=1e-6)


@settings(max_examples=30, deadline=None)
@given(
    hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=2, max_side=3, min_side=0),
    st.floats(-3, 3),
    st.floats(-3, 3),
    st.floats(0.01, 0.99),
)
def test_betainc_is_symmetric_in_all_its_derivatives(shapes, log_a, log_b, x):
    """I_x(a, b) = 1 - I_(1 - x)(b, a), whatever the shapes and parameters."""
    values = [np.full(shape, v) for shape, v in zip(shapes.input_shapes, (np.exp(log_a), np.exp(log_b), x))]
    a, b, x = map(tf.constant, values)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([a, b, x])
        left, right = tf.math.betainc(a, b, x), 1 - tf.math.betainc(b, a, 1 - x)
    assert left.shape == shapes.result_shape
    for g, h, v in zip(tape.gradient(left, [a, b, x]), tape.gradient(right, [a, b, x]), values):
        assert g.shape == h.shape == v.shape
        np.testing.assert_allclose(g, h, rtol=1e-8, atol=1e-12)


def test_many_elements_are_taken_in_blocks():
    a = np.linspace(0.5, 20.0, 3000)
    got = derivative_by_shape(a, np.full(3000, 5.0))
    np.testing.assert_array_equal(got[::500], derivative_by_shape(a[::500], np.full(6, 5.0)))


def derivative_by_shape(a, x):
    shape = tf.constant(a)
    with tf.GradientTape() as tape:
        tape.watch(shape)
        y = tf.math.igamma(shape, x)
    return tape.gradient(y, shape).numpy()


# --- removable singularities, sums and poles -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "first", "second"),
    [
        (tf.math.bessel_i0, 0.0, 0.5),
        (tf.math.bessel_i1, 0.5, 0.0),
        (tf.math.special.bessel_j0, 0.0, -0.5),
        (tf.math.special.bessel_j1, 0.5, 0.0),
        (tf.math.erf, 2 / np.sqrt(np.pi), 0.0),
        (tf.math.special.dawsn, 1.0, 0.0),
    ],
)
def test_derivatives_at_0(function, first, second):
    gradient, hessian = derivatives(function, 0.0)
    np.testing.assert_allclose([gradient[0], hessian[0, 0]], [first, second], atol=1e-16)


def test_spence_near_1():
    for x in (1.0, 1.0 + 1e-9, 1.0 - 1e-5):
        gradient, hessian = derivatives(tf.math.special.spence, x)
        y = x - 1
        np.testing.assert_allclose([gradient[0], hessian[0, 0]], [-1 + y / 2, 0.5 - 2 * y / 3], rtol=1e-9)


def test_lbeta():
    x = np.array([[1.0, 2.0, 3.0], [0.5, 0.5, 4.0]])
    expected = special.gammaln(x).sum(-1) - special.gammaln(x.sum(-1))
    np.testing.assert_allclose(tf.math.lbeta(x), expected, rtol=1e-14)
    assert float(tf.math.lbeta(tf.zeros([0]))) == -np.inf
    with pytest.raises(ValueError, match="lbeta"):
        tf.math.lbeta(1.0)


def test_polygamma_has_no_gradient_by_its_order():
    n, x = tf.constant([1.0]), tf.constant([2.0])
    with tf.GradientTape() as tape:
        tape.watch([n, x])
        y = tf.math.polygamma(n, x)
    by_order, by_x = tape.gradient(y, [n, x])
    assert by_order is None
    np.testing.assert_allclose(by_x, special.polygamma(2, [2.0]), rtol=1e-6)


def test_scipy_functions_take_tensors():
    x = tf.constant([0.3, 0.7])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = special.erf(x)
    assert isinstance(y, tf.Tensor)
    np.testing.assert_allclose(tape.gradient(y, x), 2 / np.sqrt(np.pi) * np.exp([-0.09, -0.49]), rtol=1e-6)


def test_special_functions_broadcast_and_refuse_what_does_not():
    assert tf.math.igamma(tf.ones([3, 1]), tf.ones([4])).shape == (3, 4)
    with pytest.raises(ValueError, match=r"betainc.*\[2\].*\[3\]"):
        tf.math.betainc(tf.ones([2]), tf.ones([3]), 0.5)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"igamma.*cast"):
        tf.math.igamma(tf.constant([1]), tf.constant([1.0]))
