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
from wengert import (
    autodiff,
    bitwise,
    config,
    debugging,
    errors,
    experimental,
    image,
    initializers,
    linalg,
    math,
    nest,
    nn,
    numpy,
    random,
    signal,
    test,
)
from wengert.arrays.dtypes import DType, as_dtype
from wengert.arrays.shapes import TensorShape
from wengert.arrays.spec import TensorSpec
from wengert.gradients.clipping import clip_by_global_norm, clip_by_norm
from wengert.initializers import (
    constant_initializer,
    ones_initializer,
    random_normal_initializer,
    random_uniform_initializer,
    zeros_initializer,
)
from wengert.module import Module
from wengert.primitives import operators as _operators  # noqa: F401 - attaches Python's operators
from wengert.primitives import variable_parts as _parts  # noqa: F401 - attaches Variable.scatter_*
from wengert.primitives.activation import sigmoid
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
from wengert.primitives.arithmetic import divide as realdiv
from wengert.primitives.arithmetic import divide as truediv
from wengert.primitives.arithmetic import pow_ as pow
from wengert.primitives.assertions import Assert, assert_equal, assert_greater, assert_less, assert_rank
from wengert.primitives.compositions import scalar_mul
from wengert.primitives.contract import matmul, tensordot
from wengert.primitives.counting import histogram_fixed_width, histogram_fixed_width_bins
from wengert.primitives.creation import (
    eye,
    fill,
    linspace,
    meshgrid,
    ones,
    ones_like,
    sequence_mask,
    zeros,
    zeros_like,
)
from wengert.primitives.creation import range_ as range
from wengert.primitives.cumulative import cumsum
from wengert.primitives.einsum import einsum
from wengert.primitives.exponential import exp, sqrt
from wengert.primitives.extremes import argmax, argmin, reduce_max, reduce_min
from wengert.primitives.gather import boolean_mask, gather, gather_nd
from wengert.primitives.join import concat, repeat, split, stack, tile, unstack
from wengert.primitives.linalg_norm import norm
from wengert.primitives.logsumexp import reduce_logsumexp
from wengert.primitives.order import reverse, roll
from wengert.primitives.pad import pad
from wengert.primitives.partition import dynamic_partition, dynamic_stitch, unravel_index
from wengert.primitives.reduce import reduce_all, reduce_any, reduce_mean, reduce_prod, reduce_sum
from wengert.primitives.rounding import floor, truncatediv, truncatemod
from wengert.primitives.rounding import round_ as round
from wengert.primitives.scatter import (
    one_hot,
    scatter_nd,
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from wengert.primitives.shape import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
    broadcast_to,
    ensure_shape,
    expand_dims,
    identity,
    identity_n,
    rank,
    reshape,
    shape_n,
    size,
    squeeze,
    transpose,
)
from wengert.primitives.shape import shape_ as shape
from wengert.primitives.slice import slice_ as slice
from wengert.primitives.slice import strided_slice
from wengert.primitives.sort import argsort, searchsorted, sort, unique, unique_with_counts
from wengert.primitives.space import batch_to_space, space_to_batch
from wengert.primitives.space import space_to_batch as space_to_batch_nd
from wengert.primitives.trigonometric import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    sin,
    sinh,
    tan,
    tanh,
)
from wengert.public import plain_functions
from wengert.runtime import control_dependencies, device, executing_eagerly, name_scope, no_op, timestamp
from wengert.runtime import print_ as print
from wengert.tape.custom import custom_gradient, grad_pass_through, numpy_function, py_function, recompute_grad
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

__all__ = [
    "Assert",
    "DType",
    "GradientTape",
    "IndexedSlices",
    "Module",
    "Tensor",
    "TensorShape",
    "TensorSpec",
    "UnconnectedGradients",
    "Variable",
    "abs",
    "acos",
    "acosh",
    "add",
    "add_n",
    "argmax",
    "argmin",
    "argsort",
    "as_dtype",
    "asin",
    "asinh",
    "assert_equal",
    "assert_greater",
    "assert_less",
    "assert_rank",
    "atan",
    "atan2",
    "atanh",
    "autodiff",
    "batch_to_space",
    "bfloat16",
    "bitwise",
    "bool",
    "boolean_mask",
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "cast",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "complex",
    "complex64",
    "complex128",
    "concat",
    "config",
    "constant",
    "constant_initializer",
    "control_dependencies",
    "convert_to_tensor",
    "cos",
    "cosh",
    "cumsum",
    "custom_gradient",
    "debugging",
    "device",
    "divide",
    "double",
    "dynamic_partition",
    "dynamic_stitch",
    "einsum",
    "ensure_shape",
    "equal",
    "errors",
    "executing_eagerly",
    "exp",
    "expand_dims",
    "experimental",
    "eye",
    "fill",
    "float16",
    "float32",
    "float64",
    "floor",
    "gather",
    "gather_nd",
    "grad_pass_through",
    "greater",
    "greater_equal",
    "half",
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "identity",
    "identity_n",
    "image",
    "initializers",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_tensor",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "logical_and",
    "logical_not",
    "logical_or",
    "math",
    "matmul",
    "maximum",
    "meshgrid",
    "minimum",
    "multiply",
    "name_scope",
    "negative",
    "nest",
    "newaxis",
    "nn",
    "no_op",
    "norm",
    "not_equal",
    "numpy",
    "numpy_function",
    "one_hot",
    "ones",
    "ones_initializer",
    "ones_like",
    "pad",
    "pow",
    "print",
    "py_function",
    "random",
    "random_normal_initializer",
    "random_uniform_initializer",
    "range",
    "rank",
    "realdiv",
    "recompute_grad",
    "reduce_all",
    "reduce_any",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "repeat",
    "reshape",
    "reverse",
    "roll",
    "round",
    "scalar_mul",
    "scatter_nd",
    "searchsorted",
    "sequence_mask",
    "shape",
    "shape_n",
    "sigmoid",
    "sign",
    "signal",
    "sin",
    "sinh",
    "size",
    "slice",
    "sort",
    "space_to_batch",
    "space_to_batch_nd",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "stop_gradient",
    "strided_slice",
    "subtract",
    "tan",
    "tanh",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "tensordot",
    "test",
    "tile",
    "timestamp",
    "transpose",
    "truediv",
    "truncatediv",
    "truncatemod",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unique",
    "unique_with_counts",
    "unravel_index",
    "unstack",
    "where",
    "zeros",
    "zeros_initializer",
    "zeros_like",
]

plain_functions(globals())
