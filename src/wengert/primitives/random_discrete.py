"""Random counts, classes and permutations, which have no derivative."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import Spec
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import identity_
from wengert.primitives.primitive import primitive
from wengert.primitives.random import drawn_spec, parameter, seed_for
from wengert.primitives.random_seeds import generator_of
from wengert.primitives.shape import static_shape
from wengert.tensor import convert_to_tensor

__all__ = [
    "categorical",
    "poisson",
    "shuffle",
    "stateless_binomial",
    "stateless_categorical",
    "stateless_poisson",
    "stateless_shuffle",
]

# --- counts -----------------------------------------------------------------------------------------------------------


@primitive()  # which has no rules: a gradient through it raises, as in TensorFlow
def random_poisson(xp: Any, seed: Any, lam: Any, *, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Poisson distributed numbers with mean ``lam``."""
    return np.asarray(generator_of(seed).poisson(np.asarray(lam, np.float64), shape)).astype(dtype)


random_poisson.spec(drawn_spec)


def stateless_poisson(shape: Any, seed: Any, lam: Any, dtype: Any = np.int32, name: str | None = None) -> Any:
    """Poisson distributed numbers that depend on nothing but the arguments; they have no derivative.

    Args:
        shape: of the result.
        seed: two integers.
        lam: the mean, which broadcasts to the shape.
        dtype: an integer or floating dtype.

    >>> tf.random.stateless_poisson([3], [1, 2], lam=0.0).numpy().tolist()
    [0, 0, 0]
    """
    lam = parameter(lam, None)
    return random_poisson(seed, lam, shape=static_shape(shape), dtype=as_numpy_dtype(dtype))


