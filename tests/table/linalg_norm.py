"""Rows of wengert.primitives.linalg_norm, and of the clipping of gradients."""

from __future__ import annotations

import numpy as np

import wengert as tf
from tests.table.case import Case, draw, draw_complex


def _p_norm(x, order, axis, keepdims):
    return np.sum(np.abs(x) ** order, axis=axis, keepdims=keepdims) ** (1 / order)


CASES = [
    Case("power_norm", (draw(3, 4),), _p_norm, {"order": 3.0, "axis": (1,), "keepdims": False}),
    Case("power_norm", (draw(3, 4),), _p_norm, {"order": 1.5, "axis": (0, 1), "keepdims": True}, label="keepdims"),
    Case(
        "power_norm", (draw_complex(3, 4),), _p_norm, {"order": 2.5, "axis": (0,), "keepdims": False}, label="complex"
    ),
    *(
        Case(
            "euclidean_norm",
            (draw(2, 3, 4),),
            lambda x, o=order, a=axis: np.linalg.norm(x, None if o == "euclidean" else o, a),
            label=f"norm-{order}-{axis}",
            call=lambda x, o=order, a=axis: tf.norm(x, o, a),
        )
        for order, axis in [
            ("euclidean", None),
            (1, 1),
            (np.inf, -1),
            ("fro", (0, 2)),
            (1, (1, 2)),
            (np.inf, (2, 1)),
            (2, (0, 1)),
        ]
    ),
    Case(
        "euclidean_norm",
        (draw(2, 3),),
        lambda x: x / np.linalg.norm(x, axis=1, keepdims=True),
        label="l2_normalize",
        call=lambda x: tf.math.l2_normalize(x, 1),
    ),
    Case(
        "euclidean_norm",
        (draw_complex(2, 3),),
        lambda x: x / np.linalg.norm(x),
        label="l2_normalize-complex",
        call=lambda x: tf.math.l2_normalize(x),
    ),
    Case(
        "euclidean_norm",
        (draw(2, 3),),
        lambda x: x / np.sum(np.abs(x), 0),
        label="normalize",
        call=lambda x: tf.linalg.normalize(x, 1, 0)[0],
    ),
    Case(
        "euclidean_norm",
        (draw(2, 3), draw(4)),
        lambda x, y: np.hypot(np.linalg.norm(x), np.linalg.norm(y)),
        label="global_norm",
        call=lambda x, y: tf.linalg.global_norm([x, None, y]),
    ),
    Case(
        "euclidean_norm",
        (draw(2, 3),),
        lambda x: 2 * x / np.linalg.norm(x),
        label="clip_by_norm",
        call=lambda x: tf.clip_by_norm(x, 2.0),
    ),
    Case(
        "euclidean_norm",
        (draw(2, 3),),
        lambda x: x * np.minimum(1, 1.5 / np.linalg.norm(x, axis=1, keepdims=True)),
        label="clip_by_norm-axes",
        call=lambda x: tf.clip_by_norm(x, 1.5, axes=[1]),
    ),
    Case(
        "euclidean_norm",
        (draw(2, 3), draw(4)),
        lambda x, y: (
            x / np.hypot(np.linalg.norm(x), np.linalg.norm(y)),
            y / np.hypot(np.linalg.norm(x), np.linalg.norm(y)),
        ),
        label="clip_by_global_norm",
        call=lambda x, y: tuple(tf.clip_by_global_norm([x, y], 1.0)[0]),
    ),
]
