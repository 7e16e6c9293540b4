"""Indexing with NumPy's keys: values, gradients of both orders, errors, and assignment to parts of Variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import wengert as tf
from wengert.primitives.index import HOLE, putitem, scatter_rows


@st.composite
def shapes_and_keys(draw: Any) -> tuple[tuple[int, ...], Any]:
    """A shape, and a key of any kind that fits it."""
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
    if draw(st.booleans()):
        return shape, draw(hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    common = draw(hnp.array_shapes(min_dims=1, max_dims=2, max_side=3))
    key: list[Any] = []
    axis = 0
    while axis < len(shape):
        n = shape[axis]
        picking = ["number", "array", "list"] if n else []
        kind = draw(st.sampled_from([*picking, "slice", "mask", "masks", "new", "stop"]))
        if kind == "stop":
            break
        if kind == "new":
            key.append(None)
            continue
        if kind == "number":
            key.append(draw(st.integers(-n, n - 1)))
        elif kind == "slice":
            key.append(draw(st.slices(n)))
        elif kind == "masks":
            taken = draw(st.integers(1, len(shape) - axis))
            key.append(draw(hnp.arrays(bool, shape[axis : axis + taken])))
            axis += taken - 1
        elif kind == "mask":
            key.append(draw(hnp.arrays(bool, (n,))))
        else:
            size = draw(st.sampled_from([common, common[-1:], (1,)]))
            index = draw(hnp.arrays(np.int64, size, elements=st.integers(-n, n - 1)))
            key.append(index.tolist() if kind == "list" else index)
        axis += 1
    if axis < len(shape) and draw(st.booleans()):
        key.append(Ellipsis)
    return shape, tuple(key)


def as_tensors(key: Any) -> Any:
    parts = key if isinstance(key, tuple) else (key,)
    return tuple(tf.constant(k) if isinstance(k, (np.ndarray, int)) else k for k in parts)


def try_numpy(x: Any, key: Any) -> Any:
    """What NumPy gives, or None where it refuses the key (masks and arrays that do not broadcast)."""
    try:
        return x[key]
    except IndexError:
        return None


@settings(max_examples=200, deadline=None)
@given(shapes_and_keys(), st.booleans())
def test_value_and_both_derivatives_for_any_key(drawn: Any, with_tensors: bool) -> None:
    shape, key = drawn
    x = np.random.default_rng(0).standard_normal(shape)
    expected = try_numpy(x, key)
    given_key = as_tensors(key) if with_tensors else key
    if expected is None:
        with pytest.raises(tf.errors.IndexOutOfRangeError, match="getitem"):
            tf.constant(x)[given_key]
        return
    weights = np.random.default_rng(1).standard_normal(np.shape(expected))
    v = tf.Variable(x)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            part = v[given_key]
            loss = tf.reduce_sum(part * part * part)
        first = inner.gradient(loss, v)
        again = tf.reduce_sum(first[given_key] * weights)
    np.testing.assert_array_equal(part.numpy(), expected)
    gradient = np.zeros(shape)
    np.add.at(gradient, key, 3 * expected**2)
    np.testing.assert_allclose(first.numpy(), gradient, rtol=1e-12, atol=1e-12)
    count, weight = np.zeros(shape), np.zeros(shape)
    np.add.at(count, key, 1.0)
    np.add.at(weight, key, weights)
    np.testing.assert_allclose(outer.gradient(again, v).numpy(), 6 * x * count * weight, rtol=1e-12, atol=1e-12)


@settings(max_examples=100, deadline=None)
@given(shapes_and_keys())
def test_putitem_adds_as_numpy_does(drawn: Any) -> None:
    shape, key = drawn
    if (part := try_numpy(np.zeros(shape), key)) is None:
        return
    x = np.random.default_rng(2).standard_normal(np.shape(part))
    expected = np.zeros(shape)
    np.add.at(expected, key, x)
    parts = key if isinstance(key, tuple) else (key,)
    static = tuple(HOLE if isinstance(k, (list, np.ndarray)) else k for k in parts)
    arrays = [np.asarray(k) for k in parts if isinstance(k, (list, np.ndarray))]
    np.testing.assert_allclose(putitem(x, *arrays, key=static, shape=shape).numpy(), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("repeated", [True, False])
@pytest.mark.parametrize(("shape", "axis"), [((700, 40), 0), ((3, 700, 40), 1), ((40, 700), 1), ((30000,), 0)])
def test_putitem_adds_many_rows(shape: tuple[int, ...], axis: int, repeated: bool) -> None:
    rng = np.random.default_rng(3)
    n = shape[axis]
    index = rng.integers(-n, n, 600) if repeated else rng.permutation(n)[:600] - n // 2
    key = (slice(None),) * axis + (index,)
    x = rng.standard_normal(np.zeros(shape)[key].shape)
    expected = np.zeros(shape)
    np.add.at(expected, key, x)
    got = putitem(x, index, key=(slice(None),) * axis + (HOLE,), shape=shape)
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-12, atol=1e-12)


def test_repeated_indices_are_summed_and_dense() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x[[0, 0, 1]].sum()
    gradient = tape.gradient(y, x)
    assert isinstance(gradient, tf.Tensor)
    assert gradient.numpy().tolist() == [2.0, 1.0]


def test_keys_that_mix_tensors_and_numbers() -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    t, one = tf.constant(x), tf.constant(1)
    np.testing.assert_array_equal(t[one].numpy(), x[1])
    np.testing.assert_array_equal(t[..., one :: tf.constant(2)].numpy(), x[..., 1::2])
    np.testing.assert_array_equal(t[:, [one, 0]].numpy(), x[:, [1, 0]])
    np.testing.assert_array_equal(t[[[0], [one]], range(2)].numpy(), x[[[0], [1]], range(2)])
    np.testing.assert_array_equal(t[t > 7].numpy(), x[x > 7])
    np.testing.assert_array_equal(t[[]].numpy(), x[[]])
    np.testing.assert_array_equal(t[True, [0, 1]].numpy(), x[True, [0, 1]])
    np.testing.assert_array_equal(t[tf.constant(False)].numpy(), x[np.False_])
    np.testing.assert_array_equal(t[np.array([1, 0], np.uint8)].numpy(), x[[1, 0]])
    np.testing.assert_array_equal(x[one, tf.constant([2, 0])], x[1, [2, 0]])
    assert t[:, tf.newaxis].shape == (2, 1, 3, 4)


@pytest.mark.parametrize(
    ("key", "kind", "message"),
    [
        (5, IndexError, "index 5 is out of bounds for axis 0 with size 3"),
        ([0, -4], IndexError, "index -4 is out of bounds for axis 0 with size 3"),
        ((0, 0, 0), IndexError, "too many indices"),
        ([True, False], IndexError, "boolean"),
        (([0, 1], [0, 1, 2]), IndexError, "broadcast"),
        (1.0, TypeError, "not 1.0"),
        ([1.0], TypeError, "float"),
        ("a", TypeError, "not 'a'"),
        (slice(0, 1.5), TypeError, "not 1.5"),
        (slice(None, None, 0), ValueError, "zero"),
        ([[0], [1, 2]], ValueError, "unequal"),
    ],
)
def test_bad_keys_say_what_is_wrong(key: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message) as caught:
        tf.constant(np.zeros((3, 4)))[key]
    assert isinstance(caught.value, tf.errors.InvalidArgumentError)
    assert "getitem" in str(caught.value)


def test_shape_rule_refuses_masks() -> None:
    from wengert.arrays.shapes import Spec
    from wengert.primitives.index import getitem_

    x, mask = Spec((3,), np.dtype(np.float32)), Spec((3,), np.dtype(np.bool_))
    with pytest.raises(tf.errors.InvalidArgumentError, match="depends on"):
        getitem_.infer(x, mask, key=(HOLE,))


# --- parts of Variables ----------------------------------------------------------------------------------------------


def test_parts_of_variables_are_assigned() -> None:
    v = tf.Variable(np.zeros((3, 4), np.float32))
    v[1].assign([1, 2, 3, 4])
    v[:, tf.constant(1)].assign_add(tf.constant([5.0, 6.0, 7.0]))
    v[[0, 2], [tf.constant(0), 3]].assign([9.0, 8.0])
    v[v > 7.5].assign_sub([1.0, 1.0, 1.0])
    v[..., ::-3].assign(np.ones((3, 2)).astype(np.float32))
    assert v.numpy().tolist() == [[1, 5, 0, 1], [1, 7, 3, 1], [1, 7, 0, 1]]
    before = v.numpy()
    for key, value, error in ((7, 0.0, IndexError), (0, [1.0, 2.0], ValueError)):
        with pytest.raises(error):
            v[key].assign(value)
    np.testing.assert_array_equal(v.numpy(), before)


SLICES = tf.IndexedSlices(tf.constant([5.0, 6.0]), tf.constant([0, 0]), (3,))


@pytest.mark.parametrize(
    ("method", "rows", "elements"),
    [  # values of TensorFlow 2.21
        ("update", [6, 2, 3], [5, 6, 3]),
        ("add", [12, 2, 3], [6, 8, 3]),
        ("sub", [-10, 2, 3], [-4, -4, 3]),
        ("max", [6, 2, 3], [5, 6, 3]),
        ("min", [1, 2, 3], [1, 2, 3]),
        ("mul", [30, 2, 3], None),
        ("div", [1 / 30, 2, 3], None),
    ],
)
def test_scatter_methods_of_variables(method: str, rows: Any, elements: Any) -> None:
    v = tf.Variable([1.0, 2.0, 3.0])
    assert getattr(v, f"scatter_{method}")(SLICES) is v
    np.testing.assert_allclose(v.numpy(), rows, rtol=1e-6)
    if elements is not None:
        v = tf.Variable([1.0, 2.0, 3.0])
        getattr(v, f"scatter_nd_{method}")([[0], [1]], [5.0, 6.0])
        np.testing.assert_allclose(v.numpy(), elements)


def test_scatter_methods_on_rows_and_batches() -> None:
    v = tf.Variable(np.zeros((3, 2), np.float32))
    v.scatter_add(tf.IndexedSlices([[1.0, 2.0], [3.0, 4.0]], [2, 2]))
    v.scatter_nd_update([[0, 1]], [7.0])
    v.batch_scatter_update(tf.IndexedSlices([[5.0], [6.0], [8.0]], [[0], [0], [1]]))
    assert v.numpy().tolist() == [[5, 7], [6, 0], [4, 8]]
    assert v.sparse_read([2, 0]).numpy().tolist() == [[4, 8], [5, 7]]
    assert v.gather_nd([[2, 1]]).numpy().tolist() == [8]


@pytest.mark.parametrize(
    ("values", "indices", "error", "message"),
    [
        ([5.0], [7], IndexError, r"indices\[0\] = 7 is not in \[0, 3\)"),
        ([5.0], [-1], IndexError, r"-1 is not in"),
        ([5.0, 6.0], [0], ValueError, r"shape \(1,\)"),
        ([5], [0], TypeError, "int32"),
    ],
)
def test_failing_scatter_leaves_the_variable_alone(values: Any, indices: Any, error: Any, message: str) -> None:
    v = tf.Variable([1.0, 2.0, 3.0])
    with pytest.raises(error, match=message):
        v.scatter_add(tf.IndexedSlices(values, indices))
    assert v.numpy().tolist() == [1, 2, 3]


def test_indexed_slices_become_dense() -> None:
    assert tf.convert_to_tensor(SLICES).numpy().tolist() == [11, 0, 0]
    assert SLICES.dense().numpy().tolist() == np.asarray(SLICES).tolist() == [11, 0, 0]
    assert tf.multiply(SLICES, 2.0).numpy().tolist() == (SLICES.dense() + SLICES).numpy().tolist() == [22, 0, 0]
    v = tf.Variable([1.0, 2.0, 3.0])
    v.assign_sub(SLICES)
    assert v.numpy().tolist() == [-10, 2, 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="dense_shape"):
        tf.IndexedSlices([1.0], [0]).dense()


def test_scatter_rows_takes_indices_of_any_shape() -> None:
    values = np.arange(12.0).reshape(2, 3, 2)
    expected = np.zeros((4, 2))
    np.add.at(expected, [[0, 3, 0], [1, 1, 0]], values)
    got = scatter_rows(values, np.array([[0, 3, 0], [1, 1, 0]]), rows=4)
    np.testing.assert_array_equal(got.numpy(), expected)


# --- NumPy's functions -----------------------------------------------------------------------------------------------

X = np.random.default_rng(5).standard_normal((3, 4))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.take(x, [5, -1, 5]),
        lambda x: np.take(x, [[0, -1]], axis=1),
        lambda x: np.take(x, 2, axis=-1),
        lambda x: np.take(x, [7, -6], axis=0, mode="wrap"),
        lambda x: np.take(x, [7, -6], axis=0, mode="clip"),
        lambda x: x.take([0, 2], 1),
        lambda x: np.take_along_axis(x, np.array([[3, 0], [1, 1], [-1, 2]]), 1),
        lambda x: np.take_along_axis(x, np.array([[2, 0, 0, 1]]), 0),
        lambda x: np.take_along_axis(x, np.array([3, 3]), None),
        lambda x: np.take_along_axis(x[:1], np.array([[3, 0], [1, 1], [-1, 2]]), 1),
        lambda x: np.compress([True, False, True], x, axis=0),
        lambda x: np.compress([True, False, True], x),
        lambda x: x.compress([0, 1], axis=1),
        lambda x: np.extract(X > 0, x),
        lambda x: np.choose([0, 2, 1, 0], x),
        lambda x: np.choose([[0], [1]], [x[0], x[1]]),
        lambda x: np.select([x > 1, x < 0], [x * 2, -x], 5.0),
        lambda x: np.select([X > 0], [x]),
        lambda x: x[np.ix_([0, 2], [True, False, True, True])],
        lambda x: x[np.nonzero(x > 0)],
    ],
)
def test_numpy_functions_and_their_gradients(function: Any) -> None:
    v = tf.Variable(X)
    with tf.GradientTape() as tape:
        got = function(v)
        loss = tf.reduce_sum(got * got)
    expected = function(X)
    np.testing.assert_array_equal(got.numpy(), expected)
    assert got.numpy().shape == expected.shape
    gradient, h = tape.gradient(loss, v).numpy(), 1e-6
    for place in np.ndindex(X.shape):
        step = np.zeros_like(X)
        step[place] = h
        up, down = ((function(X + s) ** 2).sum() for s in (step, -step))
        assert abs(gradient[place] - (up - down) / (2 * h)) < 1e-6


def test_numpy_functions_of_indices() -> None:
    x = tf.constant(X)
    for got, expected in zip(x.nonzero(), X.nonzero()):
        np.testing.assert_array_equal(got.numpy(), expected)
    np.testing.assert_array_equal(np.flatnonzero(x > 0).numpy(), np.flatnonzero(X > 0))
    np.testing.assert_array_equal(np.argwhere(x > 0).numpy(), np.argwhere(X > 0))
    np.testing.assert_array_equal(np.digitize(x, [-1.0, 0.0, 1.0]).numpy(), np.digitize(X, [-1.0, 0.0, 1.0]))
    for order in ("C", "F"):
        pair = np.unravel_index(tf.constant([5, 0]), (3, 4), order=order)
        for got, expected in zip(pair, np.unravel_index([5, 0], (3, 4), order=order)):
            np.testing.assert_array_equal(got.numpy(), expected)
        assert np.ravel_multi_index(pair, (3, 4), order=order).numpy().tolist() == [5, 0]
    for got, expected in zip(np.ix_(tf.constant([0, 2]), [1]), np.ix_([0, 2], [1])):
        np.testing.assert_array_equal(got.numpy(), expected)


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda x: np.take(x, [3], axis=0), IndexError, "index 3 is out of range for axis 0 of size 3"),
        (lambda x: np.take(x, [0], axis=2), ValueError, "axis 2"),
        (lambda x: np.take(x, [0], mode="round"), ValueError, "mode"),
        (lambda x: np.take(x, [0], out=np.zeros(1)), NotImplementedError, "out="),
        (lambda x: np.take(x[:, :0], [0], axis=1, mode="clip"), IndexError, "empty"),
        (lambda x: np.take_along_axis(x, np.array([0]), 1), ValueError, "shape"),
        (lambda x: np.compress(x > 0, x), ValueError, "one axis"),
        (lambda x: np.choose([0, 3], [x[0, 0], x[0, 1]]), IndexError, "3"),
        (lambda x: np.select([x > 0], [x, x]), ValueError, "1 and 2"),
        (lambda x: np.ravel_multi_index((tf.constant([9]),), (3,)), ValueError, "ravel_multi_index"),
    ],
)
def test_numpy_functions_refuse(function: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        function(tf.constant(X))
