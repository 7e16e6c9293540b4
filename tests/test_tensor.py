"""Tensor, Variable, IndexedSlices: conversion, dtypes, operators, NumPy's protocols, and bad input."""

from __future__ import annotations

import copy
import operator
import pickle

import ml_dtypes
import numpy as np
import pytest

import wengert as tf
from wengert.errors import DTypeError, InvalidArgumentError

# --- conversion ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, tf.int32),
        (1.5, tf.float32),
        (True, tf.bool),
        (1j, tf.complex128),
        ([1, 2], tf.int32),
        ([1, 2.5], tf.float32),
        (2**40, tf.int64),
        ([], tf.float32),
        (np.float64(1.5), tf.float64),
        ([np.float64(1.5)], tf.float64),
        (np.arange(3), tf.int64),
        (np.arange(3, dtype=np.uint8), tf.uint8),
        (np.ones(2, ml_dtypes.bfloat16), tf.bfloat16),
        (np.ones(2, ">f4"), tf.float32),
    ],
)
def test_default_dtypes(value, dtype):
    assert tf.constant(value).dtype == dtype


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int8", "uint64", "bool", "complex64"])
def test_every_dtype_can_be_asked_for(dtype):
    t = tf.constant([False, True] if dtype == "bool" else [0, 1], dtype=dtype)
    assert t.dtype == dtype == t.numpy().dtype.name
    assert tf.as_dtype(dtype) is t.dtype


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1.5, tf.int32),
        (1j, tf.float32),
        (300, tf.uint8),
        ("text", None),
        ({"a": 1}, None),
        (["a", "b"], None),
        (object(), None),
    ],
)
def test_conversions_that_would_lose_something_raise(value, dtype):
    with pytest.raises(DTypeError, match="cannot convert"):
        tf.constant(value, dtype=dtype)


def test_ragged_lists_raise():
    with pytest.raises(InvalidArgumentError, match="equal lengths"):
        tf.constant([[1.0], [2.0, 3.0]])


def test_constant_fills_a_shape():
    assert tf.constant(2.0, shape=(2, 2)).numpy().tolist() == [[2.0, 2.0], [2.0, 2.0]]
    with pytest.raises(ValueError, match="do not fill"):
        tf.constant([1.0, 2.0], shape=(3,))


def test_lists_of_tensors_stack_differentiably():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.reduce_mean([[a, b], [b * b, 3.0]])
    assert [float(g) for g in tape.gradient(y, [a, b])] == [0.25, 1.25]


def test_conversion_of_a_tensor_keeps_its_identity():
    x = tf.constant(1.0)
    assert tf.convert_to_tensor(x) is x
    with pytest.raises(DTypeError, match=r"tf\.cast"):
        tf.convert_to_tensor(x, dtype=tf.float64)


def test_a_tensor_does_not_change_with_the_array_it_was_made_from():
    a = np.array([1.0, 2.0])
    x = tf.constant(a)
    a[:] = 0
    assert x.numpy().tolist() == [1.0, 2.0]


def test_numpy_gives_a_copy_and_asarray_a_read_only_view():
    x = tf.constant([1.0, 2.0])
    x.numpy()[0] = 9.0
    assert float(x[0]) == 1.0
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(x)[0] = 9.0


def test_a_tensor_cannot_be_changed_in_place():
    x = tf.constant([1.0, 2.0])
    with pytest.raises(TypeError, match="tensor_scatter_nd_update"):
        x[0] = 3.0


# --- properties and Python's protocols -------------------------------------------------------------------------------


def test_shape_is_a_tuple_with_conveniences():
    x = tf.constant(np.zeros((2, 3)))
    assert x.shape == (2, 3) == tuple(x.shape) and x.shape == [2, 3]
    assert x.shape.as_list() == [2, 3] and x.shape.rank == x.ndim == 2 and x.shape.num_elements() == x.size == 6
    assert repr(x.shape) == "TensorShape([2, 3])" and x.shape[0] == 2 and x.shape[1:] == [3]


def test_repr_and_str_are_tensorflows():
    x = tf.constant([1.0, 2.0])
    assert repr(x) == "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    assert str(x) == "tf.Tensor([1. 2.], shape=(2,), dtype=float32)"
    assert repr(tf.constant(1.5)) == "<tf.Tensor: shape=(), dtype=float32, numpy=1.5>"
    assert f"{tf.constant(1.23456):.2f}" == "1.23"


