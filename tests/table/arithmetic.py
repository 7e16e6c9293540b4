"""Rows of wengert.primitives.arithmetic and bitwise."""

from __future__ import annotations

import numpy as np

from tests.table.case import Case, draw, draw_complex

X, Y = draw(3, 4), draw(3, 4, seed=1)
POSITIVE = draw(3, 4, low=0.3, high=3.0, seed=2)
Z, W = draw_complex(5), draw_complex(5, seed=3)
INTS, COUNTS = np.array([7, -7, 3, 12], np.int32), np.array([2, 3, 1, 4], np.int32)
TRUTH, OTHER = np.array([True, False, True, False]), np.array([True, True, False, False])

CASES = [
    Case("negative", (X,), np.negative),
    Case("negative", (Z,), np.negative, label="complex"),
    Case("positive", (X,), np.positive),
    Case("identity", (X,), lambda x: x),
    Case("stop_gradient", (X,), lambda x: x),
    Case("add", (X, Y), np.add),
    Case("add", (Z, W), np.add, label="complex"),
    Case("subtract", (X, Y), np.subtract),
    Case("multiply", (X, Y), np.multiply),
    Case("multiply", (Z, W), np.multiply, label="complex"),
    Case("true_divide", (X, Y), np.divide),
    Case("true_divide", (Z, W), np.divide, label="complex"),
    Case("square", (X,), np.square),
    Case("square", (Z,), np.square, label="complex"),
    Case("reciprocal", (X,), np.reciprocal),
    Case("reciprocal", (Z,), np.reciprocal, label="complex"),
    Case("power", (POSITIVE, X), np.power),
    Case("power", (Z, W), np.power, label="complex"),
    Case("power", (X, np.full_like(X, 3.0)), np.power, label="negative-base", wrt=(0,)),
    Case("maximum", (X, Y), np.maximum),
    Case("minimum", (X, Y), np.minimum),
    Case("divide_no_nan", (X, Y), np.divide),
    Case("multiply_no_nan", (X, Y), np.multiply),
    Case("absolute", (X,), np.abs),
    Case("absolute", (Z,), np.abs, label="complex"),
    Case("sign", (X,), np.sign),
    Case("sign", (Z,), np.sign, label="complex"),
    Case("conj", (Z,), np.conj, label="complex"),
    Case("conj", (X,), lambda x: x),
    Case("real", (Z,), np.real, label="complex"),
    Case("imag", (Z,), np.imag, label="complex"),
    Case(
        "cast",
        (X,),
        lambda x, dtype: x.astype(dtype),
        {"dtype": np.dtype(np.complex128)},
        label="complex",
        float32=None,
    ),
    Case("cast", (Z,), lambda x, dtype: x.real, {"dtype": np.dtype(np.float64)}, label="real", float32=None),
    Case("cast_discrete", (X,), lambda x, dtype: x.astype(dtype), {"dtype": np.dtype(np.int32)}, float32=None),
    Case("where", (TRUTH, X[0], Y[0]), np.where),
    Case("clip", (X, np.full_like(X, -1.0), np.full_like(X, 1.1)), np.clip),
    Case("floor_divide", (X, Y), np.floor_divide),
    Case("floor_divide", (INTS, COUNTS), np.floor_divide, label="int"),
    Case("floormod", (X, Y), np.mod),
    Case("equal", (INTS, COUNTS), np.equal),
    Case("not_equal", (INTS, COUNTS), np.not_equal),
    Case("less", (X, Y), np.less),
    Case("less_equal", (X, Y), np.less_equal),
    Case("greater", (X, Y), np.greater),
    Case("greater_equal", (X, Y), np.greater_equal),
    Case("logical_and", (TRUTH, OTHER), np.logical_and),
    Case("logical_or", (TRUTH, OTHER), np.logical_or),
    Case("logical_xor", (TRUTH, OTHER), np.logical_xor),
    Case("logical_not", (TRUTH,), np.logical_not),
    Case("invert", (INTS,), np.invert),
    Case("bitwise_and", (INTS, COUNTS), np.bitwise_and),
    Case("bitwise_or", (INTS, COUNTS), np.bitwise_or),
    Case("bitwise_xor", (INTS, COUNTS), np.bitwise_xor),
    Case("left_shift", (INTS, COUNTS), np.left_shift),
    Case("right_shift", (INTS, COUNTS), np.right_shift),
]
