"""Rows of wengert.primitives.convolve, against loops over every window."""

from __future__ import annotations

import itertools

import numpy as np

import wengert as tf
from tests.table.case import Case, draw, draw_complex


def correlated(x, filters, strides, dilations, padding, groups):
    """Channels-last convolution, window by window."""
    *taps, seen, count = filters.shape
    x = np.pad(x, [(0, 0), *padding, (0, 0)])
    sizes = [(n - (k - 1) * d - 1) // s + 1 for n, k, s, d in zip(x.shape[1:-1], taps, strides, dilations)]
    out = np.zeros((len(x), *sizes, count), np.result_type(x, filters))
    for place in itertools.product(*map(range, sizes)):
        window = x[
            (
                slice(None),
                *(slice(p * s, p * s + (k - 1) * d + 1, d) for p, s, k, d in zip(place, strides, taps, dilations)),
            )
        ]
        for f in range(count):
            first = f // (count // groups) * seen
            product = window[..., first : first + seen] * filters[..., f]
            out[(slice(None), *place, f)] = product.sum(axis=tuple(range(1, product.ndim)))
    return out


def by_basis(shape, function):
    """The gradient of a linear function: its value on each vector of the basis."""
    out = np.zeros(shape, np.result_type(function(np.zeros(shape))))
    for place in np.ndindex(*shape):
        basis = np.zeros(shape)
        basis[place] = 1
        out[place] = function(basis)
    return out


def transposed(g, filters, strides, dilations, padding, groups, shape):
    whole = (len(g), *shape, groups * filters.shape[-2])
    return by_basis(whole, lambda x: np.sum(correlated(x, filters, strides, dilations, padding, groups) * g))


def for_filters(x, g, strides, dilations, padding, groups, shape):
    whole = (*shape, x.shape[-1] // groups, g.shape[-1])
    return by_basis(whole, lambda w: np.sum(correlated(x, w, strides, dilations, padding, groups) * g))


GEOMETRIES = {
    "1d": ((2, 7, 3), (3, 3, 4), {"strides": (2,), "dilations": (1,), "padding": ((1, 1),), "groups": 1}),
    "2d": (
        (2, 5, 4, 2),
        (3, 2, 2, 3),
        {"strides": (1, 1), "dilations": (1, 1), "padding": ((1, 1), (0, 1)), "groups": 1},
    ),
    "strided": (
        (1, 6, 7, 2),
        (3, 3, 2, 2),
        {"strides": (2, 3), "dilations": (1, 2), "padding": ((0, 1), (2, 2)), "groups": 1},
    ),
    "groups": (
        (2, 4, 5, 4),
        (2, 2, 2, 4),
        {"strides": (1, 2), "dilations": (2, 1), "padding": ((1, 0), (0, 0)), "groups": 2},
    ),
    "depthwise": (
        (2, 4, 5, 2),
        (2, 3, 1, 4),
        {"strides": (2, 1), "dilations": (1, 2), "padding": ((1, 1), (0, 1)), "groups": 2},
    ),
    "3d": (
        (1, 3, 4, 3, 2),
        (2, 2, 2, 2, 2),
        {"strides": (1, 2, 1), "dilations": (1, 1, 2), "padding": ((0, 1), (1, 0), (1, 1)), "groups": 1},
    ),
}

CASES = []
for label, (x_shape, filters_shape, params) in GEOMETRIES.items():
    x, filters = draw(*x_shape), draw(*filters_shape, seed=1)
    g = draw(*correlated(x, filters, **params).shape, seed=2)
    n = len(x_shape) - 2
    CASES += [
        Case("convolution", (x, filters), correlated, params, label=label),
        Case("convolution_transpose", (g, filters), transposed, {**params, "shape": x_shape[1:-1]}, label=label),
        Case("convolution_for_filters", (x, g), for_filters, {**params, "shape": filters_shape[:n]}, label=label),
    ]


def same(n, k, s, d=1):
    """TensorFlow's padding "SAME"."""
    total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
    return total // 2, total - total // 2


def channels_first(x):
    return np.moveaxis(x, -1, 1)


IMAGE, FILTERS = draw(2, 5, 6, 2), draw(3, 2, 2, 3, seed=1)
SIGNAL = draw(2, 3, 6, 2)
CASES += [
    Case(
        "convolution",
        (draw_complex(1, 5, 2), draw_complex(2, 2, 2, seed=1)),
        correlated,
        {"strides": (1,), "dilations": (1,), "padding": ((0, 0),), "groups": 1},
        label="complex",
    ),
    Case(
        "convolution",
        (channels_first(IMAGE), FILTERS),
        lambda x, w: channels_first(
            correlated(np.moveaxis(x, 1, -1), w, (2, 2), (1, 1), (same(5, 3, 2), same(6, 2, 2)), 1)
        ),
        call=lambda x, w: tf.nn.conv2d(x, w, [1, 1, 2, 2], "SAME", data_format="NCHW"),
        label="conv2d-NCHW",
    ),
    Case(
        "convolution",
        (SIGNAL, draw(2, 2, 3)),
        lambda x, w: np.stack([correlated(part, w, (1,), (2,), ((0, 0),), 1) for part in x]),
        call=lambda x, w: tf.nn.conv1d(x, w, 1, "VALID", dilations=2),
        label="conv1d-batches",
    ),
    Case(
        "convolution",
        (IMAGE, draw(2, 3, 2, 2)),
        lambda x, w: correlated(x, w.reshape(2, 3, 1, 4), (1, 1), (1, 1), (same(5, 2, 1), same(6, 3, 1)), 2),
        call=lambda x, w: tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME"),
        label="depthwise_conv2d",
    ),
    Case(
        "convolution",
        (IMAGE, draw(2, 2, 2, 2), draw(1, 1, 4, 3)),
        lambda x, w, p: correlated(x, w.reshape(2, 2, 1, 4), (1, 1), (1, 1), ((0, 0), (0, 0)), 2) @ p[0, 0],
        call=lambda x, w, p: tf.nn.separable_conv2d(x, w, p, [1, 1, 1, 1], "VALID"),
        label="separable_conv2d",
    ),
    Case(
        "convolution",
        (IMAGE, FILTERS),
        lambda x, w: correlated(x, w, (1, 1), (2, 2), (same(5, 3, 1, 2), same(6, 2, 1, 2)), 1),
        call=lambda x, w: tf.nn.atrous_conv2d(x, w, 2, "SAME"),
        label="atrous_conv2d",
    ),
    Case(
        "convolution_transpose",
        (draw(1, 2, 3, 3), FILTERS),
        lambda g, w: transposed(g, w, (2, 2), (1, 1), (same(4, 3, 2), same(6, 2, 2)), 1, (4, 6)),
        call=lambda g, w: tf.nn.conv2d_transpose(g, w, [1, 4, 6, 2], 2),
        label="conv2d_transpose",
    ),
]
SERIES, OTHER = draw(7), draw(4, seed=1)
CASES += [
    Case(
        "convolution",
        (a, v),
        lambda a, v, f=f, mode=mode: f(a, v, mode),
        call=lambda a, v, f=f, mode=mode: f(a, v, mode),
        label=f"np-{f.__name__}-{mode}-{len(a)}-{len(v)}",
    )
    for f in (np.convolve, np.correlate)
    for a, v in ((SERIES, OTHER), (draw(3), SERIES))
    for mode in ("full", "same", "valid")
]
CASES += [
    Case(
        "convolution",
        (draw_complex(4), draw_complex(3, seed=1)),
        np.correlate,
        call=np.correlate,
        label="np-correlate-complex",
    ),
    Case(
        "convolution",
        (draw_complex(2), draw_complex(3, seed=1)),
        np.correlate,
        call=np.correlate,
        label="np-correlate-swapped",
    ),
]