def test_python_numbers():
    assert float(tf.constant(1.5)) == 1.5 and int(tf.constant(7)) == 7 and complex(tf.constant(1 + 2j)) == 1 + 2j
    assert bool(tf.constant(True)) and not bool(tf.constant(0.0))
    assert [10, 20, 30][tf.constant(1)] == 20 and len(tf.constant([1, 2, 3])) == 3
    assert [int(v) for v in tf.constant([1, 2, 3])] == [1, 2, 3]


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lambda: bool(tf.constant([1, 2])), ValueError),
        (lambda: float(tf.constant([1.0, 2.0])), ValueError),
        (lambda: [1, 2][tf.constant(1.0)], TypeError),
        (lambda: len(tf.constant(1)), TypeError),
        (lambda: iter(tf.constant(1)), TypeError),
        (lambda: hash(tf.constant(1)), TypeError),
    ],
    ids=["bool", "float", "index", "len", "iter", "hash"],
)
def test_python_protocols_that_make_no_sense_raise(function, error):
    with pytest.raises(error):
        function()


def test_references_are_hashable():
    x, y = tf.constant(1.0), tf.constant(1.0)
    assert {x.ref(): "x", y.ref(): "y"}[x.ref()] == "x"
    assert x.ref().deref() is x and x.ref() != y.ref()


def test_pickle_and_copy():
    x, v = tf.constant([1.0, 2.0]), tf.Variable([1.0], name="v")
    assert pickle.loads(pickle.dumps(x)).numpy().tolist() == [1.0, 2.0]
    clone = copy.deepcopy(v)
    clone.assign([5.0])
    assert v.numpy().tolist() == [1.0] and clone.name == "v:0"


def test_dlpack_both_ways():
    x = tf.constant(np.arange(6.0).reshape(2, 3))
    assert np.from_dlpack(x).tolist() == x.numpy().tolist()
    back = tf.experimental.dlpack.from_dlpack(tf.experimental.dlpack.to_dlpack(x))
    assert back.numpy().tolist() == x.numpy().tolist()
    assert tf.experimental.dlpack.from_dlpack(np.arange(3.0)).dtype == tf.float64


# --- operators -------------------------------------------------------------------------------------------------------

ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.mod, operator.floordiv]


@pytest.mark.parametrize(
    "other",
    [2, 2.0, [2.0, 4.0], np.array([2.0, 4.0], "f"), tf.constant([2.0, 4.0])],
    ids=["int", "float", "list", "array", "tensor"],
)
@pytest.mark.parametrize("op", ARITHMETIC, ids=lambda op: op.__name__)
def test_operators_take_numbers_lists_and_arrays_on_either_side(op, other):
    x = tf.constant([3.0, 5.0])
    plain = other.numpy() if isinstance(other, tf.Tensor) else np.asarray(other, "f")
    for got, expected in ((op(x, other), op(x.numpy(), plain)), (op(other, x), op(plain, x.numpy()))):
        assert isinstance(got, tf.Tensor) and got.dtype == tf.float32
        np.testing.assert_allclose(got.numpy(), expected, rtol=1e-6)


def test_matmul_takes_lists_and_arrays_on_either_side():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert ([[1.0, 0.0]] @ x).numpy().tolist() == [[1.0, 2.0]]
    assert (x @ [[1.0], [0.0]]).numpy().tolist() == [[1.0], [3.0]]
    assert (np.eye(2, dtype="f") @ x).numpy().tolist() == x.numpy().tolist()


def test_comparison_is_elementwise_and_none_is_never_equal():
    x = tf.constant([1, 2, 3])
    assert (x == 2).numpy().tolist() == [False, True, False]
    assert (x != [1, 2, 4]).numpy().tolist() == [False, False, True]
    assert (x > 2).numpy().tolist() == [False, False, True]
    assert (x == None) is False and (x != None) is True  # noqa: E711
    assert (x == "a") is False


def test_logic_and_bits():
    t, i = tf.constant([True, False]), tf.constant([6, 3])
    assert (t & True).numpy().tolist() == [True, False] and (t | [True, True]).numpy().tolist() == [True, True]
    assert (~t).numpy().tolist() == [False, True] and (t ^ t).numpy().tolist() == [False, False]
    assert (i & 2).numpy().tolist() == [2, 2] and (~i).numpy().tolist() == [-7, -4]


def test_integers_divide_in_float64():
    y = tf.constant([1, 2]) / 2
    assert y.dtype == tf.float64 and y.numpy().tolist() == [0.5, 1.0]


