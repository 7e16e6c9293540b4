"""Rows of wengert.primitives.normalization, which are functions on top of other families' primitives."""

from __future__ import annotations

import numpy as np

import wengert as tf
from tests.table.case import Case, draw

X = draw(3, 4, 2)
MEAN, VARIANCE, OFFSET, SCALE = draw(2), draw(2, low=0.5, high=2.0), draw(2, seed=1), draw(2, seed=2)
WEIGHTS = draw(3, 4, 1, low=0.1, high=2.0)
IMAGES = draw(2, 1, 3, 5)


def _weighted(x, w):
    mean = np.average(x, (0, 1), np.broadcast_to(w, x.shape))
    return mean, np.average((x - mean) ** 2, (0, 1), np.broadcast_to(w, x.shape))


def _local_response(x):
    energy = np.stack([np.sum(x[..., max(c - 1, 0) : c + 2] ** 2, -1) for c in range(x.shape[-1])], -1)
    return x / (0.5 + 0.3 * energy) ** 0.75


CASES = [
    Case(
        "variance",
        (X,),
        lambda x: (x.mean((0, 1)), x.var((0, 1))),
        label="moments",
        call=lambda x: tf.nn.moments(x, [0, 1]),
    ),
    Case(
        "variance",
        (X,),
        lambda x: (x.mean(1, keepdims=True), x.var(1, keepdims=True)),
        label="moments-keepdims",
        call=lambda x: tf.nn.moments(x, [-2], keepdims=True),
    ),
    Case(
        "sum",
        (X, WEIGHTS),
        _weighted,
        label="weighted_moments",
        wrt=(0, 1),
        call=lambda x, w: tf.nn.weighted_moments(x, [0, 1], w),
    ),
    Case(
        "sum",
        (X,),
        lambda x: (x.mean(0), x.var(0)),
        label="normalize_moments",
        call=lambda x: tf.nn.normalize_moments(*tf.nn.sufficient_statistics(x, [0], shift=0.5)),
    ),
    Case(
        "rsqrt",
        (X, MEAN, VARIANCE, OFFSET, SCALE),
        lambda x, m, v, o, s: s * (x - m) / np.sqrt(v + 0.1) + o,
        label="batch_normalization",
        call=lambda *a: tf.nn.batch_normalization(*a, variance_epsilon=0.1),
        wrt=(0, 1, 2, 3, 4),
        broadcasts=False,
    ),
    Case(
        "rsqrt",
        (X, MEAN, VARIANCE),
        lambda x, m, v: (x - m) / np.sqrt(v),
        label="batch_normalization-plain",
        call=lambda *a: tf.nn.batch_normalization(*a, None, None, 0.0),
        wrt=(0, 1, 2),
        broadcasts=False,
    ),
    Case(
        "matmul",
        (IMAGES,),
        _local_response,
        label="local_response_normalization",
        call=lambda x: tf.nn.local_response_normalization(x, 1, 0.5, 0.3, 0.75),
    ),
    Case("add", (X, MEAN), np.add, label="bias_add", call=tf.nn.bias_add, broadcasts=False),
    Case(
        "add",
        (X, draw(4)),
        lambda x, b: x + b[:, None],
        label="bias_add-NCW",
        call=lambda x, b: tf.nn.bias_add(x, b, data_format="NCW"),
        broadcasts=False,
    ),
]
