"""Rows of wengert.primitives.random, random_seeds and generator: NumPy's Philox gives the numbers.

The distributions are checked in tests/test_random.py, and so is the derivative of gamma samples, of which finite
differences (of a sampler that rejects) say nothing.
"""

from __future__ import annotations

import numpy as np

import wengert as tf
from tests.table.case import Case, draw
from wengert.primitives.primitive import PRIMITIVES

SEED = np.array([12, -34], np.int64)
F32, F64, I32 = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32)
LOGITS = np.log(np.array([[0.2, 0.3, 0.5], [0.0, 1.0, 0.0]]) + 1e-300)


def philox(seed, purpose=0, counter=0):
    return np.random.Generator(
        np.random.Philox(key=seed.astype(np.int64).view(np.uint64), counter=[0, counter, 0, purpose])
    )


def _truncated(seed, shape, dtype):
    generator = philox(seed)
    x = generator.standard_normal(shape, dtype)
    while (abs(x) > 2).any():
        x[abs(x) > 2] = generator.standard_normal(int((abs(x) > 2).sum()), dtype)
    return x


def _categories(seed, logits, num, dtype):
    u = philox(seed).random((len(logits), num))
    p = np.exp(logits - logits.max(-1, keepdims=True))
    return np.stack([np.searchsorted(np.cumsum(row), v * row.sum(), side="right") for row, v in zip(p, u)])


def _fresh(seed):
    return philox(np.array([5, 0]), 3).bit_generator.random_raw(2).view(np.int64)


def _fresh_after_setting_the_seed(seed):
    tf.random.set_seed(5)
    return PRIMITIVES["fresh_seed"](seed=None)


CASES = [
    Case(
        "dropout",
        (draw(3, 4), draw(3, 4, low=0.0, high=1.0, seed=1)),
        lambda x, noise, rate: np.where(noise >= rate, x / (1 - rate), 0),
        {"rate": 0.3},
        wrt=(0,),
    ),
    Case(
        "split_seed",
        (SEED,),
        lambda s, num: philox(s, 1).bit_generator.random_raw(2 * num).view(np.int64).reshape(num, 2),
        {"num": 3},
    ),
    Case("fold_in", (SEED, np.array(7)), lambda s, d: philox(s, 2, 7).bit_generator.random_raw(2).view(np.int64)),
    Case("fresh_seed", (SEED,), _fresh, call=_fresh_after_setting_the_seed),
    Case(
        "random_normal",
        (SEED,),
        lambda s, shape, dtype: philox(s).standard_normal(shape, dtype),
        {"shape": (3, 4), "dtype": F32},
    ),
    Case(
        "random_normal",
        (SEED,),
        lambda s, shape, dtype: philox(s).standard_normal(shape),
        {"shape": (), "dtype": F64},
        label="scalar",
        float32=None,
    ),
    Case("random_truncated_normal", (SEED,), _truncated, {"shape": (300,), "dtype": F64}, float32=None),
    Case(
        "random_uniform",
        (SEED,),
        lambda s, shape, dtype: philox(s).random(shape, dtype),
        {"shape": (3, 4), "dtype": F32},
    ),
    Case(
        "random_integers",
        (SEED, np.array(-3), np.array(9)),
        lambda s, a, b, shape, dtype: philox(s).integers(a, b, shape, dtype),
        {"shape": (3, 4), "dtype": I32},
    ),
    Case(
        "random_bits",
        (SEED,),
        lambda s, shape, dtype: np.frombuffer(philox(s).bytes(48), dtype).reshape(shape),
        {"shape": (3, 4), "dtype": I32},
    ),
    Case("random_gamma", (SEED, draw(2, 3, low=0.5, high=3.0)), lambda s, a: philox(s).standard_gamma(a), wrt=()),
    Case(
        "random_poisson",
        (SEED, draw(3, low=0.5, high=3.0)),
        lambda s, lam, shape, dtype: philox(s).poisson(lam, shape),
        {"shape": (2, 3), "dtype": I32},
    ),
    Case(
        "random_binomial",
        (SEED, np.array(9), np.array(0.3)),
        lambda s, n, p, shape, dtype: philox(s).binomial(9, 0.3, shape),
        {"shape": (2, 3), "dtype": I32},
    ),
    Case("random_categorical", (SEED, LOGITS), _categories, {"num": 20, "dtype": I32}),
    Case("random_categorical", (SEED, LOGITS), _categories, {"num": 3, "dtype": I32}, label="few"),
    Case("random_permutation", (SEED,), lambda s, count: philox(s).permutation(count), {"count": 7}),
    Case("random_shuffle", (SEED, draw(5, 2)), lambda s, x: x[philox(s).permutation(5)]),
    Case("state_seed", (np.array([1, 2, 3]),), lambda s: _mixed(s)),
    Case("advanced_state", (np.array([-1, 2, 3]),), lambda s, count: np.array([count - 1, 3, 3]), {"count": 5}),
]


def _mixed(words):
    seed = np.array([len(words), 0])
    for word in words:
        seed = philox(seed, 2, int(word)).bit_generator.random_raw(2).view(np.int64)
    return seed
