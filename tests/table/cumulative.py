"""Rows of wengert.primitives.cumulative and of the running logsumexp."""

from __future__ import annotations

import numpy as np

from tests.table.case import Case, draw, draw_complex

X, Y, Z = draw(3, 4), draw(3, 4, seed=1), draw_complex(5)
ZEROS = np.array([[1.5, -0.5, 2.0, 0.5], [2.0, 0.0, 3.0, -2.0], [0.0, 1.5, 0.0, 1.0], [0.0, 0.0, 0.0, 2.0]])
FORTH, BACK = {"axis": 1, "reverse": False}, {"axis": 0, "reverse": True}
LINE = {"axis": 0, "reverse": False}


def _running(accumulate):
    def reference(x, axis, reverse):
        return np.flip(accumulate(np.flip(x, axis), axis), axis) if reverse else accumulate(x, axis)

    return reference


def _recurrence(a, b, axis, reverse):
    a, b = np.moveaxis(a, axis, 0), np.moveaxis(b, axis, 0)
    out, state = np.zeros_like(b), 0 * b[0]
    for k in reversed(range(len(b))) if reverse else range(len(b)):
        state = out[k] = a[k] * state + b[k]
    return np.moveaxis(out, 0, axis)


def _shifted(x, axis, steps, fill):
    out = np.roll(x, steps, axis)
    moved = np.moveaxis(out, axis, 0)
    moved[slice(0, steps) if steps > 0 else slice(steps, None)] = fill
    return out


_sum, _product = _running(np.cumsum), _running(np.cumprod)
_logsumexp = _running(lambda x, axis: np.log(np.cumsum(np.exp(x), axis)))

CASES = [
    Case("shifted", (X,), _shifted, {"axis": 1, "steps": 1, "fill": 1.0}),
    Case("shifted", (X,), _shifted, {"axis": 0, "steps": -2, "fill": 0.0}, label="back"),
    Case("linear_recurrence", (X, Y), _recurrence, FORTH),
    Case("linear_recurrence", (X, Y), _recurrence, BACK, label="reverse"),
    Case("linear_recurrence", (X[0], Y[0]), _recurrence, LINE, label="line"),
    Case("linear_recurrence", (Z, Z[::-1].copy()), _recurrence, {"axis": 0, "reverse": True}, label="complex"),
    Case("running_sum", (X,), _sum, FORTH),
    Case("running_sum", (X,), _sum, BACK, label="reverse"),
    Case("running_sum", (Z,), _sum, LINE, label="complex"),
    Case("running_product", (X,), _product, FORTH),
    Case("running_product", (X,), _product, BACK, label="reverse"),
    Case("running_product", (Z,), _product, LINE, label="complex"),
    Case("running_product", (ZEROS,), _product, FORTH, label="zeros"),
    Case("running_product", (ZEROS,), _product, BACK, label="zeros-reverse"),
    Case("running_logsumexp", (X,), _logsumexp, FORTH),
    Case("running_logsumexp", (X,), _logsumexp, BACK, label="reverse"),
]
