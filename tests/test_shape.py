"""Shapes, the order of elements, blocks of space, and what is known about shapes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, mutually_broadcastable_shapes

import wengert as tf
from tests.linear import assert_linear

SHAPES = array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=3)
quickly = settings(max_examples=30, deadline=None)


# --- drawn shapes against NumPy --------------------------------------------------------------------------------------


@quickly
@given(SHAPES, st.data())
def test_transpose_of_any_permutation(shape: tuple[int, ...], data: Any) -> None:
    perm = data.draw(st.permutations(range(len(shape))))
    assert_linear(lambda x: tf.transpose(x, perm), lambda x: np.transpose(x, perm), shape)
    negative = [k - len(shape) for k in perm]
    assert_linear(lambda x: tf.transpose(x, negative), lambda x: np.transpose(x, perm), shape)


@quickly
@given(SHAPES, st.data())
def test_reshape_to_any_shape(shape: tuple[int, ...], data: Any) -> None:
    target = list(data.draw(st.permutations(shape)))
    target.insert(data.draw(st.integers(0, len(target))), 1)
    if 0 not in shape and data.draw(st.booleans()):
        target[data.draw(st.integers(0, len(target) - 1))] = -1
    assert_linear(lambda x: tf.reshape(x, target), lambda x: np.reshape(x, target), shape)


@quickly
@given(mutually_broadcastable_shapes(num_shapes=2, max_dims=4, min_side=0, max_side=3))
def test_broadcast_to_any_shape(drawn: Any) -> None:
    small, whole = drawn.input_shapes[0], drawn.result_shape
    assert_linear(lambda x: tf.broadcast_to(x, whole), lambda x: np.broadcast_to(x, whole), small)


@quickly
@given(mutually_broadcastable_shapes(num_shapes=2, max_dims=4, min_side=0, max_side=3))
def test_broadcast_shapes_as_numpy(drawn: Any) -> None:
    x, y = drawn.input_shapes
    assert tf.broadcast_static_shape(x, y) == drawn.result_shape
    dynamic = tf.broadcast_dynamic_shape(tf.shape(tf.zeros(x)), tf.shape(tf.zeros(y)))
    assert (tuple(dynamic.numpy()), dynamic.dtype) == (drawn.result_shape, tf.int32)


@quickly
@given(SHAPES, st.data())
def test_expand_dims_and_squeeze(shape: tuple[int, ...], data: Any) -> None:
    axis = data.draw(st.integers(-len(shape) - 1, len(shape)))
    assert_linear(lambda x: tf.expand_dims(x, axis), lambda x: np.expand_dims(x, axis), shape)
    assert_linear(lambda x: tf.squeeze(tf.expand_dims(x, axis), axis), lambda x: x, shape)
    assert_linear(tf.squeeze, np.squeeze, shape)


@quickly
@given(SHAPES, st.data())
def test_reverse_and_roll(shape: tuple[int, ...], data: Any) -> None:
    axes = data.draw(st.lists(st.integers(0, len(shape) - 1), unique=True)) if shape else []
    shifts = [data.draw(st.integers(-5, 5)) for _ in axes]
    assert_linear(lambda x: tf.reverse(x, axes), lambda x: np.flip(x, tuple(axes)), shape)
    rolled = (lambda x: np.roll(x, tuple(shifts), tuple(axes))) if axes else np.array
    assert_linear(lambda x: tf.roll(x, shifts, axes), rolled, shape)


@quickly
@given(st.integers(0, 2), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.integers(1, 2))
def test_batch_to_space_undoes_space_to_batch(n: int, h: int, w: int, b1: int, b2: int) -> None:
    shape = (n, h, w, 2)
    pads = [[0, -h % b1], [-w % b2, 0]]

    def there_and_back(x: Any) -> Any:
        blocks = tf.space_to_batch(x, [b1, b2], pads)
        assert blocks.shape == (n * b1 * b2, (h + pads[0][1]) // b1, (w + pads[1][0]) // b2, 2)
        return tf.batch_to_space(blocks, [b1, b2], pads)

    assert_linear(there_and_back, lambda x: x, shape)


# --- dynamic shapes --------------------------------------------------------------------------------------------------


def test_reshape_to_a_shape_computed_from_tf_shape_has_the_static_gradient() -> None:
    w = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    def gradient(shape: Any) -> np.ndarray:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(
                tf.reshape(w, shape() if callable(shape) else shape) * tf.constant([[1.0], [2.0]]) ** 2
            )
        g = tape.gradient(loss, w)
        assert g.shape == w.shape
        return g.numpy()

    static = gradient([2, 3])
    np.testing.assert_array_equal(static, [[1, 1, 1], [4, 4, 4]])
    for dynamic in (
        lambda: tf.shape(w),
        lambda: [tf.shape(w)[0], tf.shape(w)[1]],
        lambda: [tf.shape(w)[0], 3],
        lambda: (2, tf.size(w) // tf.shape(w)[0]),
        lambda: [tf.shape(w)[0], -1],
        lambda: tf.concat([tf.shape(w)[:1], [-1]], 0),
        lambda: tf.stack([tf.shape(w)[0], tf.shape(w)[1]]),
        lambda: w.shape,
        lambda: np.array([2, 3]),
        lambda: tf.constant([2, 3], tf.int64),
    ):
        np.testing.assert_array_equal(gradient(dynamic), static)


def test_reshape_to_a_number_makes_a_vector() -> None:
    for shape in (4, -1, [4], tf.constant(4), np.int64(4), tf.constant([4])):
        assert tf.reshape([[1, 2], [3, 4]], shape).shape == (4,)


def test_shape_size_and_rank_are_int32_tensors() -> None:
    x = tf.zeros([2, 0, 3])
    assert (tf.shape(x).numpy().tolist(), tf.shape(x).dtype) == ([2, 0, 3], tf.int32)
    assert (tf.shape(x, out_type=tf.int64).dtype, tf.shape(5).shape) == (tf.int64, (0,))
    assert (int(tf.size(x)), tf.size(x).dtype, tf.size(x).shape, tf.size(x, tf.int64).dtype) == (
        0,
        tf.int32,
        (),
        tf.int64,
    )
    assert (int(tf.rank(x)), int(tf.rank(1.0)), tf.rank(x).dtype) == (3, 0, tf.int32)
    assert [s.numpy().tolist() for s in tf.shape_n([x, 1.0])] == [[2, 0, 3], []]


# --- views -----------------------------------------------------------------------------------------------------------

VIEWS = {
    "reshape": lambda x: tf.reshape(x, [3, 2]),
    "transpose": tf.transpose,
    "expand_dims": lambda x: tf.expand_dims(x, 0),
    "broadcast_to": lambda x: tf.broadcast_to(x, [2, 2, 3]),
    "reverse": lambda x: tf.reverse(x, [0]),
    "split": lambda x: tf.split(x, 3, axis=1)[1],
    "unstack": lambda x: tf.unstack(x)[1],
    "identity": tf.identity,
    "ravel": np.ravel,
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_a_view_shares_memory_and_lets_nobody_change_a_tensor(view: Any) -> None:
    x = tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    y = view(x)
    assert np.shares_memory(x._array, y._array)
    before = y.numpy()
    y.numpy()[...] = 99.0
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(y)[...] = 99.0
    with pytest.raises(TypeError, match="cannot be changed"):
        y[0] = 99.0
    x.assign(tf.zeros_like(x))
    x[0].assign([7.0, 7.0, 7.0])
    x.scatter_add(tf.IndexedSlices([[5.0, 5.0, 5.0]], [1]))
    np.testing.assert_array_equal(y.numpy(), before)


def test_the_array_a_tensor_was_made_from_is_not_shared() -> None:
    a = np.ones((2, 3))
    x = tf.reshape(a, [6])
    a[...] = 7.0
    np.testing.assert_array_equal(x.numpy(), np.ones(6))


# --- dtypes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8", "float16", "bfloat16", "complex64"])
def test_moving_elements_keeps_every_dtype(dtype: str) -> None:
    x = tf.cast(tf.reshape(tf.range(6), [2, 3]), dtype)
    for y in (
        tf.reshape(x, [-1]),
        tf.transpose(x),
        tf.concat([x, x], 0),
        tf.stack([x, x]),
        *tf.split(x, 3, axis=1),
        *tf.unstack(x),
        tf.tile(x, [2, 1]),
        tf.repeat(x, 2),
        tf.repeat(x, [1, 2], axis=0),
        tf.pad(x, [[1, 1], [0, 0]]),
        tf.pad(x, [[1, 1], [0, 0]], "REFLECT"),
        tf.reverse(x, [0]),
        tf.roll(x, 1, 0),
        tf.zeros_like(x),
        tf.ones_like(x),
        tf.fill([2], x[0, 1]),
    ):
        assert y.dtype == dtype
    assert tf.reshape(x, [-1])[4].numpy() == x.numpy()[1, 1]


def test_conjugate_transpose() -> None:
    z = np.array([[1 + 2j, 3.0]])
    np.testing.assert_array_equal(tf.transpose(z, conjugate=True).numpy(), z.conj().T)


# --- errors ----------------------------------------------------------------------------------------------------------

X = np.zeros((2, 3), np.float32)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.reshape(X, [5]), tf.errors.InvalidArgumentError, r"reshape: .*size 6 .*\(5,\).*float32\[2, 3\]"),
        (lambda: tf.reshape(X, [-1, 4]), tf.errors.InvalidArgumentError, "reshape"),
        (lambda: tf.reshape(X, [-1, -1]), tf.errors.InvalidArgumentError, "one unknown"),
        (lambda: tf.reshape(X, [2.5]), TypeError, "reshape: sizes and axes are integers, got 2.5"),
        (lambda: tf.reshape(X, [None, 3]), TypeError, "use -1"),
        (lambda: tf.reshape(X, tf.constant([6.0])), TypeError, "integers"),
        (lambda: tf.squeeze(X, 0), tf.errors.InvalidArgumentError, r"axis 0 of shape \(2, 3\) has size 2"),
        (lambda: tf.squeeze(X, 2), ValueError, "axis 2 is out of range"),
        (lambda: tf.expand_dims(X, 3), ValueError, "axis 3 is out of range"),
        (lambda: tf.expand_dims(X, -4), ValueError, "axis -4 is out of range"),
        (lambda: tf.transpose(X, [0, 0]), tf.errors.InvalidArgumentError, "not a permutation"),
        (lambda: tf.transpose(X, [0]), tf.errors.InvalidArgumentError, "not a permutation of the 2 axes"),
        (lambda: tf.transpose(X, [0, 2]), tf.errors.InvalidArgumentError, "out of range"),
        (lambda: tf.broadcast_to(X, [3, 3]), tf.errors.InvalidArgumentError, "broadcast_to"),
        (lambda: tf.broadcast_to(X, [3]), tf.errors.InvalidArgumentError, "broadcast_to"),
        (lambda: tf.broadcast_static_shape([2], [3]), ValueError, "do not broadcast"),
        (lambda: tf.broadcast_dynamic_shape([2], [3]), ValueError, "do not broadcast"),
        (
            lambda: tf.ensure_shape(X, [None, 2]),
            tf.errors.InvalidArgumentError,
            r"\(2, 3\), which does not fit \(None, 2\)",
        ),
        (lambda: tf.reverse(X, [2]), tf.errors.InvalidArgumentError, "axis 2 is out of range"),
        (lambda: tf.reverse(X, [0, 0]), tf.errors.InvalidArgumentError, "twice"),
        (lambda: tf.roll(X, [1, 2, 3], [0, 1]), tf.errors.InvalidArgumentError, "one shift for each axis"),
        (lambda: tf.roll(X, 1, 2), tf.errors.InvalidArgumentError, "axis 2 is out of range"),
        (lambda: tf.shape(X, out_type=tf.float32), TypeError, "int32 or int64"),
        (lambda: tf.space_to_batch(np.zeros((1, 3, 2, 1)), 2, [[0, 0], [0, 0]]), ValueError, "not divisible"),
        (lambda: tf.space_to_batch(X, [2, 2], [[0, 0]]), ValueError, "do not fit each other"),
        (lambda: tf.batch_to_space(np.zeros((3, 1, 1, 1)), [2, 2], [[0, 0], [0, 0]]), ValueError, "not divisible"),
        (
            lambda: tf.batch_to_space(np.zeros((4, 1, 1, 1)), [2, 2], [[2, 1], [0, 0]]),
            ValueError,
            "larger than the space",
        ),
        (lambda: tf.nn.space_to_depth(np.zeros((1, 3, 2, 1)), 2), ValueError, "not divisible"),
        (lambda: tf.nn.space_to_depth(np.zeros((1, 2, 2, 1)), 2, "HWCN"), ValueError, "data_format"),
        (lambda: tf.nn.space_to_depth(X, 2), ValueError, "4 axes"),
        (lambda: tf.nn.depth_to_space(np.zeros((1, 2, 2, 6)), 2), ValueError, "not divisible"),
    ],
)
def test_bad_input_is_explained(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


# --- TensorShape and TensorSpec --------------------------------------------------------------------------------------


def test_a_shape_of_unknown_rank() -> None:
    unknown = tf.TensorShape(None)
    assert (repr(unknown), str(unknown), unknown.rank, unknown.ndims, unknown.dims) == (
        "TensorShape(None)",
        "<unknown>",
        *[None] * 3,
    )
    assert unknown.is_compatible_with([1, 2]) and tf.TensorShape([1]).is_compatible_with(None)
    assert not unknown.is_fully_defined() and unknown.num_elements() is None and not unknown
    assert unknown == tf.TensorShape(None) and unknown != () and tf.TensorShape(()) != unknown
    assert unknown.concatenate([1]).rank is None and tf.TensorShape([1]).concatenate(None).rank is None
    assert tf.TensorShape(unknown).rank is None and pickle.loads(pickle.dumps(unknown)).rank is None
    for use in (len, list, tf.TensorShape.as_list):
        with pytest.raises(ValueError, match="unknown rank"):
            use(unknown)


def test_a_variable_of_unknown_shape_takes_any() -> None:
    v = tf.Variable([1.0], shape=tf.TensorShape(None))
    v.assign([[1.0, 2.0]])
    assert v.shape == (1, 2)


def test_broadcast_static_shape_with_unknown_sizes() -> None:
    assert tf.broadcast_static_shape(tf.TensorShape([None, 2]), tf.TensorShape([3, 1])) == [3, 2]
    assert tf.broadcast_static_shape(tf.TensorShape([None, 2]), tf.TensorShape([1, 1])) == [None, 2]
    assert tf.broadcast_static_shape(tf.TensorShape(None), tf.TensorShape([1])).rank is None


def test_tensor_spec_as_in_tensorflow() -> None:
    spec = tf.TensorSpec([None, 2], tf.float32, name="x")
    assert repr(spec) == "TensorSpec(shape=(None, 2), dtype=tf.float32, name='x')"
    assert repr(tf.TensorSpec(None, tf.int32)) == "TensorSpec(shape=<unknown>, dtype=tf.int32, name=None)"
    assert spec.is_compatible_with(tf.zeros([5, 2])) and spec.is_compatible_with(tf.TensorSpec([5, 2]))
    assert not spec.is_compatible_with(tf.zeros([5, 3])) and not spec.is_compatible_with(tf.zeros([5, 2], tf.int32))
    assert tf.TensorSpec(None).is_compatible_with(tf.zeros([1, 2, 3]))
    assert tf.TensorSpec([2]) == tf.TensorSpec((2,), "float32") and tf.TensorSpec([2]) != tf.TensorSpec([3])
    assert len({tf.TensorSpec([2]), tf.TensorSpec([2]), tf.TensorSpec(None)}) == 2
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert tf.TensorSpec.from_tensor(tf.zeros([4, 2]), "y") == tf.TensorSpec([4, 2], name="y")
    assert tf.TensorSpec.from_spec(spec) == spec
    with pytest.raises(AttributeError):
        spec.shape = ()
