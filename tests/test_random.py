"""Random numbers: their distributions, their reproducibility, and the derivatives by the parameters."""

from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

import wengert as tf
from wengert.primitives.random import random_state, replayed

N = 40_000
SEED = [3, 14]


@pytest.fixture(autouse=True)
def _seeded():
    tf.random.set_seed(2024)


def same(a, b) -> bool:
    return np.array_equal(a.numpy(), b.numpy())


def assert_distributed(sample, distribution, *, discrete: bool = False) -> None:
    """Kolmogorov and Smirnov's test, and the first moments within 5 standard errors."""
    x = np.asarray(sample.numpy(), np.float64).ravel()
    mean, variance = distribution.stats("mv")
    fourth = distribution.expect(lambda v: (v - mean) ** 4) if not discrete else distribution.moment(4)
    assert abs(x.mean() - mean) < 5 * np.sqrt(variance / x.size)
    assert abs(x.var() - variance) < 5 * np.sqrt(fourth / x.size)
    if not discrete:
        assert stats.kstest(x, distribution.cdf).pvalue > 1e-4


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_distributions(dtype) -> None:
    assert_distributed(tf.random.normal([N], 2.0, 3.0, dtype=dtype), stats.norm(2, 3))
    assert_distributed(tf.random.uniform([N], -1.0, 3.0, dtype=dtype), stats.uniform(-1, 4))
    assert_distributed(tf.random.truncated_normal([N], 1.0, 2.0, dtype=dtype), stats.truncnorm(-2, 2, 1, 2))
    for alpha in (0.3, 1.0, 4.5):
        assert_distributed(tf.random.gamma([N], alpha, 2.0, dtype=dtype), stats.gamma(alpha, scale=0.5))


