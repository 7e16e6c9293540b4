"""Rows of wengert.primitives.activation."""

from __future__ import annotations

import numpy as np
from scipy import special

import wengert as tf
from tests.table.case import Case, draw, draw_complex

X, Z = draw(3, 4, low=-4.0, high=4.0), draw_complex(5)
WIDE = draw(3, 4, low=-3.0, high=9.0)


def _gelu(x, approximate):
    if approximate:
        return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    return x * special.ndtr(x)


CASES = [
    Case("sigmoid", (X,), special.expit),
    Case("sigmoid", (Z,), lambda z: 1 / (1 + np.exp(-z)), label="complex"),
    Case("softplus", (X,), lambda x: np.log(1 + np.exp(x))),
    Case("softplus", (X,), special.log_expit, label="log_sigmoid", call=tf.math.log_sigmoid),
    Case("absolute", (X,), lambda x: x / (1 + abs(x)), label="softsign", call=tf.nn.softsign),
    Case("relu", (X,), lambda x: np.where(x > 0, x, 0)),
    Case(
        "relu",
        (X,),
        lambda x: np.concatenate([x * (x > 0), -x * (x < 0)], 0),
        label="crelu",
        call=lambda x: tf.nn.crelu(x, axis=0),
        broadcasts=False,
    ),
    Case("relu6", (WIDE,), lambda x: np.clip(x, 0, 6)),
    Case("leaky_relu", (X,), lambda x, alpha: np.where(x > 0, x, alpha * x), {"alpha": 0.3}),
    Case(
        "leaky_relu",
        (X, np.array(0.3)),
        lambda x, alpha: np.where(x > 0, x, alpha * x),
        label="tensor",
        call=tf.nn.leaky_relu,
        wrt=(0, 1),
        broadcasts=False,
    ),
    Case("elu", (X,), lambda x: np.where(x > 0, x, np.exp(x) - 1)),
    Case("selu", (X,), lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * (np.exp(x) - 1))),
    Case("gelu", (X,), _gelu, {"approximate": False}),
    Case("gelu", (X,), _gelu, {"approximate": True}, label="approximate"),
    Case("silu", (X,), lambda x: x * special.expit(x)),
    Case(
        "silu",
        (X, np.array(1.7)),
        lambda x, b: x * special.expit(b * x),
        label="swish",
        call=tf.nn.swish,
        wrt=(0, 1),
        broadcasts=False,
    ),
]
