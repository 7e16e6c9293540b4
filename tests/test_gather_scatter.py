"""Gathering, scattering, partitions, one-hot vectors and slices: gradients as rows, ties, edges, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)


def gradient(function: Any, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x)


# --- gradients as rows -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [tf.Variable, tf.constant])
@pytest.mark.parametrize(
    ("function", "indices", "values"),
    [  # as TensorFlow 2.21 gives them
        (lambda x: tf.gather(x, [[0, 0], [1, 2]]), [0, 0, 1, 2], np.ones((4, 2))),
        (lambda x: tf.gather(x, 1), [1], np.ones((1, 2))),
        (lambda x: tf.gather_nd(x, [[0], [1]]), [0, 1], np.ones((2, 2))),
        (lambda x: tf.nn.embedding_lookup(x, [2, 0]) * 3.0, [2, 0], np.full((2, 2), 3.0)),
        (
            lambda x: tf.nn.embedding_lookup(x, [0, 0], max_norm=1.0),
            [0, 0],
            [[0.17888546, -0.08944267], [0.17888546, -0.08944267]],
        ),
    ],
)
def test_lookup_gives_rows(make: Any, function: Any, indices: Any, values: Any) -> None:
    got = gradient(function, make(X))
    assert isinstance(got, tf.IndexedSlices)
    assert got.indices.numpy().tolist() == indices
    np.testing.assert_allclose(got.values.numpy(), values, rtol=1e-5)
    assert (got.shape, got.dtype) == ((3, 2), tf.float32)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: tf.gather(x, [0], axis=1), [[1, 0], [1, 0], [1, 0]]),
        (lambda x: tf.gather(x, [[0], [1], [1]], batch_dims=1), [[1, 0], [0, 1], [0, 1]]),
        (lambda x: tf.gather_nd(x, [[0, 1]]), [[0, 1], [0, 0], [0, 0]]),
        (lambda x: tf.boolean_mask(x, [True, False, True]), [[1, 1], [0, 0], [1, 1]]),
        (lambda x: x[1], [[0, 0], [1, 1], [0, 0]]),
        (lambda x: tf.gather(x, [0])[0, 0] + tf.reduce_sum(x), [[2, 1], [1, 1], [1, 1]]),
    ],
)
def test_other_gradients_are_dense(function: Any, expected: Any) -> None:
    got = gradient(function, tf.Variable(X))
    assert isinstance(got, tf.Tensor)
    assert got.numpy().tolist() == expected


def test_rows_of_several_lookups_are_joined() -> None:
    v = tf.Variable(X)
    with tf.GradientTape() as tape:
        y = [tf.gather(v, [0, 2]), 2.0 * tf.gather(v, 0)]
    got = tape.gradient(y, v)
    assert isinstance(got, tf.IndexedSlices)
    assert tf.convert_to_tensor(got).numpy().tolist() == [[3, 3], [0, 0], [1, 1]]


@pytest.mark.parametrize("also_dense", [False, True])
def test_rows_flow_on_through_intermediate_tensors(also_dense: bool) -> None:
    v = tf.Variable(X)
    with tf.GradientTape(persistent=True) as tape:
        w = v * 2.0
        y = tf.reduce_sum(tf.gather(w, [0, 0])) + (tf.reduce_sum(w) if also_dense else 0.0)
    one = 1.0 * also_dense
    expected = np.array([[2 + one] * 2, [one] * 2, [one] * 2])
    by_v, by_w = tape.gradient(y, [v, w])
    np.testing.assert_array_equal(tf.convert_to_tensor(by_w).numpy(), expected)
    np.testing.assert_array_equal(by_v.numpy(), 2 * expected)
    np.testing.assert_array_equal(tape.gradient(y, v).numpy(), 2 * expected)
    assert isinstance(tape.gradient(y, w), tf.Tensor if also_dense else tf.IndexedSlices)


def test_second_derivative_through_rows() -> None:
    v = tf.Variable(X)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.gather(v, [0, 0, 2]) ** 3)
        first = inner.gradient(y, v)
        assert isinstance(first, tf.IndexedSlices)
        total = tf.reduce_sum(tf.convert_to_tensor(first))
    second = tf.convert_to_tensor(outer.gradient(total, v)).numpy()
    np.testing.assert_allclose(second, 6 * X * [[2], [0], [1]])


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float64, tf.complex64])
def test_rows_have_the_dtype_of_the_table(dtype: Any) -> None:
    got = gradient(lambda x: tf.gather(x, [0, 0, 1]), tf.Variable(tf.cast(X, dtype)))
    assert got.dtype == got.dense().dtype == dtype
    assert got.dense().numpy().tolist() == [[2, 2], [1, 1], [0, 0]]


# --- values against NumPy --------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_gather_with_any_axes(data: Any) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=4)))
    batch = data.draw(st.integers(0, len(shape) - 1))
    axis = data.draw(st.integers(batch, len(shape) - 1))
    rest = tuple(data.draw(st.lists(st.integers(0, 2), max_size=2)))
    rng = np.random.default_rng(0)
    x = rng.standard_normal(shape)
    indices = rng.integers(0, shape[axis], shape[:batch] + rest)
    expected = np.empty(shape[:axis] + rest + shape[axis + 1 :])
    for place in np.ndindex(*shape[:batch]):
        expected[place] = np.take(x[place], indices[place], axis=axis - batch)
    v = tf.Variable(x)
    seed = rng.standard_normal(expected.shape)
    with tf.GradientTape() as tape:
        got = tf.gather(v, indices, axis=axis, batch_dims=batch)
    np.testing.assert_array_equal(got.numpy(), expected)
    pulled = tf.convert_to_tensor(tape.gradient(got, v, output_gradients=tf.constant(seed))).numpy()
    direction = rng.standard_normal(shape)
    along = tf.gather(direction, indices, axis=axis, batch_dims=batch).numpy()
    assert abs((pulled * direction).sum() - (seed * along).sum()) < 1e-10


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_scatter_nd_family(data: Any) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    depth = data.draw(st.integers(1, len(shape)))
    rows = tuple(data.draw(st.lists(st.integers(0, 4), max_size=2)))
    rng = np.random.default_rng(1)
    places = np.stack([rng.integers(0, n, rows) for n in shape[:depth]], axis=-1)
    key = tuple(places[..., k] for k in range(depth))
    x, updates = rng.standard_normal(shape), rng.standard_normal(rows + shape[depth:])
    for name, ufunc in (("add", np.add), ("sub", np.subtract), ("max", np.maximum), ("min", np.minimum)):
        expected = x.copy()
        ufunc.at(expected, key, updates)
        got = getattr(tf, f"tensor_scatter_nd_{name}")(x, places, updates)
        np.testing.assert_allclose(got.numpy(), expected, rtol=1e-12)
    expected = x.copy()
    expected[key] = updates
    np.testing.assert_array_equal(tf.tensor_scatter_nd_update(x, places, updates).numpy(), expected)
    np.testing.assert_array_equal(tf.gather_nd(x, places).numpy(), x[key])
    summed = np.zeros(shape)
    np.add.at(summed, key, updates)
    np.testing.assert_allclose(tf.scatter_nd(places, updates, shape).numpy(), summed, rtol=1e-12)


def test_overwritten_updates_get_no_gradient() -> None:
    x, updates = tf.Variable(X[:, 0]), tf.Variable([7.0, 8.0, 9.0])
    with tf.GradientTape() as tape:
        y = tf.tensor_scatter_nd_update(x, [[1], [0], [1]], updates)
    by_x, by_updates = tape.gradient(y, [x, updates])
    assert y.numpy().tolist() == [8, 9, 5]
    assert by_x.numpy().tolist() == [0, 0, 1]
    assert by_updates.numpy().tolist() == [0, 1, 1]


@pytest.mark.parametrize("name", ["max", "min"])
def test_ties_of_scattered_extremes_share_mass_one(name: str) -> None:
    x, updates = tf.Variable([0.0, 0.0]), tf.Variable([0.0, 0.0, 5.0 if name == "min" else -5.0])
    with tf.GradientTape() as tape:
        y = getattr(tf, f"tensor_scatter_nd_{name}")(x, [[0], [0], [0]], updates)
    by_x, by_updates = tape.gradient(y, [x, updates])
    np.testing.assert_allclose(by_x.numpy(), [1 / 3, 1])
    np.testing.assert_allclose(by_updates.numpy(), [1 / 3, 1 / 3, 0])


def test_scatter_does_not_let_infinities_leak() -> None:
    x = tf.Variable([1.0, float("inf"), 2.0])
    got = gradient(lambda x: tf.tensor_scatter_nd_update(x, [[1]], [0.0]), x)
    assert got.numpy().tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("call", "expected"),
    [  # values of TensorFlow 2.21
        (lambda: tf.one_hot([0, 2, -1, 7], 3), [[1, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]]),
        (lambda: tf.one_hot([0, 2], 3, axis=0), [[1, 0], [0, 0], [0, 1]]),
        (lambda: tf.one_hot([0, 2], 3, on_value=5, off_value=-1), [[5, -1, -1], [-1, -1, 5]]),
        (lambda: tf.one_hot([0, 2], 3, on_value=5), [[5, 0, 0], [0, 0, 5]]),
        (lambda: tf.one_hot([0], 2, on_value=True, off_value=False), [[True, False]]),
        (lambda: tf.one_hot(1, 3, dtype=tf.float64), [0, 1, 0]),
        (lambda: tf.gather_nd(X, np.zeros((2, 0), np.int32)), [X.tolist()] * 2),
        (lambda: tf.gather_nd(X, [0, 1]), 2.0),
        (lambda: tf.scatter_nd([[0], [0], [2]], [1.0, 2.0, 3.0], [4]), [3, 0, 3, 0]),
        (lambda: tf.scatter_nd([1], [1.0, 2.0], [2, 2]), [[0, 0], [1, 2]]),
        (lambda: tf.dynamic_stitch([[0, 3]], [[1.0, 2.0]]), [1, 0, 0, 2]),
        (lambda: tf.dynamic_stitch([[0, 2], [1, 2]], [[1.0, 2.0], [3.0, 4.0]]), [1, 3, 4]),
        (lambda: tf.dynamic_stitch([0, [[1, 2]]], [[1, 2], np.ones((1, 2, 2), np.int32)]), [[1, 2], [1, 1], [1, 1]]),
        (lambda: tf.dynamic_partition(X, [[1, 0], [0, 0], [1, 1]], 2)[1], [1, 5, 6]),
        (lambda: tf.boolean_mask(X, [1, 0, 1]), [[1, 2], [5, 6]]),
        (lambda: tf.boolean_mask(X, X > 3), [4, 5, 6]),
        (lambda: tf.slice(X, [1, 0], [-1, 1]), [[3], [5]]),
        (lambda: tf.strided_slice(X, [0], [3], [2]), [[1, 2], [5, 6]]),
        (lambda: tf.strided_slice(X, [-1], [-4], [-1]), [[5, 6], [3, 4], [1, 2]]),
        (lambda: tf.strided_slice(X, [1, 0], [2, 2], shrink_axis_mask=1), [3, 4]),
        (lambda: tf.strided_slice(X, [0, 0], [1, 1], new_axis_mask=1), [[[1, 2]]]),
        (lambda: tf.strided_slice(X, [0, 0], [1, 1], ellipsis_mask=1), [[1], [3], [5]]),
        (lambda: tf.unravel_index([2, 5, 7], [3, 3]), [[0, 1, 2], [2, 2, 1]]),
        (lambda: tf.unravel_index(5, [3, 3]), [1, 2]),
        (lambda: tf.math.invert_permutation([2, 0, 1]), [1, 2, 0]),
        (lambda: tf.nn.embedding_lookup([X, X + 10], [0, 1, 3, 5]), [[1, 2], [3, 4], [11, 12], [15, 16]]),
        (lambda: tf.gather(X, []), np.zeros((0, 2)).tolist()),
    ],
)
def test_value(call: Any, expected: Any) -> None:
    assert call().numpy().tolist() == expected


def test_one_hot_has_the_dtype_of_its_values() -> None:
    assert tf.one_hot([0], 2).dtype == tf.float32
    assert tf.one_hot([0], 2, on_value=1).dtype == tf.int32
    assert tf.one_hot([0], 2, on_value=np.float64(1)).dtype == tf.float64
    assert tf.one_hot([0], 2, dtype=tf.int64).dtype == tf.int64


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.gather(X, [-1]), IndexError, r"gather: indices\[0\] = -1 is not in \[0, 3\)"),
        (lambda: tf.gather(X, [[0, 3]]), IndexError, r"gather: indices\[0, 1\] = 3 is not in \[0, 3\)"),
        (lambda: tf.gather(X, 3), IndexError, r"gather: indices = 3"),
        (lambda: tf.gather(X, [0.0]), TypeError, "gather: indices must be integers"),
        (lambda: tf.gather(X, [0], axis=2), ValueError, "gather: axis 2"),
        (lambda: tf.gather(X, [[0], [1]], batch_dims=1), ValueError, "begin with the same sizes"),
        (lambda: tf.gather(X, [[0], [1], [1]], axis=0, batch_dims=1), ValueError, "batch_dims"),
        (lambda: tf.gather(X, [0], batch_dims=3), ValueError, "batch_dims 3"),
        (lambda: tf.gather_nd(X, [[0, 1], [2, 5]]), IndexError, r"indices\[1\] = \[2, 5\] does not index into"),
        (lambda: tf.gather_nd(X, [[0, -1]]), IndexError, r"\[0, -1\]"),
        (lambda: tf.gather_nd(X, [[0, 0, 0]]), ValueError, "gather_nd"),
        (lambda: tf.gather_nd(X, 1), ValueError, "at least one axis"),
        (lambda: tf.gather_nd(X, [[0]], batch_dims=1), ValueError, "batch_dims"),
        (lambda: tf.scatter_nd([[4]], [1.0], [4]), IndexError, r"\[4\] does not index into"),
        (lambda: tf.scatter_nd([[0], [3]], [1.0], [4]), ValueError, r"updates of shape \(2,\)"),
        (lambda: tf.tensor_scatter_nd_update([0.0], [[1]], [1.0]), IndexError, "tensor_scatter_nd_update"),
        (lambda: tf.tensor_scatter_nd_max([1j], [[0]], [1j]), TypeError, "no order"),
        (lambda: tf.boolean_mask(X, [True, False]), ValueError, "boolean_mask"),
        (lambda: tf.boolean_mask(X, True), ValueError, "scalar"),
        (lambda: tf.boolean_mask(X, [0.5, 1.0, 1.0]), TypeError, "boolean_mask"),
        (lambda: tf.one_hot([0.0], 3), TypeError, "one_hot"),
        (lambda: tf.one_hot([0], -1), ValueError, "depth"),
        (lambda: tf.one_hot([0], 2, on_value=np.float32(1), dtype=tf.int32), TypeError, "on_value"),
        (lambda: tf.one_hot([0], 2, on_value=1.0, dtype=tf.int32), TypeError, "one_hot"),
        (lambda: tf.one_hot([0], 2, axis=2), ValueError, "one_hot: axis 2"),
        (lambda: tf.one_hot([0], 2, on_value=[1.0, 2.0]), ValueError, "scalars"),
        (lambda: tf.dynamic_partition(X, [1, 0, 2], 2), IndexError, r"partitions\[2\] = 2"),
        (lambda: tf.dynamic_partition(X, [1, 0], 2), ValueError, "dynamic_partition"),
        (lambda: tf.dynamic_stitch([[0]], [[1.0], [2.0]]), ValueError, "1 and 2"),
        (lambda: tf.dynamic_stitch([[0], [1]], [[1.0], [[2.0]]]), ValueError, "rows of shape"),
        (lambda: tf.dynamic_stitch([[-1]], [[1.0]]), ValueError, "negative"),
        (lambda: tf.slice(X, [1, 0], [3, 1]), ValueError, "axis 0 of size 3"),
        (lambda: tf.slice(X, [-1, 0], [1, 1]), ValueError, "begin -1"),
        (lambda: tf.slice(X, [0], [1]), ValueError, "each axis"),
        (lambda: tf.strided_slice(X, [0], [2], [0]), ValueError, "zero"),
        (lambda: tf.strided_slice(X, [5], [6], shrink_axis_mask=1), IndexError, "index 5"),
        (lambda: tf.strided_slice(X, [0, 0], [2]), ValueError, "differ in length"),
        (lambda: tf.unravel_index([9], [3, 3]), IndexError, "unravel_index"),
        (lambda: tf.math.invert_permutation([0, 0]), ValueError, "no permutation"),
        (lambda: tf.nn.embedding_lookup(X, [-1]), IndexError, r"embedding_lookup: ids\[0\] = -1 is not in"),
        (lambda: tf.nn.embedding_lookup([], [0]), ValueError, "empty list"),
    ],
)
def test_bad_input_says_what_is_wrong(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        call()
    assert isinstance(caught.value, tf.errors.OpError)
