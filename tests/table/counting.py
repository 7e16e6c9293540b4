"""Rows of wengert.primitives.counting."""

from __future__ import annotations

import numpy as np

from tests.table.case import Case, draw
from wengert.primitives.counting import bincount, confusion_matrix

LABELS, GUESSES = np.array([0, 2, 1, 2]), np.array([0, 1, 1, 2])
INT32 = np.dtype(np.int32)


def _confusion(weights):
    out = np.zeros((3, 3))
    np.add.at(out, (LABELS, GUESSES), weights)
    return out


CASES = [
    Case("occurrences", (LABELS,), lambda x, bins, dtype: np.bincount(x, minlength=bins), {"bins": 5, "dtype": INT32}),
    Case(
        "histogram_bins",
        (np.array([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]),),
        lambda x, **k: np.array([0, 0, 1, 2, 4, 4]),  # TensorFlow's documentation of histogram_fixed_width_bins
        {"low": 0.0, "high": 5.0, "bins": 5, "dtype": INT32},
    ),
    Case(
        "scatter_rows",
        (draw(4),),
        lambda w: np.bincount(LABELS, w),
        label="bincount-weights",
        call=lambda w: bincount(LABELS, w),
    ),
    Case(
        "scatter_rows",
        (draw(2, 2),),
        lambda w: np.array([[w[0, 0], 0.0], [0.0, w[1, 1]]]),
        label="bincount-batch",
        call=lambda w: bincount([[0, 2], [3, 1]], w, maxlength=2, axis=-1),
    ),
    Case(
        "scatter_rows",
        (draw(4),),
        _confusion,
        label="confusion-matrix-weights",
        call=lambda w: confusion_matrix(LABELS, GUESSES, weights=w, dtype=w.dtype),
    ),
]