@pytest.mark.parametrize("power", [2, 3, 0, -1, 0.5, 2.0])
def test_powers_by_python_numbers(power):
    x = tf.Variable([0.5, 2.0])
    with tf.GradientTape() as tape:
        y = x**power
    np.testing.assert_allclose(y.numpy(), x.numpy() ** power, rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), power * x.numpy() ** (power - 1.0), rtol=1e-6)


# --- dtype rules -----------------------------------------------------------------------------------------------------


def test_python_numbers_adopt_the_tensors_dtype():
    for dtype in (tf.float16, tf.bfloat16, tf.float32, tf.float64):
        assert (tf.constant(1.0, dtype) * 2.5).dtype == dtype
    assert (tf.constant(1, tf.int8) + 1).dtype == tf.int8


def test_a_float_does_not_silently_become_an_integer():
    with pytest.raises(TypeError, match=r"multiply: cannot convert 2.5"):
        tf.constant(1) * 2.5


def test_floats_promote_as_in_numpy():
    assert (tf.constant(1.0) * tf.constant(1.0, tf.float64)).dtype == tf.float64
    assert (tf.constant(1.0, tf.bfloat16) * tf.constant(1.0)).dtype == tf.float32
    assert (tf.constant(1.0) * tf.constant(1j, tf.complex64)).dtype == tf.complex64
    assert (tf.constant(1.0) * 1j).dtype == tf.complex64


def test_integer_and_floating_tensors_are_not_mixed():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"add: int32\[2\], float32\[\].*tf.cast") as caught:
        tf.constant([1, 2]) + tf.constant(1.0)
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, ValueError)
    with pytest.raises(tf.errors.InvalidArgumentError, match="boolean"):
        tf.constant(True) + tf.constant(1)


def test_numpys_integer_arrays_flow_into_float_mathematics():
    x = tf.constant([1.0, 2.0], tf.float64)
    for y in (x * np.array([1, 2]), np.array([1, 2]) * x, np.multiply(np.array([1, 2]), x)):
        assert y.dtype == tf.float64 and y.numpy().tolist() == [1.0, 4.0]


# --- NumPy's protocols -----------------------------------------------------------------------------------------------


def test_numpy_functions_record():
    x, y = tf.Variable([0.0, 1.0], dtype=tf.float64), tf.Variable([2.0, 3.0], dtype=tf.float64)
    with tf.GradientTape() as tape:
        z = np.sum(np.concatenate([np.sin(x), y * x]).reshape(2, 2).mean(axis=0))
    gx, gy = tape.gradient(z, [x, y])
    np.testing.assert_allclose(gx.numpy(), np.add(np.cos([0.0, 1.0]), [2.0, 3.0]) / 2)
    np.testing.assert_allclose(gy.numpy(), [0.0, 0.5])


def test_unknown_numpy_functions_name_the_nearest():
    x = tf.constant([1.0, 2.0])
    with pytest.raises(NotImplementedError, match=r"np.*is not available for tensors"):
        np.busday_count(x, x)


def test_numpy_out_argument_is_refused():
    x = tf.constant([1.0, 2.0])
    with pytest.raises(NotImplementedError, match="out="):
        np.sin(x, out=np.zeros(2))


def test_dtype_is_usable_in_numpy():
    x = tf.constant([1.0], tf.float32)
    assert np.zeros(2, x.dtype).dtype == np.float32
    assert np.finfo(x.dtype.as_numpy_dtype).eps == np.finfo(np.float32).eps
    assert x.dtype == np.float32 and x.dtype == "float32" and x.dtype != np.float64


# --- Variable --------------------------------------------------------------------------------------------------------


def test_variable_basics():
    v = tf.Variable(lambda: tf.zeros([2]), name="v", trainable=False)
    assert (v.name, v.trainable, v.shape, v.dtype) == ("v:0", False, (2,), tf.float32)
    assert v.assign([1.0, 2.0]) is v
    v.assign_add([1.0, 1.0]).assign_sub([0.5, 0.5])
    assert v.numpy().tolist() == [1.5, 2.5]
    assert v.read_value().numpy().tolist() == v.value().numpy().tolist() == [1.5, 2.5]
    assert repr(v) == "<tf.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([1.5, 2.5], dtype=float32)>"


def test_variable_parts_are_assigned():
    v = tf.Variable(np.zeros((3, 3), "f"))
    v[1].assign([1.0, 2.0, 3.0])
    v[:, 0].assign_add([5.0, 5.0, 5.0])
    v[2, 2].assign_sub(1.0)
    v[[0, 2], 1].assign([7.0, 8.0])
    assert v.numpy().tolist() == [[5, 7, 0], [6, 2, 3], [5, 8, -1]]


