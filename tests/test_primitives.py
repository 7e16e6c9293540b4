"""The checks that every primitive passes, one test a claim, parametrised over the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wengert as tf
from tests.table import CASES
from tests.table.case import Case
from wengert.arrays.shapes import Spec
from wengert.primitives.primitive import PRIMITIVES

DIFFERENTIABLE = [case for case in CASES if case.differentiated]
SECOND_ORDER = [case for case in DIFFERENTIABLE if case.second_order]
ELEMENTWISE = [case for case in CASES if case.rule.elementwise and case.broadcasts]


def over(cases: list[Case]) -> Any:
    return pytest.mark.parametrize("case", cases, ids=[case.id for case in cases])


def arrays(values: Any) -> list[np.ndarray]:
    return [np.asarray(v._array) for v in values]


def floating(values: Any) -> list[Any]:
    return [v for v in values if v._array.dtype.kind in "fc"]


def direction_like(x: np.ndarray, seed: int) -> np.ndarray:
    """A random direction (or cotangent) in the space of ``x``."""
    rng = np.random.default_rng(seed)
    d = rng.standard_normal(x.shape)
    return (d + 1j * rng.standard_normal(x.shape)).astype(x.dtype) if x.dtype.kind == "c" else d.astype(x.dtype)


def inner(a: Any, b: Any) -> float:
    """The real inner product, under which the tape's gradient is the adjoint."""
    return sum(float(np.real(np.sum(np.conj(x) * y))) for x, y in zip(a, b))


def outputs(case: Case, inputs: tuple[Any, ...]) -> list[np.ndarray]:
    return arrays(floating(case.run(*map(tf.constant, inputs))))


def moved(case: Case, directions: dict[int, np.ndarray], step: float) -> tuple[Any, ...]:
    return tuple(x + step * directions[k] if k in directions else x for k, x in enumerate(case.inputs))


def central_difference(function: Any, case: Case, directions: dict[int, np.ndarray]) -> list[np.ndarray]:
    """The derivative of ``function`` of the inputs along the directions, fourth order in the step."""
    h = 1e-4
    near = [function(moved(case, directions, s * h)) for s in (1, -1)]
    far = [function(moved(case, directions, s * h)) for s in (2, -2)]
    return [(8 * (a - b) - (c - d)) / (12 * h) for a, b, c, d in zip(*near, *far)]


def gradients(case: Case, inputs: tuple[Any, ...], seeds: list[np.ndarray]) -> list[Any]:
    """The vjp with Tensors, on whatever else is recording."""
    tensors = [tf.constant(x) if not isinstance(x, tf.Tensor) else x for x in inputs]
    sources = [tensors[k] for k in case.differentiated]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        out = floating(case.run(*tensors))
    return tape.gradient(out, sources, output_gradients=[tf.constant(s) for s in seeds], unconnected_gradients="zero")


def pulled(case: Case, inputs: tuple[Any, ...], seeds: list[np.ndarray]) -> list[np.ndarray]:
    return arrays([tf.convert_to_tensor(g) for g in gradients(case, inputs, seeds)])


def directions_of(case: Case, seed: int = 1) -> dict[int, np.ndarray]:
    return {k: direction_like(np.asarray(case.inputs[k]), seed + k) for k in case.differentiated}


def assert_close(got: float, expected: float, tolerance: float, scale: float = 1.0) -> None:
    assert abs(got - expected) <= tolerance * max(1.0, abs(expected), scale), (got, expected)


def test_every_primitive_has_a_row() -> None:
    assert not set(PRIMITIVES) - {case.primitive for case in CASES}


@over(CASES)
def test_value(case: Case) -> None:
    got = case.run(*map(tf.constant, case.inputs))
    expected = case.reference(*case.inputs, **case.params)
    expected = expected if isinstance(expected, (tuple, list)) else (expected,)
    assert len(got) == len(expected)
    for g, e in zip(arrays(got), expected):
        assert g.shape == np.shape(e)
        np.testing.assert_allclose(g, e, rtol=1e-9, atol=1e-11)


@over([case for case in CASES if case.static_shape and case.call is None])
def test_shape_rule(case: Case) -> None:
    actual = arrays(case.run(*map(tf.constant, case.inputs)))
    specs = [Spec(np.shape(x), tf.constant(x)._array.dtype) for x in case.inputs]
    inferred = case.rule.infer(*specs, **case.params)
    inferred = [inferred] if isinstance(inferred, Spec) else list(inferred)
    assert inferred == [Spec(a.shape, a.dtype) for a in actual]


@over(DIFFERENTIABLE)
def test_vjp(case: Case) -> None:
    out = outputs(case, case.inputs)
    seeds = [direction_like(o, 5) for o in out]
    for seed in (1, 2, 3):
        along = directions_of(case, seed)
        numeric = central_difference(lambda inputs: outputs(case, inputs), case, along)
        got = inner(pulled(case, case.inputs, seeds), along.values())
        assert_close(got, inner(seeds, numeric), case.tolerance)


@over(DIFFERENTIABLE)
def test_jvp(case: Case) -> None:
    along = directions_of(case)
    tensors = [tf.constant(x) for x in case.inputs]
    primals = [tensors[k] for k in case.differentiated]
    with tf.autodiff.ForwardAccumulator(primals, [tf.constant(d) for d in along.values()]) as accumulator:
        out = floating(case.run(*tensors))
    got = arrays([accumulator.jvp(o, unconnected_gradients="zero") for o in out])
    numeric = central_difference(lambda inputs: outputs(case, inputs), case, along)
    for g, n in zip(got, numeric):
        assert g.shape == n.shape
        np.testing.assert_allclose(g, n, rtol=case.tolerance, atol=case.tolerance)