def test_discrete_distributions() -> None:
    assert_distributed(tf.random.poisson([N], 3.5), stats.poisson(3.5), discrete=True)
    assert_distributed(tf.random.stateless_binomial([N], SEED, 12, 0.3), stats.binom(12, 0.3), discrete=True)
    assert_distributed(tf.random.uniform([N], 2, 9, dtype=tf.int32), stats.randint(2, 9), discrete=True)
    p = np.array([0.1, 0.0, 0.6, 0.3])
    with np.errstate(divide="ignore"):
        logits = np.log(np.stack([p, p[::-1]]))
    for num in (5, N):
        logits_of_many = np.repeat(logits, max(1, N // num), axis=0)
        classes = tf.random.categorical(logits_of_many, num).numpy().reshape(2, -1)
        for row, expected in zip(classes, (p, p[::-1])):
            counts = np.bincount(row, minlength=4)
            assert counts[expected == 0] == 0
            assert stats.chisquare(counts[expected > 0], expected[expected > 0] * counts.sum()).pvalue > 1e-4


def test_truncated_normal_stays_within_two_standard_deviations() -> None:
    for dtype in (tf.float16, tf.bfloat16, tf.float32, tf.float64):
        assert float(tf.reduce_max(tf.abs(tf.random.truncated_normal([N], dtype=dtype)))) <= 2.0


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_uniform_never_reaches_the_upper_bound(dtype) -> None:
    x = tf.random.uniform([N], dtype=dtype).numpy().astype(np.float64)
    assert x.min() >= 0.0
    assert x.max() < 1.0
    assert abs(x.mean() - 0.5) < 0.01


def test_whole_range_of_integers() -> None:
    for dtype in (tf.int32, tf.int64, tf.uint32, tf.uint64):
        x = tf.random.stateless_uniform([N], SEED, minval=None, maxval=None, dtype=dtype).numpy()
        assert x.dtype == dtype
        scaled = (x.astype(np.float64) - float(dtype.min)) / (float(dtype.max) - float(dtype.min))
        assert stats.kstest(scaled, "uniform").pvalue > 1e-4


def test_shapes_of_parameters() -> None:
    assert tf.random.gamma([5], [[1.0, 2.0]], [[1.0], [2.0]]).shape == (5, 2, 2)
    assert tf.random.poisson([5], [1.0, 2.0]).shape == (5, 2)
    assert tf.random.normal([5, 2], mean=[0.0, 100.0]).numpy()[:, 1].min() > 50
    assert tf.random.normal([]).shape == ()
    assert tf.random.uniform([0, 3]).shape == (0, 3)
    assert tf.random.gamma([], 2.0).shape == ()
    assert tf.random.poisson([], 2.0).shape == ()
    assert tf.random.categorical(np.zeros((0, 3)), 2).shape == (0, 2)
    assert tf.random.categorical(np.zeros((2, 3)), 0).shape == (2, 0)
    assert tf.random.shuffle(tf.constant(1.0)).shape == ()
    assert tf.random.stateless_binomial([2, 3], SEED, [1, 2, 3], 0.5).shape == (2, 3)
    assert tf.random.normal(tf.constant([2, 3])).shape == (2, 3)


def test_arguments_of_lists_and_arrays_take_the_dtype() -> None:
    assert tf.random.normal([2], np.array([1.0, 2.0]), np.float64(3.0)).dtype == tf.float32
    assert tf.random.gamma([], np.array([1.0, 2.0]), dtype=tf.float64).dtype == tf.float64


# --- seeds -----------------------------------------------------------------------------------------------------------


def test_global_seed_alone() -> None:
    tf.random.set_seed(1)
    a, b = tf.random.normal([4]), tf.random.normal([4])
    tf.random.set_seed(1)
    c, d = tf.random.normal([4]), tf.random.normal([4])
    assert same(a, c)
    assert same(b, d)
    assert not same(a, b)
    tf.random.set_seed(2)
    assert not same(a, tf.random.normal([4]))


def test_global_and_own_seed() -> None:
    tf.random.set_seed(1)
    a, b, other = tf.random.normal([4], seed=7), tf.random.normal([4], seed=7), tf.random.normal([4], seed=8)
    tf.random.set_seed(1)
    tf.random.normal([4])  # calls without a seed do not shift the stream of a seed
    assert same(a, tf.random.normal([4], seed=7))
    assert same(b, tf.random.normal([4], seed=7))
    assert not same(a, b)
    assert not same(a, other)


def test_negative_and_large_seeds() -> None:
    for seed in (-1, 2**63, 2**70):
        tf.random.set_seed(seed)
        a = tf.random.uniform([3], seed=seed)
        tf.random.set_seed(seed)
        assert same(a, tf.random.uniform([3], seed=seed))


def test_own_seed_alone_is_reproducible_in_a_new_process() -> None:
    import subprocess
    import sys

    code = (
        "import wengert as tf; print(tf.random.uniform([2], seed=3).numpy().tolist(), tf.random.uniform([2]).numpy())"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(2)]
    (first, free), (second, other) = (r.stdout.split("]", 1) for r in runs)
    assert first == second
    assert free != other


def test_dropout_follows_the_seeds() -> None:
    x = tf.ones([100])
    tf.random.set_seed(1)
    a = tf.nn.dropout(x, 0.5)
    tf.random.set_seed(1)
    assert same(a, tf.nn.dropout(x, 0.5))


def test_stateless_numbers_depend_on_the_seed_only() -> None:
    draws = [
        lambda seed: tf.random.stateless_normal([5], seed),
        lambda seed: tf.random.stateless_uniform([5], seed),
        lambda seed: tf.random.stateless_truncated_normal([5], seed),
        lambda seed: tf.random.stateless_gamma([5], seed, 2.0),
        lambda seed: tf.random.stateless_poisson([5], seed, 50.0),
        lambda seed: tf.random.stateless_binomial([5], seed, 1000, 0.5),
        lambda seed: tf.random.stateless_categorical(tf.zeros([1, 1000]), 5, seed),
        lambda seed: tf.random.experimental.stateless_shuffle(tf.range(20), seed),
    ]
    for draw in draws:
        a = draw([1, 2])
        tf.random.normal([3])
        assert same(a, draw(tf.constant([1, 2])))
        assert same(a, draw(np.array([1, 2], np.int64)))
        assert not same(a, draw([2, 1]))


def test_seeds_from_seeds() -> None:
    children = tf.random.split([1, 2], 3).numpy()
    assert children.shape == (3, 2)
    folded = [tf.random.fold_in([1, 2], k).numpy() for k in range(3)]
    assert len({tuple(s) for s in (*children, *folded, (1, 2))}) == 7
    a, b = (tf.random.stateless_normal([N], s) for s in tf.random.split([1, 2]))
    assert abs(np.corrcoef(a.numpy(), b.numpy())[0, 1]) < 5 / np.sqrt(N)


def test_bad_arguments() -> None:
    for bad in ([1, 2, 3], 5, [[1, 2]]):
        with pytest.raises(ValueError, match=r"shape \(2,\)"):
            tf.random.stateless_normal([2], bad)
    with pytest.raises(TypeError, match="two integers"):
        tf.random.stateless_normal([2], [1.0, 2.0])
    with pytest.raises(ValueError, match="minval < maxval, got 5 and 3"):
        tf.random.uniform([2], 5, 3, dtype=tf.int32)
    with pytest.raises(ValueError, match="need minval and maxval"):
        tf.random.uniform([2], dtype=tf.int32)
    with pytest.raises(TypeError, match="not in int32"):
        tf.random.normal([2], dtype=tf.int32)
    with pytest.raises(TypeError, match="bool"):
        tf.random.uniform([2], dtype=tf.bool)
    with pytest.raises(ValueError, match=r"shape \(batch, classes\)"):
        tf.random.categorical([1.0, 2.0], 3)
    with pytest.raises(ValueError, match="all are -inf"):
        tf.random.categorical([[-np.inf, -np.inf]], 3)
    with pytest.raises(ValueError, match="alpha must be positive"):
        tf.random.gamma([2], -1.0)
    with pytest.raises(ValueError, match="broadcast"):
        tf.random.stateless_gamma([2], SEED, [1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match=r"tf\.cast"):
        tf.random.normal([2], tf.constant(1.0, tf.float64))


# --- replaying -------------------------------------------------------------------------------------------------------


def test_replaying_draws_the_same_and_leaves_no_trace() -> None:
    tf.random.normal([2], seed=5)
    generator = tf.random.Generator.from_seed(1)
    state = random_state()

    def draw():
        parts = (tf.random.normal([3]), tf.random.uniform([3], seed=5), generator.normal([3]), generator.uniform([2]))
        return np.concatenate([p.numpy() for p in parts])

    first = draw()
    with replayed(state):
        again = draw()
        with replayed(state):
            nested = draw()
        moved_on = draw()
    second = draw()
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(first, nested)
    assert not np.intersect1d(first, second).size
    np.testing.assert_array_equal(second, moved_on)  # the context went as far as the world outside had gone


def test_replaying_is_undone_by_an_error() -> None:
    state = random_state()
    a = tf.random.normal([3])
    with pytest.raises(KeyError), replayed(state):
        raise KeyError
    assert not same(a, tf.random.normal([3]))


def test_a_seed_set_while_replaying_ends_with_it() -> None:
    tf.random.set_seed(1)
    state = random_state()
    with replayed(state):
        tf.random.set_seed(9)
        tf.random.normal([2])
    a = tf.random.normal([3])
    tf.random.set_seed(1)
    assert same(a, tf.random.normal([3]))


def test_recompute_grad_replays_dropout() -> None:
    x = tf.Variable(tf.ones([50]))
    generator = tf.random.Generator.from_seed(3)

    @tf.recompute_grad
    def layer(x):
        noise = generator.normal([50])
        return tf.nn.dropout(x * noise, 0.5)

    with tf.GradientTape() as tape:
        y = layer(x)
    np.testing.assert_allclose(tape.gradient(y, x), y.numpy())


def test_threads_share_one_stream_without_losing_numbers() -> None:
    tf.random.set_seed(1)
    expected = {tuple(tf.random.uniform([2]).numpy()) for _ in range(400)}
    tf.random.set_seed(1)
    found: list[tuple[float, ...]] = []

    def work() -> None:
        found.extend(tuple(tf.random.uniform([2]).numpy()) for _ in range(100))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 400
    assert set(found) == expected


# --- derivatives -----------------------------------------------------------------------------------------------------


def gradient(function, *xs):
    xs = [tf.constant(x, tf.float64) for x in xs]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    return [None if g is None else g.numpy() for g in tape.gradient(y, xs)]


def test_normal_and_uniform_are_differentiable_by_their_parameters() -> None:
    noise = tf.random.stateless_normal([5], SEED, dtype=tf.float64).numpy()
    by_mean, by_stddev = gradient(lambda m, s: tf.random.stateless_normal([5], SEED, m, s, dtype=tf.float64), 1.0, 2.0)
    np.testing.assert_allclose([by_mean, by_stddev], [5.0, noise.sum()])
    noise = tf.random.stateless_uniform([5], SEED, dtype=tf.float64).numpy()
    low, high = gradient(lambda a, b: tf.random.stateless_uniform([5], SEED, a, b, dtype=tf.float64), -1.0, 2.0)
    np.testing.assert_allclose([low, high], [(1 - noise).sum(), noise.sum()])


@pytest.mark.parametrize("alpha", [0.05, 0.4, 1.0, 3.7, 60.0, 1000.0])
def test_gamma_samples_move_along_their_quantile(alpha) -> None:
    def draw(a):
        return tf.random.stateless_gamma([50], SEED, a, dtype=tf.float64)

    x = draw(alpha).numpy()
    by_alpha = gradient(draw, np.full(50, alpha))[0]
    h = 1e-5 * alpha
    upper = special.gammaincc(alpha, x)
    near = [special.gammainccinv(alpha + s * h, upper) for s in (-2, -1, 1, 2)]
    numeric = (near[0] - 8 * near[1] + 8 * near[2] - near[3]) / (12 * h)
    normal = x > 1e-30
    np.testing.assert_allclose(by_alpha[normal], numeric[normal], rtol=2e-6, atol=1e-9)


def test_gamma_gradient_estimates_the_derivative_of_an_expectation() -> None:
    alpha, beta = 2.5, 1.5  # E[x**2] = alpha (alpha + 1) / beta**2
    by_alpha, by_beta = gradient(
        lambda a, b: tf.reduce_mean(tf.random.gamma([20_000], a, b, dtype=tf.float64) ** 2), alpha, beta
    )
    np.testing.assert_allclose(by_alpha, (2 * alpha + 1) / beta**2, rtol=0.05)
    np.testing.assert_allclose(by_beta, -2 * alpha * (alpha + 1) / beta**3, rtol=0.05)


def test_gamma_derivatives_of_second_order_and_forward_mode() -> None:
    def draw(a):
        return tf.random.stateless_gamma([20], SEED, a, dtype=tf.float64)

    alpha = tf.constant(np.full(20, 1.7))
    x = draw(alpha).numpy()
    with tf.GradientTape() as outer:
        outer.watch(alpha)
        with tf.GradientTape() as inner:
            inner.watch(alpha)
            y = draw(alpha)
        first = inner.gradient(y, alpha)
    second = outer.gradient(first, alpha).numpy()
    h = 1e-3
    at = {s: special.gammainccinv(1.7 + s * h, special.gammaincc(1.7, x)) for s in (-2, -1, 0, 1, 2)}
    numeric = (-at[-2] + 16 * at[-1] - 30 * at[0] + 16 * at[1] - at[2]) / (12 * h * h)
    np.testing.assert_allclose(second, numeric, rtol=1e-5, atol=1e-6)
    with tf.autodiff.ForwardAccumulator(alpha, tf.ones_like(alpha)) as accumulator:
        y = draw(alpha)
    np.testing.assert_allclose(accumulator.jvp(y), first)


def test_what_has_no_derivative_says_so() -> None:
    for function in (tf.random.shuffle, lambda x: tf.random.poisson([2], x)):
        with pytest.raises(LookupError, match="which has none"):
            gradient(function, [1.0, 2.0])
    assert gradient(lambda x: tf.random.categorical(x, 2), [[1.0, 2.0]]) == [None]
    by_x = gradient(lambda x: tf.random.experimental.stateless_shuffle(x, SEED) * [1.0, 10.0, 100.0], [1.0, 2.0, 3.0])[
        0
    ]
    assert sorted(by_x) == [1.0, 10.0, 100.0]


# --- Generator -------------------------------------------------------------------------------------------------------


def test_generator_is_reproducible_and_independent_of_the_global_seed() -> None:
    a = tf.random.Generator.from_seed(1)
    first = [a.normal([3]), a.truncated_normal([3]), a.uniform([3]), a.binomial([3], 10, 0.5), a.uniform_full_int([3])]
    tf.random.set_seed(99)
    b = tf.random.Generator.from_seed(1)
    second = [b.normal([3]), b.truncated_normal([3]), b.uniform([3]), b.binomial([3], 10, 0.5), b.uniform_full_int([3])]
    assert all(map(same, first, second))
    assert not same(a.normal([3]), first[0])
    assert not same(tf.random.Generator.from_seed(2).normal([3]), first[0])
    assert not same(
        tf.random.Generator.from_seed([1, 2]).normal([3]), tf.random.Generator.from_seed([2, 1]).normal([3])
    )


def test_generator_state_can_be_kept_and_restored() -> None:
    g = tf.random.Generator.from_seed(5)
    g.normal([7])
    state = g.state.numpy()
    x = g.normal([3])
    g.reset(state)
    assert same(x, g.normal([3]))
    assert same(x, tf.random.Generator.from_state(state, "philox").normal([3]))
    g.reset(state)
    assert same(x, tf.random.Generator(copy_from=g).normal([3]))
    assert same(x, pickle.loads(pickle.dumps(g)).normal([3]))
    key, counter = g.key, state[:2]
    assert same(x, tf.random.Generator.from_key_counter(key, counter, "philox").normal([3]))
    g.reset_from_seed(5)
    h = tf.random.Generator.from_seed(5)
    h.skip(7)
    g.uniform([7])
    assert same(g.state, h.state)


def test_generators_split_off_are_independent() -> None:
    g = tf.random.Generator.from_seed(5)
    parts = g.split(3)
    drawn = [p.normal([N]).numpy() for p in (*parts, g)]
    correlation = np.corrcoef(drawn) - np.eye(4)
    assert abs(correlation).max() < 5 / np.sqrt(N)
    assert g.make_seeds(4).shape == (2, 4)


def test_global_generator() -> None:
    tf.random.set_global_generator(tf.random.Generator.from_seed(3))
    assert same(tf.random.get_global_generator().normal([2]), tf.random.Generator.from_seed(3).normal([2]))
    free = [tf.random.Generator.from_non_deterministic_state().normal([2]) for _ in range(2)]
    assert not same(*free)


def test_generator_rejects_what_is_no_state() -> None:
    with pytest.raises(ValueError, match="three integers"):
        tf.random.Generator.from_state([1, 2], "philox")
    with pytest.raises(ValueError, match="philox"):
        tf.random.Generator.from_seed(1, alg="threefry")
    with pytest.raises(ValueError, match="copy_from or state"):
        tf.random.Generator()


@settings(max_examples=30, deadline=None)
@given(shape=st.lists(st.integers(0, 4), max_size=3), seed=st.tuples(*[st.integers(-(2**63), 2**63 - 1)] * 2))
def test_any_shape_and_seed(shape, seed) -> None:
    seed = np.array(seed, np.int64)
    for draw in (tf.random.stateless_normal, tf.random.stateless_uniform, tf.random.stateless_truncated_normal):
        x = draw(shape, seed)
        assert x.shape == tuple(shape)
        assert same(x, draw(shape, seed))


# --- initialisers ----------------------------------------------------------------------------------------------------


def test_initializers() -> None:
    assert tf.zeros_initializer()([2, 2]).numpy().tolist() == [[0, 0], [0, 0]]
    assert tf.ones_initializer()([2], dtype=tf.int32).dtype == tf.int32
    assert tf.constant_initializer(3)([2], tf.float32).numpy().tolist() == [3.0, 3.0]
    with pytest.raises(ValueError, match="3 elements do not fill"):
        tf.constant_initializer([1, 2, 3])([2, 2])
    for make, low, high in (
        (lambda **k: tf.random_uniform_initializer(-1.0, 1.0, **k), -1, 1),
        (lambda **k: tf.random_normal_initializer(0.0, 0.1, **k), -1, 1),
    ):
        init = make(seed=4)
        assert same(init([5]), make(seed=4)([5]))
        assert not same(make()([5]), make()([5]))
        assert (low <= init([1000], tf.float64).numpy()).all()
        assert (init([1000], tf.float64).numpy() <= high).all()
        assert same(type(init).from_config(init.get_config())([5]), init([5]))


@pytest.mark.parametrize(
    ("name", "variance"),
    [
        ("GlorotUniform", 2 / 500),
        ("GlorotNormal", 2 / 500),
        ("HeUniform", 2 / 200),
        ("HeNormal", 2 / 200),
        ("LecunUniform", 1 / 200),
        ("LecunNormal", 1 / 200),
    ],
)
def test_scaled_variances(name, variance) -> None:
    init = getattr(tf.initializers, name)(seed=1)
    for shape in ([200, 300], [4, 50, 75]):
        w = init(shape).numpy().astype(np.float64)
        assert abs(w.mean()) < 5 * np.sqrt(variance / w.size)
        np.testing.assert_allclose(w.var(), variance, rtol=0.05)
    assert same(init([3, 4]), type(init).from_config(init.get_config())([3, 4]))


def test_orthogonal_and_identity() -> None:
    for shape in ([5, 3], [3, 5], [2, 2, 3]):
        w = tf.initializers.Orthogonal(2.0, seed=1)(shape, tf.float64).numpy().reshape(-1, shape[-1])
        small = w if w.shape[0] <= w.shape[1] else w.T
        np.testing.assert_allclose(small @ small.T, 4 * np.eye(len(small)), atol=1e-12)
    assert tf.initializers.Identity()([2, 3]).numpy().tolist() == [[1, 0, 0], [0, 1, 0]]
    for make in (tf.initializers.Orthogonal(), tf.initializers.Identity()):
        with pytest.raises(ValueError, match="shape"):
            make([3])
    with pytest.raises(ValueError, match="mode"):
        tf.initializers.VarianceScaling(mode="fan")
    with pytest.raises(ValueError, match="distribution"):
        tf.initializers.VarianceScaling(distribution="normal")
