"""Einstein's summation and products of matrices, against NumPy, for equations and shapes drawn at random."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wengert as tf

SIZES = {"a": 2, "b": 3, "c": 1, "d": 2, "e": 4}


@st.composite
def equations(draw: Any) -> tuple[str, list[np.ndarray]]:
    """An equation with one to four operands, with repeated letters and ellipses, and operands that fit."""
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    under_ellipsis = draw(st.lists(st.integers(1, 3), max_size=2))
    terms, operands = [], []
    for _ in range(draw(st.integers(1, 4))):
        letters = draw(st.lists(st.sampled_from("abcde"), max_size=3))
        shape = [SIZES[k] for k in letters]
        if under_ellipsis and draw(st.booleans()):
            at = draw(st.integers(0, len(letters)))
            present = draw(st.integers(0, len(under_ellipsis)))
            sizes = [1 if draw(st.booleans()) else n for n in under_ellipsis[len(under_ellipsis) - present :]]
            letters, shape = [*letters[:at], "...", *letters[at:]], [*shape[:at], *sizes, *shape[at:]]
        terms.append("".join(letters))
        operands.append(rng.standard_normal(shape))
    left = ",".join(terms)
    if draw(st.booleans()):
        return left, operands
    used = sorted({k for term in terms for k in term.replace("...", "")})
    result = draw(st.lists(st.sampled_from(used), unique=True)) if used else []
    if "..." in left:
        result.insert(draw(st.integers(0, len(result))), "...")
    return f"{left}->{''.join(result)}", operands


@given(equations())
@settings(max_examples=100, deadline=None)
def test_value_is_numpys(drawn: Any) -> None:
    equation, operands = drawn
    got = tf.einsum(equation, *operands).numpy()
    expected = np.einsum(equation, *operands)
    assert got.shape == expected.shape
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


@given(equations(), st.integers(0, 2**31))
@settings(max_examples=40, deadline=None)
def test_gradient_of_a_multilinear_form(drawn: Any, seed: int) -> None:
    """The form is linear in each operand: its gradient by one, contracted with any array, is the form of that array."""
    equation, operands = drawn
    rng = np.random.default_rng(seed)
    tensors = [tf.constant(x) for x in operands]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        out = tf.einsum(equation, *tensors)
    weights = rng.standard_normal(out.shape)
    gradients = tape.gradient(out, tensors, output_gradients=tf.constant(weights))
    for k, gradient in enumerate(gradients):
        direction = rng.standard_normal(operands[k].shape)
        moved = np.einsum(equation, *(direction if i == k else x for i, x in enumerate(operands)))
        assert gradient.shape == direction.shape
        np.testing.assert_allclose(np.sum(gradient.numpy() * direction), np.sum(weights * moved), rtol=1e-8, atol=1e-8)


@given(
    st.lists(st.integers(1, 3), max_size=2),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from(["both", "a", "b", "neither"]),
    st.data(),
)
@settings(max_examples=60, deadline=None)
def test_matmul_broadcasts_its_batch(batch: list[int], n: int, m: int, p: int, with_batch: str, data: Any) -> None:
    def shrunk() -> list[int]:
        return [1 if data.draw(st.booleans()) else size for size in batch]

    shape_a = (*(shrunk() if with_batch in ("both", "a") else ()), n, m)
    shape_b = (*(shrunk() if with_batch in ("both", "b") else ()), m, p)
    rng = np.random.default_rng(0)
    a, b = tf.constant(rng.standard_normal(shape_a)), tf.constant(rng.standard_normal(shape_b))
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        out = a @ b
    np.testing.assert_allclose(out.numpy(), a.numpy() @ b.numpy())
    weights = rng.standard_normal(out.shape)
    of_a, of_b = tape.gradient(out, [a, b], output_gradients=tf.constant(weights))
    assert (of_a.shape, of_b.shape) == (a.shape, b.shape)
    np.testing.assert_allclose(np.sum(of_a.numpy() * a.numpy()), np.sum(weights * out.numpy()), atol=1e-9)
    np.testing.assert_allclose(np.sum(of_b.numpy() * b.numpy()), np.sum(weights * out.numpy()), atol=1e-9)


@pytest.mark.parametrize(
    "equation, shapes, message",
    [
        ("ij,jk->ik", [(2, 3)], "2 terms, but 1 operand"),
        ("ij,jk->ik", [(2, 3), (4, 2)], "'j' has size 3 in one place and 4"),
        ("ij->ijk", [(2, 3)], "'k', which no operand has"),
        ("i->ii", [(2,)], "'i' more than once"),
        ("ij->i", [(2, 3, 4)], "3 axes"),
        ("i$j->i", [(2, 3)], "is not allowed"),
        ("i.j->i", [(2, 3)], "is not allowed"),
        ("ij->i->j", [(2, 3)], "is not allowed"),
        ("...i->i", [(2, 3)], "no '...'"),
        ("...i,...i->...", [(2, 3), (4, 3)], "do not broadcast"),
    ],
)
def test_bad_equations(equation: str, shapes: list[tuple[int, ...]], message: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="einsum") as error:
        tf.einsum(equation, *map(np.ones, shapes))
    assert message in str(error.value)


def test_mixed_dtypes_are_an_error_that_names_einsum() -> None:
    with pytest.raises(TypeError, match=r"^einsum: "):
        tf.einsum("i,i", tf.constant([1, 2]), tf.constant([1.0, 2.0]))


def test_integers_have_values_without_gradient() -> None:
    assert tf.einsum("ij,j->i", [[1, 2], [3, 4]], [1, 1]).numpy().tolist() == [3, 7]


def test_many_operands_are_contracted_in_a_cheap_order() -> None:
    """From left to right the largest intermediate result would have 10**9 elements."""
    n = 1000
    ones = [np.ones(n)] * 2 + [np.ones((n, n))] + [np.ones(n)]
    assert float(tf.einsum("a,b,bc,c->", *ones)) == float(n) ** 3


def test_one_operand_as_it_is_gives_a_new_tensor() -> None:
    x = tf.constant([1.0, 2.0])
    assert tf.einsum("i->i", x) is not x


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: tf.matmul(np.ones((2, 3)), np.ones((2, 3))), "matmul: the last axis of a has size 3"),
        (lambda: tf.matmul(np.ones((2, 3)), 2.0), "use \\*"),
        (lambda: tf.constant([[1.0]]) @ 3.0, "use \\*"),
        (lambda: tf.matmul(np.ones((2, 2, 3)), np.ones((3, 3, 2))), "do not broadcast"),
        (lambda: tf.matmul(np.ones((2, 2)), np.ones((2, 2)), transpose_a=True, adjoint_a=True), "exclude"),
        (
            lambda: tf.tensordot(np.ones((2, 3)), np.ones((2, 3)), 1),
            "axis 1 of a has size 3, but axis 0 of b has size 2",
        ),
        (lambda: tf.tensordot(np.ones((2, 3)), np.ones((2, 3)), 3), "axes=3"),
        (lambda: tf.tensordot(np.ones((2, 3)), np.ones((2, 3)), [[0, 1], [0]]), "as many axes"),
        (lambda: tf.tensordot(np.ones((2, 3)), np.ones((2, 3)), [[0, 2], [0, 1]]), "out of range"),
        (lambda: tf.linalg.cross([1.0, 2.0], [1.0, 2.0]), "3 components"),
        (lambda: tf.linalg.matvec(np.ones((2, 3)), np.ones((4, 2))), "matmul: "),
    ],
)
def test_bad_products(call: Any, message: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call()


def test_matmul_of_mixed_kinds_is_an_error() -> None:
    with pytest.raises(TypeError, match="matmul"):
        tf.matmul(tf.constant([[1]]), tf.constant([[1.0]]))


def test_sixteen_bit_floats() -> None:
    for dtype in (tf.float16, tf.bfloat16):
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]], dtype=dtype)
        with tf.GradientTape() as tape:
            tape.watch(x)
            out = tf.einsum("ij,kj->ik", x, x) + x @ x
        assert out.dtype == dtype
        gradient = tape.gradient(out, x)
        assert gradient.dtype == dtype
        np.testing.assert_array_equal(gradient.numpy().astype(float), [[15.0, 23.0], [17.0, 25.0]])
