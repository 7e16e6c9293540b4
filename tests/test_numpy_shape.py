"""NumPy's functions, methods and attributes for shapes and joining, called with tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes

import wengert as tf
from tests.linear import assert_linear

#: name -> function of arrays or tensors, and the shapes of its arguments
CALLS: dict[str, tuple[Any, ...]] = {
    "reshape": (lambda x: np.reshape(x, (3, -1)), (2, 3, 4)),
    "reshape-fortran": (lambda x: np.reshape(x, (4, -1), order="F"), (2, 3, 4)),
    "reshape-method": (lambda x: x.reshape(4, 6), (2, 3, 4)),
    "reshape-method-tuple": (lambda x: x.reshape((4, 6), order="F"), (2, 3, 4)),
    "ravel": (np.ravel, (2, 3)),
    "ravel-fortran": (lambda x: x.ravel("F"), (2, 3, 2)),
    "ravel-empty": (np.ravel, (2, 0)),
    "flatten": (lambda x: x.flatten(), (2, 3)),
    "flatten-scalar": (lambda x: np.ravel(x), ()),
    "squeeze": (lambda x: np.squeeze(x, (0, -1)), (1, 2, 1, 1)),
    "squeeze-none": (lambda x: np.squeeze(x, ()), (1, 2)),
    "squeeze-method": (lambda x: x.squeeze(), (1, 2, 1)),
    "expand_dims": (lambda x: np.expand_dims(x, (0, -1)), (2, 3)),
    "atleast_1d": (lambda x, y: np.atleast_1d(x, y), (), (2,)),
    "atleast_2d": (lambda *xs: np.atleast_2d(*xs), (), (2,), (2, 3), (1, 2, 3)),
    "atleast_3d": (lambda *xs: np.atleast_3d(*xs), (), (2,), (2, 3), (1, 2, 3)),
    "atleast_2d-one": (np.atleast_2d, (3,)),
    "broadcast_to": (lambda x: np.broadcast_to(x, (2, 3)), (3,)),
    "broadcast_arrays": (lambda x, y: np.broadcast_arrays(x, y), (2, 1), (3,)),
    "resize": (lambda x: np.resize(x, (3, 5)), (2, 3)),
    "resize-smaller": (lambda x: np.resize(x, (2,)), (2, 3)),
    "transpose": (lambda x: np.transpose(x, (1, 2, 0)), (2, 3, 4)),
    "permute_dims": (lambda x: np.permute_dims(x, (1, 0)), (2, 3)),
    "transpose-method": (lambda x: x.transpose(1, 0, 2), (2, 3, 4)),
    "transpose-method-tuple": (lambda x: x.transpose((1, 0, 2)), (2, 3, 4)),
    "transpose-method-none": (lambda x: x.transpose(), (2, 3, 4)),
    "T": (lambda x: x.T, (2, 3, 4)),
    "mT": (lambda x: x.mT, (2, 3, 4)),
    "matrix_transpose": (np.matrix_transpose, (2, 3, 4)),
    "linalg.matrix_transpose": (np.linalg.matrix_transpose, (2, 3, 4)),
    "swapaxes": (lambda x: x.swapaxes(0, -1), (2, 3, 4)),
    "moveaxis": (lambda x: np.moveaxis(x, (0, 1), (-1, 0)), (2, 3, 4)),
    "rollaxis": (lambda x: np.rollaxis(x, 2, 1), (2, 3, 4)),
    "rollaxis-forwards": (lambda x: np.rollaxis(x, 0, 3), (2, 3, 4)),
    "flip": (np.flip, (2, 3)),
    "flip-axis": (lambda x: np.flip(x, 1), (2, 3)),
    "fliplr": (np.fliplr, (2, 3)),
    "flipud": (np.flipud, (2, 3)),
    **{f"rot90-{k}": (lambda x, k=k: np.rot90(x, k, (2, 0)), (2, 3, 4)) for k in range(-1, 5)},
    "roll": (lambda x: np.roll(x, 4), (2, 3)),
    "roll-axis": (lambda x: np.roll(x, (1, 2), (0, 1)), (2, 3)),
    "roll-axes": (lambda x: np.roll(x, 1, (0, 1)), (2, 3)),
    "concatenate": (lambda *xs: np.concatenate(xs, axis=1), (2, 1), (2, 3)),
    "concatenate-flat": (lambda *xs: np.concatenate(xs, axis=None), (2, 1), (3,)),
    "concat": (lambda *xs: np.concat(xs), (2, 3), (1, 3)),
    "stack": (lambda *xs: np.stack(xs, axis=-1), (2, 3), (2, 3)),
    "vstack": (lambda *xs: np.vstack(xs), (3,), (2, 3)),
    "hstack": (lambda *xs: np.hstack(xs), (2, 1), (2, 3)),
    "hstack-vectors": (lambda *xs: np.hstack(xs), (3,), (2,)),
    "hstack-numbers": (lambda *xs: np.hstack(xs), (), ()),
    "dstack": (lambda *xs: np.dstack(xs), (2, 3), (2, 3, 2)),
    "column_stack": (lambda *xs: np.column_stack(xs), (3,), (3, 2)),
    "block": (lambda a, b, c: np.block([[a, b], [c, np.zeros((1, 3))]]), (2, 2), (2, 3), (1, 2)),
    "block-vectors": (lambda a, b: np.block([a, b, 1.0]), (2,), (3,)),
    "append": (lambda a, b: np.append(a, b), (2, 2), (3,)),
    "append-axis": (lambda a, b: np.append(a, b, axis=0), (2, 2), (1, 2)),
    "split": (lambda x: np.split(x, 3, axis=1), (2, 6)),
    "split-indices": (lambda x: np.split(x, [1, 1, 9]), (4, 2)),
    "split-negative-index": (lambda x: np.split(x, [-1]), (4, 2)),
    "array_split": (lambda x: np.array_split(x, 3), (8, 2)),
    "array_split-more-than-there-are": (lambda x: np.array_split(x, 4), (2,)),
    "hsplit": (lambda x: np.hsplit(x, 2), (2, 4)),
    "hsplit-vector": (lambda x: np.hsplit(x, [1]), (4,)),
    "vsplit": (lambda x: np.vsplit(x, 2), (2, 4)),
    "dsplit": (lambda x: np.dsplit(x, 2), (2, 1, 4)),
    "delete": (lambda x: np.delete(x, [0, -1], axis=1), (2, 4)),
    "delete-flat": (lambda x: np.delete(x, 2), (2, 4)),
    "delete-slice": (lambda x: np.delete(x, slice(0, 3, 2), axis=0), (4, 2)),
    "insert": (lambda x, v: np.insert(x, 1, v, axis=0), (2, 3), (3,)),
    "insert-column": (lambda x, v: np.insert(x, 1, v, axis=1), (2, 3), (2,)),
    "insert-columns": (lambda x, v: np.insert(x, [1], v, axis=1), (2, 3), (2, 2)),
    "insert-many": (lambda x, v: np.insert(x, [0, 2, 2], v), (4,), (3,)),
    "insert-number": (lambda x, v: np.insert(x, [0, -1], v, axis=1), (2, 3), ()),
    "insert-before-number": (lambda x, v: np.insert(x, 2, v), (2, 3), (2,)),
    "insert-slice": (lambda x, v: np.insert(x, slice(0, 4, 2), v), (6,), ()),
    "tile": (lambda x: np.tile(x, 2), (2, 3)),
    "tile-new-axes": (lambda x: np.tile(x, (2, 1, 3)), (2,)),
    "repeat": (lambda x: x.repeat(2, axis=0), (2, 3)),
    "repeat-counts": (lambda x: np.repeat(x, [1, 0, 2], axis=1), (2, 3)),
    "pad": (lambda x: np.pad(x, ((1, 0), (0, 2))), (2, 3)),
    "copy": (lambda x: np.copy(x), (2, 3)),
    "copy-method": (lambda x: x.copy(), (2, 3)),
}
if hasattr(np, "unstack"):
    CALLS["unstack"] = (lambda x: np.unstack(x, axis=1), (2, 3))


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_as_on_arrays_and_differentiable(call: Any) -> None:
    function, *shapes = call
    assert_linear(function, function, *shapes)


@settings(max_examples=30, deadline=None)
@given(array_shapes(min_dims=2, max_dims=4, min_side=0, max_side=3), st.data())
def test_axes_moved_and_swapped(shape: tuple[int, ...], data: Any) -> None:
    i, j = (data.draw(st.integers(-len(shape), len(shape) - 1)) for _ in range(2))
    for function in (
        lambda x: np.swapaxes(x, i, j),
        lambda x: np.moveaxis(x, i, j),
        lambda x: np.rollaxis(x, i, j),
        lambda x: np.flip(x, i),
        lambda x: np.roll(x, j, i),
        lambda x: np.reshape(x, shape[::-1], order="F"),
    ):
        assert_linear(function, function, shape)
    if i % len(shape) != j % len(shape):
        for k in range(4):
            assert_linear(lambda x: np.rot90(x, k, (i, j)), lambda x: np.rot90(x, k, (i, j)), shape)  # noqa: B023


def test_answers_are_python_values() -> None:
    x = tf.constant([[1.5, 2.0, 3.0]])
    assert (np.shape(x), np.ndim(x), np.size(x), np.size(x, 0), np.size(x, (0, 1))) == ((1, 3), 2, 3, 1, 3)
    assert type(np.shape(x)) is tuple
    assert (x.tolist(), x.item(1), x[0, 0].item(), tf.constant(2).tolist()) == ([[1.5, 2.0, 3.0]], 2.0, 1.5, 2)
    with pytest.raises(ValueError):
        x.item()


def test_real_and_imaginary_parts_are_attributes() -> None:
    z = tf.constant([1 + 2j])
    assert (z.real.numpy().tolist(), z.imag.numpy().tolist()) == ([1.0], [2.0])
    assert (tf.constant([1.0]).real.numpy().tolist(), tf.constant([1.0]).imag.numpy().tolist()) == ([1.0], [0.0])


def test_attributes_of_variables_too() -> None:
    v = tf.Variable([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v.T.reshape(-1) * tf.constant([3.0, 4.0]))
    np.testing.assert_array_equal(tape.gradient(y, v).numpy(), [[3.0, 4.0]])


def test_tensors_and_arrays_may_be_mixed() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = np.concatenate([np.zeros(2, np.float32), x])
    assert y.dtype == tf.float32
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [1.0, 1.0])
    assert np.concatenate([np.zeros(2), x]).dtype == tf.float64
    assert np.concatenate([x, x], dtype=np.float64).dtype == tf.float64


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: np.reshape(x, (2, 3), order="A"), NotImplementedError, "order is 'C' or 'F'"),
        (lambda x: np.concatenate([x, x], out=np.zeros((4, 3))), NotImplementedError, "out="),
        (lambda x: np.stack([x, x], out=np.zeros((2, 2, 3))), NotImplementedError, "out="),
        (lambda x: np.split(x, 2, axis=1), ValueError, "not divisible"),
        (lambda x: np.split(x, [2, 1], axis=1), ValueError, "must not decrease"),
        (lambda x: np.array_split(x, 0), ValueError, "positive"),
        (lambda x: np.vsplit(x[0], 1), ValueError, "2 axes"),
        (lambda x: np.moveaxis(x, (0, 1), (0,)), ValueError, "as many different axes"),
        (lambda x: np.rot90(x, 1, (0, 0)), ValueError, "different"),
        (lambda x: np.block([[x], x]), ValueError, "same depth"),
        (lambda x: np.block([[x], []]), ValueError, "same depth"),
        (lambda x: np.resize(x, (-1,)), ValueError, "negative"),
        (lambda x: np.squeeze(x, 0), ValueError, "size 2, not 1"),
        (lambda x: np.swapaxes(x, 0, 2), ValueError, "out of range"),
        (lambda x: np.delete(x, 5, axis=0), IndexError, "5"),
    ],
)
def test_bad_input_is_explained(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(tf.zeros([2, 3]))
