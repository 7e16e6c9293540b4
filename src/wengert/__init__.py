"""Wengert: a gradient tape for Python, with TensorFlow's spelling and no TensorFlow.

>>> import wengert as tf
>>> x = tf.Variable(3.0)
>>> with tf.GradientTape() as tape:
...     y = x * x
>>> float(tape.gradient(y, x))
6.0
"""

from __future__ import annotations

# one block a family; every name is explicit
from wengert import autodiff, bitwise, errors, math, nest, numpy
from wengert.arrays.dtypes import DType, as_dtype
from wengert.arrays.shapes import TensorShape
from wengert.primitives import operators as _operators
from wengert.primitives.arithmetic import absolute as abs
from wengert.primitives.arithmetic import (
    add,
    add_n,
    cast,
    clip_by_value,
    divide,
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    multiply,
    negative,
    not_equal,
    sign,
    square,
    stop_gradient,
    subtract,
    where,
)
from wengert.primitives.arithmetic import complex_ as complex
from wengert.primitives.arithmetic import pow_ as pow
from wengert.primitives.contract import matmul
from wengert.primitives.exponential import exp
from wengert.primitives.reduce import reduce_mean, reduce_sum
from wengert.primitives.shape import broadcast_to, expand_dims, identity, reshape, stack, transpose
from wengert.tape.gradient_tape import GradientTape, UnconnectedGradients
from wengert.tensor import IndexedSlices, Tensor, Variable, constant, convert_to_tensor, is_tensor

__version__ = "0.1.0"

float16, float32, float64, bfloat16 = map(as_dtype, ("float16", "float32", "float64", "bfloat16"))
half, double = float16, float64
int8, int16, int32, int64 = map(as_dtype, ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = map(as_dtype, ("uint8", "uint16", "uint32", "uint64"))
complex64, complex128 = map(as_dtype, ("complex64", "complex128"))
bool = as_dtype("bool")
newaxis = None
