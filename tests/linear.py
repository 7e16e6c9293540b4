"""A check for functions that only move, copy and add elements: linear, with their transpose as gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import wengert as tf


def results(value: Any) -> list[Any]:
    """One result or several, as a list."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    """Reproducible float64 values."""
    return np.random.default_rng(seed).standard_normal(shape)


def assert_linear(on_tensors: Callable[..., Any], on_arrays: Callable[..., Any], *shapes: tuple[int, ...]) -> None:
    """The functions agree, and the gradient of the first is the transpose of the second.

    Both take one array or tensor for each of the shapes. The result may have a constant part.
    """
    arrays = [numbers(*shape, seed=k) for k, shape in enumerate(shapes)]
    tensors = [tf.constant(x) for x in arrays]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        got = results(on_tensors(*tensors))
    expected = results(on_arrays(*arrays))
    assert [g.shape for g in got] == [np.shape(e) for e in expected]
    for g, e in zip(got, expected):
        assert isinstance(g, tf.Tensor)
        np.testing.assert_array_equal(g.numpy(), e)
    seeds = [numbers(*np.shape(e), seed=50 + k) for k, e in enumerate(expected)]
    gradients = tape.gradient(got, tensors, [tf.constant(s) for s in seeds], unconnected_gradients="zero")
    assert [g.shape for g in gradients] == list(shapes)
    directions = [numbers(*shape, seed=90 + k) for k, shape in enumerate(shapes)]
    moved = results(on_arrays(*directions))
    still = results(on_arrays(*(np.zeros(shape) for shape in shapes)))
    along = sum(np.sum(s * (m - z)) for s, m, z in zip(seeds, moved, still))
    np.testing.assert_allclose(sum(np.sum(g.numpy() * d) for g, d in zip(gradients, directions)), along, atol=1e-9)
