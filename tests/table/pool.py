"""Rows of wengert.primitives.pool, against loops over every window."""

from __future__ import annotations

import itertools

import numpy as np

import wengert as tf
from tests.table.case import Case, draw


def over_windows(function, x, window, strides, dilations, padding):
    """``function`` of the elements (those that exist) of each window and channel; its rows and their places."""
    spatial = x.shape[1:-1]
    sizes = [
        (n + sum(p) - (k - 1) * d - 1) // s + 1 for n, p, k, d, s in zip(spatial, padding, window, dilations, strides)
    ]
    out = np.zeros((len(x), *sizes, x.shape[-1]))
    for place in itertools.product(*map(range, sizes)):
        axes = [
            [i for i in range(p * s - lo, p * s - lo + (k - 1) * d + 1, d) if 0 <= i < n]
            for p, s, k, d, (lo, _), n in zip(place, strides, window, dilations, padding, spatial)
        ]
        grid = np.ix_(range(len(x)), *axes, range(x.shape[-1]))
        out[(slice(None), *place)] = function(x[grid].reshape(len(x), -1, x.shape[-1]), grid)
    return out


def largest(x, **geometry):
    return over_windows(lambda rows, grid: rows.max(axis=1), x, **geometry)


def mean(x, **geometry):
    return over_windows(lambda rows, grid: rows.mean(axis=1), x, **geometry)


def mean_transposed(g, *, shape, **geometry):
    out = np.zeros((len(g), *shape, g.shape[-1]))
    for place in np.ndindex(*out.shape):
        basis = np.zeros(out.shape)
        basis[place] = 1
        out[place] = np.sum(mean(basis, **geometry) * g)
    return out


def gathered(t, x, out, **geometry):
    def pick(rows, grid):
        others = t[grid].reshape(rows.shape)
        chosen = rows == rows.max(axis=1, keepdims=True)
        return np.sum(others * chosen, axis=1) / chosen.sum(axis=1)

    return over_windows(pick, x, **geometry)


def scattered(g, x, out, **geometry):
    result = np.zeros(x.shape)
    for place in np.ndindex(*x.shape):
        basis = np.zeros(x.shape)
        basis[place] = 1
        result[place] = np.sum(gathered(basis, x, out, **geometry) * g)
    return result


def argmax(x, *, with_batch, **geometry):
    flat = np.arange(x.size).reshape(x.shape)
    flat = flat if with_batch else flat % x[0].size

    def first(rows, grid):
        places = flat[grid].reshape(rows.shape)
        return np.take_along_axis(places, rows.argmax(axis=1)[:, None], axis=1)[:, 0]

    return over_windows(first, x, **geometry).astype(np.int64)


GEOMETRIES = {
    "1d": ((2, 7, 2), {"window": (3,), "strides": (2,), "dilations": (1,), "padding": ((1, 1),)}),
    "2d": ((2, 4, 5, 2), {"window": (2, 3), "strides": (2, 2), "dilations": (1, 1), "padding": ((0, 0), (1, 1))}),
    "dilated": ((1, 6, 5, 2), {"window": (2, 2), "strides": (1, 2), "dilations": (3, 2), "padding": ((1, 2), (0, 1))}),
    "3d": (
        (1, 3, 4, 3, 1),
        {"window": (2, 1, 2), "strides": (1, 2, 1), "dilations": (1, 1, 1), "padding": ((0, 1), (0, 0), (0, 0))},
    ),
}
TIES = np.array([1.0, 3.0, 3.0, 0.0, 3.0, 2.0, 2.0, 2.0]).reshape(1, 4, 2, 1)
TIED = {"window": (2, 2), "strides": (1, 1), "dilations": (1, 1), "padding": ((0, 1), (0, 0))}

CASES = []
for label, (shape, params) in GEOMETRIES.items():
    x = draw(*shape)
    out = largest(x, **params)
    g = draw(*out.shape, seed=1)
    CASES += [
        Case("max_pool", (x,), largest, params, label=label),
        Case("max_pool_gather", (draw(*shape, seed=2), x, out), gathered, params, label=label, wrt=(0,)),
        Case("max_pool_scatter", (g, x, out), scattered, params, label=label, wrt=(0,)),
        Case("max_pool_argmax", (x,), argmax, {**params, "with_batch": False}, label=label),
        Case("max_pool_argmax", (x,), argmax, {**params, "with_batch": True}, label=f"{label}-batch"),
        Case("average_pool", (x,), mean, params, label=label),
        Case("average_pool_transpose", (g,), mean_transposed, {**params, "shape": shape[1:-1]}, label=label),
    ]
OUT = largest(TIES, **TIED)
CASES += [
    Case("max_pool_gather", (draw(*TIES.shape), TIES, OUT), gathered, TIED, label="ties", wrt=(0,)),
    Case("max_pool_scatter", (draw(*OUT.shape), TIES, OUT), scattered, TIED, label="ties", wrt=(0,)),
]

IMAGE = draw(2, 5, 4, 2)
SAME = {"window": (3, 2), "strides": (2, 2), "dilations": (1, 1), "padding": ((1, 1), (0, 0))}
CASES += [
    Case(
        "max_pool",
        (np.moveaxis(IMAGE, -1, 1),),
        lambda x: np.moveaxis(largest(np.moveaxis(x, 1, -1), **SAME), -1, 1),
        call=lambda x: tf.nn.max_pool2d(x, [3, 2], 2, "SAME", data_format="NCHW"),
        label="max_pool2d-NCHW",
    ),
    Case(
        "max_pool",
        (IMAGE,),
        lambda x: largest(x, **SAME),
        call=lambda x: tf.nn.max_pool(x, [1, 3, 2, 1], [1, 2, 2, 1], "SAME"),
        label="max_pool",
    ),
    Case(
        "average_pool",
        (IMAGE,),
        lambda x: mean(x, **SAME),
        call=lambda x: tf.nn.avg_pool(x, [3, 2], 2, "SAME"),
        label="avg_pool",
    ),
    Case(
        "average_pool",
        (IMAGE,),
        lambda x: np.stack(
            [
                mean(part[None], window=(2,), strides=(1,), dilations=(2,), padding=((0, 0),))[0]
                for part in x.reshape(10, 4, 2)
            ]
        ).reshape(2, 5, 2, 2),
        call=lambda x: tf.nn.pool(x, [2], "AVG", dilations=[2]),
        label="pool-batches",
    ),
]
