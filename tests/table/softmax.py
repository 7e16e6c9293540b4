"""Rows of wengert.primitives.softmax."""

from __future__ import annotations

from scipy import special

import wengert as tf
from tests.table.case import Case, draw

X = draw(3, 4, 2)

CASES = [
    Case("softmax", (X,), special.softmax, {"axis": 1}),
    Case("softmax", (X[0, :, 0],), special.softmax, label="vector", call=tf.nn.softmax),
    Case("softmax", (X,), lambda x: special.softmax(x, -1), label="last", call=tf.nn.softmax),
    Case("softmax", (X[:, :, :0],), lambda x, axis: x, {"axis": 2}, label="empty"),
    Case("log_softmax", (X,), special.log_softmax, {"axis": 0}),
    Case("log_softmax", (X,), lambda x: special.log_softmax(x, -1), label="last", call=tf.nn.log_softmax),
]