@pytest.mark.parametrize(
    "write",
    [
        lambda v: v.assign([1.0, 2.0, 3.0]),
        lambda v: v.assign_add([[1.0]]),
        lambda v: v.assign(np.array([1, 2j])),
        lambda v: v.assign("text"),
        lambda v: v[0].assign([1.0, 2.0]),
        lambda v: v[5].assign(1.0),
        lambda v: v.assign(tf.constant([1.0, 2.0], tf.float64)),
        lambda v: v.scatter_add(tf.IndexedSlices(tf.constant([1.0, 1.0]), tf.constant([0, 9]))),
    ],
    ids=["shape", "rank", "complex", "text", "part-shape", "part-index", "dtype", "scatter-index"],
)
def test_a_bad_assignment_changes_nothing(write):
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(ValueError):
        write(v)
    assert v.numpy().tolist() == [1.0, 2.0]


def test_assignment_errors_name_the_variable_and_the_shapes():
    v = tf.Variable([1.0, 2.0], name="weights")
    with pytest.raises(
        ValueError, match=r"assign on weights:0: the Variable has shape \(2,\), the value has shape \(3,\)"
    ):
        v.assign([1.0, 2.0, 3.0])


def test_a_variable_with_an_open_shape_takes_any():
    v = tf.Variable([1.0], shape=tf.TensorShape([None]))
    assert v.assign([1.0, 2.0, 3.0]).shape == (3,)


def test_a_variable_needs_a_value():
    with pytest.raises(ValueError, match="initial value"):
        tf.Variable()


def test_scatter_on_rows():
    v = tf.Variable(np.zeros((3, 2), "f"))
    rows = tf.IndexedSlices(tf.constant([[1.0, 1.0], [2.0, 2.0]]), tf.constant([1, 1]))
    assert v.scatter_add(rows).numpy().tolist() == [[0, 0], [3, 3], [0, 0]]
    assert v.scatter_sub(rows).numpy().tolist() == [[0, 0], [0, 0], [0, 0]]
    assert v.scatter_update(rows).numpy().tolist() == [[0, 0], [2, 2], [0, 0]]


def test_variables_are_not_tensors_but_work_as_operands():
    v = tf.Variable([1.0, 2.0])
    assert tf.is_tensor(v) and not isinstance(v, tf.Tensor)
    assert isinstance(v + 1.0, tf.Tensor) and isinstance(np.sin(v), tf.Tensor)


# --- IndexedSlices ---------------------------------------------------------------------------------------------------


def test_indexed_slices_sum_rows_named_twice():
    s = tf.IndexedSlices(tf.constant([[3.0], [4.0]]), tf.constant([0, 0]), dense_shape=(2, 1))
    assert tf.convert_to_tensor(s).numpy().tolist() == [[7.0], [0.0]]
    assert np.asarray(s).tolist() == [[7.0], [0.0]]
    assert s.shape == (2, 1) and s.dtype == tf.float32


def test_indexed_slices_without_a_shape_say_so():
    with pytest.raises(ValueError, match="dense_shape"):
        tf.convert_to_tensor(tf.IndexedSlices(tf.constant([[3.0]]), tf.constant([0])))


# --- errors ----------------------------------------------------------------------------------------------------------


def test_errors_name_the_operation_and_the_operands():
    with pytest.raises(ValueError, match=r"add: .*Operands: float32\[2\], float32\[3\]"):
        tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"matmul: .*Operands: float32\[1, 2\], float32\[3, 1\]"):
        tf.constant([[1.0, 2.0]]) @ tf.constant([[1.0], [2.0], [3.0]])


@pytest.mark.parametrize(
    "name", ["InvalidArgumentError", "UnimplementedError", "OutOfRangeError", "ResourceExhaustedError"]
)
def test_errors_have_a_message(name):
    error = getattr(tf.errors, name)("what happened")
    assert error.message == "what happened" and isinstance(error, tf.errors.OpError)


def test_iteration_is_one_step_on_the_tape():
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        rows = list(x)
        y = tf.reduce_sum(rows[0] * rows[2])
    assert len(tape) == 3
    assert tape.gradient(y, x).numpy().tolist() == [[5.0, 6.0], [0.0, 0.0], [1.0, 2.0]]
    assert list(tf.zeros([0, 2])) == []
