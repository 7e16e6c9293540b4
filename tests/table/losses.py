"""Rows of wengert.primitives.losses."""

from __future__ import annotations

import numpy as np
from scipy import special

import wengert as tf
from tests.table.case import Case, draw

LOGITS = draw(3, 2, 4)
PROBABILITIES = special.softmax(draw(3, 2, 4, seed=1), -1)
UNNORMALISED = draw(3, 2, 4, low=0.1, high=1.0, seed=2)
CLASSES = np.array([[0, 3], [1, 1], [2, 0]], np.int32)
X, Z, Q = draw(3, 4, low=-4.0, high=4.0), draw(3, 4, low=0.05, high=0.95, seed=1), np.array(2.5)
COUNTS = draw(3, 4, low=1.5, high=4.0)


def _cross_entropy(z, x, axis=-1):
    return -np.sum(z * special.log_softmax(x, axis), axis)


def _sigmoid_cross_entropy(z, x, q=1.0):
    return -q * z * special.log_expit(x) - (1 - z) * special.log_expit(-x)


def _poisson(z, c):
    return np.exp(c) - z * c + z * np.log(z) - z + 0.5 * np.log(2 * np.pi * z)


CASES = [
    Case("softmax_cross_entropy", (PROBABILITIES, LOGITS), _cross_entropy),
    Case("softmax_cross_entropy", (UNNORMALISED, LOGITS), _cross_entropy, label="unnormalised"),
    Case(
        "softmax_cross_entropy",
        (UNNORMALISED, LOGITS),
        lambda z, x: _cross_entropy(z, x, 0),
        label="axis",
        call=lambda z, x: tf.nn.softmax_cross_entropy_with_logits(z, x, axis=0),
    ),
    Case(
        "softmax_cross_entropy",
        (UNNORMALISED[:, :1], LOGITS[0]),
        _cross_entropy,
        label="broadcast",
        call=tf.nn.softmax_cross_entropy_with_logits,
    ),
    Case(
        "sparse_softmax_cross_entropy",
        (CLASSES, LOGITS),
        lambda c, x: -np.take_along_axis(special.log_softmax(x, -1), c[..., None], -1)[..., 0],
    ),
    Case(
        "sparse_softmax_cross_entropy",
        (np.array(2), LOGITS[0, 0]),
        lambda c, x: -special.log_softmax(x)[c],
        label="one",
    ),
    Case("sigmoid_cross_entropy", (Z, X), _sigmoid_cross_entropy),
    Case(
        "softplus",
        (Z, X, Q),
        _sigmoid_cross_entropy,
        label="weighted_cross_entropy_with_logits",
        call=tf.nn.weighted_cross_entropy_with_logits,
        wrt=(0, 1, 2),
        broadcasts=False,
    ),
    Case(
        "exp",
        (COUNTS, X),
        lambda z, c: np.exp(c) - z * c,
        label="log_poisson_loss",
        call=tf.nn.log_poisson_loss,
        wrt=(0, 1),
        broadcasts=False,
        float32=1e-4,
    ),
    Case(
        "exp",
        (COUNTS, X),
        _poisson,
        label="log_poisson_loss-full",
        call=lambda z, c: tf.nn.log_poisson_loss(z, c, compute_full_loss=True),
        wrt=(0, 1),
        broadcasts=False,
        float32=1e-4,
    ),
    Case("square", (X,), lambda x: np.sum(x * x) / 2, label="l2_loss", call=tf.nn.l2_loss, broadcasts=False),
]