@over(SECOND_ORDER)
def test_vjp_of_vjp(case: Case) -> None:
    seeds = [direction_like(o, 5) for o in outputs(case, case.inputs)]
    weights = list(directions_of(case, 11).values())
    tensors = [tf.constant(x) for x in case.inputs]
    sources = [tensors[k] for k in case.differentiated]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        first = [tf.convert_to_tensor(g) for g in gradients(case, tuple(tensors), seeds)]
    second = tape.gradient(
        first, sources, output_gradients=[tf.constant(w) for w in weights], unconnected_gradients="zero"
    )
    along = directions_of(case, 3)
    numeric = central_difference(lambda inputs: pulled(case, inputs, seeds), case, along)
    got = inner(arrays([tf.convert_to_tensor(s) for s in second]), along.values())
    assert_close(got, inner(weights, numeric), 10 * case.tolerance)


@over(SECOND_ORDER)
def test_jvp_of_vjp(case: Case) -> None:
    seeds = [direction_like(o, 5) for o in outputs(case, case.inputs)]
    along = directions_of(case, 3)
    tensors = [tf.constant(x) for x in case.inputs]
    primals = [tensors[k] for k in case.differentiated]
    with tf.autodiff.ForwardAccumulator(primals, [tf.constant(d) for d in along.values()]) as accumulator:
        first = [tf.convert_to_tensor(g) for g in gradients(case, tuple(tensors), seeds)]
    got = arrays([accumulator.jvp(g, unconnected_gradients="zero") for g in first])
    numeric = central_difference(lambda inputs: pulled(case, inputs, seeds), case, along)
    for g, n in zip(got, numeric):
        np.testing.assert_allclose(g, n, rtol=10 * case.tolerance, atol=10 * case.tolerance)


SINGLE = {np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}


@over([case for case in CASES if case.float32 is not None])
def test_float32_stays_float32(case: Case) -> None:
    single = tuple(np.asarray(x).astype(SINGLE.get(np.asarray(x).dtype, np.asarray(x).dtype)) for x in case.inputs)
    got = case.run(*map(tf.constant, single))
    wide = case.run(*map(tf.constant, case.inputs))
    for g, w in zip(arrays(got), arrays(wide)):
        assert g.dtype == SINGLE.get(w.dtype, w.dtype)
        if g.dtype.kind in "fc":
            np.testing.assert_allclose(g, w, rtol=case.float32, atol=case.float32)
    if case.differentiated:
        seeds = [direction_like(o, 5) for o in arrays(floating(got))]
        for k, g in zip(case.differentiated, pulled(case, single, seeds)):
            assert (g.dtype, g.shape) == (single[k].dtype, single[k].shape)


@over(CASES)
def test_strided_and_read_only_inputs(case: Case) -> None:
    def awkward(x: Any) -> Any:
        x = np.asarray(x)
        wide = np.repeat(x[..., None], 2, axis=-1)[..., 0] if x.ndim else x.copy()
        wide.setflags(write=False)
        return wide

    tensors = [tf.Tensor(awkward(x)) for x in case.inputs]
    before = arrays(tensors)
    for g, e in zip(arrays(case.run(*tensors)), arrays(case.run(*map(tf.constant, case.inputs)))):
        np.testing.assert_allclose(g, e, rtol=1e-12, atol=1e-14)  # BLAS may sum in another order
    for b, x in zip(before, case.inputs):
        np.testing.assert_array_equal(b, x)


@over(ELEMENTWISE)
def test_elementwise_on_0d_and_empty(case: Case) -> None:
    for pick in (lambda x: np.ravel(x)[0], lambda x: np.ravel(x)[:0].reshape(0, 3)):
        inputs = tuple(np.asarray(pick(x)) for x in case.inputs)
        (got,) = case.run(*map(tf.constant, inputs))
        assert got.shape == inputs[0].shape
        if case.differentiated:
            for k, g in zip(case.differentiated, pulled(case, inputs, [np.asarray(got._array)])):
                assert (g.shape, g.dtype) == (inputs[k].shape, inputs[k].dtype)


@over([case for case in ELEMENTWISE if len(case.inputs) > 1 and min(np.size(x) for x in case.inputs) >= 4])
def test_elementwise_broadcasts(case: Case) -> None:
    shapes = [(2, 1, 2), (3, 1), ()]
    inputs = tuple(np.resize(np.ravel(x), shape) for x, shape in zip(case.inputs, shapes))
    row = Case(case.primitive, inputs, case.reference, case.params, wrt=case.wrt, tolerance=case.tolerance)
    test_value(row)
    if row.differentiated:
        out = outputs(row, inputs)
        pulled_back = pulled(row, inputs, out)
        full = np.broadcast_arrays(*inputs)
        spread = Case(case.primitive, tuple(full), case.reference, case.params, wrt=case.wrt)
        for k, g, whole in zip(row.differentiated, pulled_back, pulled(spread, tuple(full), out)):
            assert g.shape == inputs[k].shape
            extra = whole.ndim - g.ndim
            axes = tuple(range(extra)) + tuple(
                extra + i for i, n in enumerate(g.shape) if n == 1 and whole.shape[extra + i] != 1
            )
            np.testing.assert_allclose(g, whole.sum(axes).reshape(g.shape), rtol=1e-9, atol=1e-12)
