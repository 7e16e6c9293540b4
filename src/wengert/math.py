"""Mathematical functions, under TensorFlow's name ``tf.math``."""

# one block a family; every name is explicit
from wengert.primitives.arithmetic import absolute as abs
from wengert.primitives.arithmetic import (
    add,
    add_n,
    conj,
    divide,
    divide_no_nan,
    equal,
    floordiv,
    floormod,
    greater,
    greater_equal,
    imag,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    multiply,
    multiply_no_nan,
    negative,
    not_equal,
    real,
    reciprocal,
    sign,
    square,
    squared_difference,
    subtract,
)
from wengert.primitives.arithmetic import floormod as mod
from wengert.primitives.arithmetic import pow_ as pow
from wengert.primitives.arithmetic import divide as truediv
from wengert.primitives.exponential import exp, log
from wengert.primitives.reduce import reduce_mean, reduce_sum