def poisson(shape: Any, lam: Any, dtype: Any = np.float32, seed: int | None = None, name: str | None = None) -> Any:
    """Poisson distributed numbers, ``shape`` of them for each mean; they have no derivative.

    Args:
        shape: of the numbers for one mean.
        lam: the means.
        dtype: an integer or floating dtype.
        seed: an integer; see :func:`set_seed`.

    Returns:
        A tensor of shape ``shape + lam.shape``.

    >>> tf.random.poisson([10], [0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    lam = parameter(lam, None)
    return stateless_poisson(static_shape(shape) + lam._array.shape, seed_for(seed), lam, dtype)


@primitive()  # which has no rules: a gradient through it raises
def random_binomial(
    xp: Any, seed: Any, counts: Any, probs: Any, *, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> Any:
    """Numbers of successes among ``counts`` trials with probability ``probs``."""
    numbers = generator_of(seed).binomial(np.asarray(counts, np.int64), np.asarray(probs, np.float64), shape)
    return np.asarray(numbers).astype(dtype)


random_binomial.spec(drawn_spec)


def stateless_binomial(
    shape: Any, seed: Any, counts: Any, probs: Any, output_dtype: Any = np.int32, name: str | None = None
) -> Any:
    """Binomially distributed numbers that depend on nothing but the arguments; they have no derivative.

    Args:
        shape: of the result.
        seed: two integers.
        counts: the numbers of trials, which broadcast to the shape.
        probs: the probabilities of success, likewise.
        output_dtype: an integer or floating dtype.

    >>> tf.random.stateless_binomial([3], [1, 2], counts=10, probs=1.0).numpy().tolist()
    [10, 10, 10]
    """
    dtype = as_numpy_dtype(output_dtype)
    return random_binomial(seed, counts, probs, shape=static_shape(shape), dtype=dtype)


# --- categories and permutations -------------------------------------------------------------------------------------


@primitive(differentiable=False)
def random_categorical(xp: Any, seed: Any, logits: Any, *, num: int, dtype: np.dtype[Any]) -> Any:
    """``num`` classes for each row of logits, with their probabilities: by inversion of the distribution function."""
    with np.errstate(invalid="ignore"):
        weights = np.exp((logits - logits.max(axis=-1, keepdims=True)).astype(np.float64))
    cumulated = np.cumsum(weights, axis=-1)
    total = cumulated[:, -1:]
    if not np.isfinite(total).all():
        raise InvalidArgumentError("categorical: in some row of logits all are -inf, or one is inf or NaN")
    thresholds = generator_of(seed).random((len(logits), num)) * total
    if num <= 8:  # compare with every class
        chosen = np.sum(cumulated[:, None, :] <= thresholds[:, :, None], axis=-1)
    else:
        pairs = zip(cumulated, thresholds)
        chosen = np.stack([np.searchsorted(c, t, side="right") for c, t in pairs]) if len(logits) else thresholds
    return chosen.astype(dtype)


@random_categorical.spec
def _random_categorical_spec(seed: Spec, logits: Spec, *, num: int, dtype: np.dtype[Any]) -> Spec:
    return Spec((logits.shape[0], num), dtype)


def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = np.int64, name: str | None = None
) -> Any:
    """:func:`categorical` with numbers that depend on nothing but the arguments; ``seed`` is two integers.

    >>> tf.random.stateless_categorical([[0.0, -np.inf]], 3, seed=[1, 2]).numpy().tolist()
    [[0, 0, 0]]
    """
    logits = convert_to_tensor(logits)
    if logits._array.ndim != 2 or not logits._array.shape[1] or not logits.dtype.is_floating:
        raise InvalidArgumentError(
            f"categorical takes floating logits of shape (batch, classes), got {logits.dtype.name}{list(logits.shape)}"
        )
    return random_categorical(seed, logits, num=int(num_samples), dtype=as_numpy_dtype(dtype or np.int64))


def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None, name: str | None = None
) -> Any:
    """Numbers of classes, drawn with probabilities ``softmax(logits)``; they have no derivative.

    Args:
        logits: floating tensor of shape ``(batch, classes)``.
        num_samples: how many to draw for each row.
        dtype: an integer dtype, by default int64.
        seed: an integer; see :func:`set_seed`.

    Returns:
        A tensor of shape ``(batch, num_samples)``.

    Raises:
        InvalidArgumentError: the logits do not have two axes, or a row gives no probabilities.

    >>> tf.random.categorical([[-np.inf, 0.0], [0.0, -np.inf]], 3).numpy().tolist()
    [[1, 1, 1], [0, 0, 0]]
    """
    return stateless_categorical(logits, num_samples, seed_for(seed), dtype or np.int64)


@primitive(differentiable=False)
def random_permutation(xp: Any, seed: Any, *, count: int) -> Any:
    """The numbers from 0 up to ``count`` in random order."""
    return generator_of(seed).permutation(count).astype(np.int64)


@random_permutation.spec
def _random_permutation_spec(seed: Spec, *, count: int) -> Spec:
    return Spec((count,), np.dtype(np.int64))


@primitive()  # which has no rules: a gradient through it raises, as it used to in TensorFlow
def random_shuffle(xp: Any, seed: Any, value: Any) -> Any:
    """The rows in random order."""
    return value[generator_of(seed).permutation(len(value))]


@random_shuffle.spec
def _random_shuffle_spec(seed: Spec, value: Spec) -> Spec:
    return value


def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Any:
    """The rows of a tensor (its parts along the first axis) in random order.

    It has no derivative, and a gradient through it raises LookupError. Where one is wanted, gather with a random order:
    ``tf.random.experimental.stateless_shuffle``, or ``tf.gather(x, tf.random.shuffle(tf.range(n)))``.

    >>> sorted(tf.random.shuffle([1, 2, 3]).numpy().tolist())
    [1, 2, 3]
    """
    value = convert_to_tensor(value)
    return random_shuffle(seed_for(seed), value) if value._array.ndim else identity_(value)


def stateless_shuffle(value: Any, seed: Any, alg: Any = "auto_select", name: str | None = None) -> Any:
    """The rows of a tensor in an order that depends on nothing but the seed, two integers; differentiable.

    >>> sorted(tf.random.experimental.stateless_shuffle([1, 2, 3], seed=[1, 2]).numpy().tolist())
    [1, 2, 3]
    """
    value = convert_to_tensor(value)
    return value[random_permutation(seed, count=len(value))] if value._array.ndim else identity_(value)
