"""Generator: a source of random numbers with a state of its own."""

from __future__ import annotations

import math
import os
import threading
from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec
from wengert.errors import InvalidArgumentError
from wengert.primitives import random, random_discrete
from wengert.primitives.primitive import primitive
from wengert.primitives.random_seeds import generators, mixed
from wengert.primitives.shape import static_shape
from wengert.tensor import Tensor, TensorLike, Variable, convert_to_tensor

__all__ = ["Generator", "create_rng_state", "get_global_generator", "set_global_generator"]

_PHILOX = 1
_WORD = 2**64 - 1


@primitive(differentiable=False)
def state_seed(xp: Any, state: Any) -> Any:
    """The seed of the numbers that a generator in this state draws next."""
    return mixed(*map(int, state))


@state_seed.spec
def _state_seed_spec(state: Spec) -> Spec:
    return Spec((2,), np.dtype(np.int64))


@primitive(differentiable=False)
def advanced_state(xp: Any, state: Any, *, count: int) -> Any:
    """The state after ``count`` more numbers."""
    low, high, key = map(int, state)
    counter = ((high << 64) + (low & _WORD) + count) & (2**128 - 1)
    return np.array([counter & _WORD, counter >> 64, key & _WORD], np.uint64).view(np.int64)


@advanced_state.spec
def _advanced_state_spec(state: Spec, *, count: int) -> Spec:
    return state


class Generator:
    """A source of random numbers with a state of its own, which no global seed changes.

    The state is a Variable of three int64 numbers: a counter of two words, which counts the numbers drawn, and a key.
    Make a generator with :meth:`from_seed`, :meth:`from_non_deterministic_state`, or :meth:`from_state`.

    Args:
        copy_from: a Generator to copy.
        state: three integers, or a Variable of them that becomes the state.
        alg: ``"philox"``.

    Raises:
        InvalidArgumentError: neither or both of ``copy_from`` and ``state`` are given, or the state is no state.

    >>> g = tf.random.Generator.from_seed(1)
    >>> a, b = g.normal([2]), g.normal([2])
    >>> again = tf.random.Generator.from_seed(1)
    >>> bool(tf.reduce_all(a == again.normal([2]))), bool(tf.reduce_all(a == b))
    (True, False)
    """

    def __init__(self, copy_from: Generator | None = None, state: Any = None, alg: Any = None) -> None:
        if (copy_from is None) == (state is None):
            raise InvalidArgumentError("a Generator is made of either copy_from or state; see Generator.from_seed")
        if copy_from is not None:
            state = copy_from.state.numpy()
        _check_algorithm(alg)
        if not isinstance(state, Variable):
            state = Variable(_checked_state(state), trainable=False, name="StateVar")
        self._state: Variable = state
        self._lock = threading.RLock()
        generators.add(self)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator whose numbers depend on the seed, an integer or several."""
        return cls(state=create_rng_state(seed, _check_algorithm(alg)))

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """A generator in the given state, for instance ``other.state``."""
        return cls(state=state if isinstance(state, Variable) else _checked_state(state), alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """A generator with the given key, an integer, and counter, two integers."""
        return cls(state=_state_of(key, counter), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator whose numbers nobody can foretell."""
        return cls(state=np.frombuffer(os.urandom(24), np.int64), alg=alg)

    @property
    def state(self) -> Variable:
        """The Variable that holds the state."""
        return self._state

    @property
    def key(self) -> Any:
        """The key, a scalar tensor."""
        return self._state[2]

    @property
    def algorithm(self) -> int:
        """The number of the algorithm in TensorFlow's list: 1, Philox."""
        return _PHILOX

    def reset(self, state: Any) -> None:
        """Go to the given state."""
        self._state.assign(_checked_state(state))

    def reset_from_seed(self, seed: Any) -> None:
        """Go to the state that :meth:`from_seed` starts in."""
        self.reset(create_rng_state(seed, _PHILOX))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Go to the given key, an integer, and counter, two integers."""
        self.reset(_state_of(key, counter))

    def skip(self, delta: Any) -> Tensor:
        """Move on as if ``delta`` numbers had been drawn; returns the state before.

        >>> g, h = tf.random.Generator.from_seed(1), tf.random.Generator.from_seed(1)
        >>> before = g.skip(5)
        >>> _ = h.uniform([5])
        >>> bool(tf.reduce_all(g.state == h.state))
        True
        """
        with self._lock:
            before = self._state.read_value()
            self._state.assign(advanced_state(before, count=int(delta)))
        return before

    def _seed(self, count: int) -> Any:
        """The seed for ``count`` numbers, which count as drawn from here on."""
        with self._lock:
            seed = state_seed(self._state)
            self._state.assign(advanced_state(self._state, count=max(count, 1)))
        return seed

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = np.float32, name: str | None = None
    ) -> Any:
        """Normally distributed numbers; the arguments are those of :func:`wengert.random.normal`."""
        size = static_shape(shape)
        return random.stateless_normal(size, self._seed(math.prod(size)), mean, stddev, dtype)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = np.float32, name: str | None = None
    ) -> Any:
        """Normally distributed numbers within two standard deviations of the mean."""
        size = static_shape(shape)
        return random.stateless_truncated_normal(size, self._seed(math.prod(size)), mean, stddev, dtype)

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = np.float32, name: str | None = None
    ) -> Any:
        """Uniformly distributed numbers; the arguments are those of :func:`wengert.random.uniform`."""
        size = static_shape(shape)
        return random.stateless_uniform(size, self._seed(math.prod(size)), minval, maxval, dtype)

    def uniform_full_int(self, shape: Any, dtype: Any = np.uint64, name: str | None = None) -> Any:
        """Integers over the whole range of their dtype."""
        size = static_shape(shape)
        return random.stateless_uniform(size, self._seed(math.prod(size)), None, None, dtype)

    def binomial(self, shape: Any, counts: Any, probs: Any, dtype: Any = np.int32, name: str | None = None) -> Any:
        """Numbers of successes among ``counts`` trials with probability ``probs``; both broadcast to the shape."""
        size = static_shape(shape)
        return random_discrete.stateless_binomial(size, self._seed(math.prod(size)), counts, probs, dtype)

    def make_seeds(self, count: int = 1) -> Any:
        """Seeds for the stateless functions: an int64 tensor of shape ``(2, count)``, a seed in each column."""
        return self.uniform_full_int([2, count], np.int64)

    def split(self, count: int = 1) -> list[Generator]:
        """New generators, independent of this one and of each other."""
        return [Generator(state=[0, *map(int, words)]) for words in self.make_seeds(count)._array.T]

    def __reduce__(self) -> tuple[Any, ...]:
        return _generator_in, (self._state.numpy(),)


def _generator_in(state: Any) -> Generator:
    return Generator(state=state)


def create_rng_state(seed: Any, alg: Any) -> Any:
    """The state, as an array, of a Generator with a seed: an integer, or several that are mixed.

    >>> tf.random.create_rng_state(7, "philox").tolist()
    [0, 0, 7]
    """
    _check_algorithm(alg)
    words = np.atleast_1d(np.asarray(seed._array if isinstance(seed, TensorLike) else seed))
    if words.dtype.kind not in "iu" and words.dtype != object:
        raise InvalidArgumentError(f"a seed consists of integers, got dtype {words.dtype}")
    if words.size == 1:
        return np.array([0, 0, int(words[0]) & _WORD], np.uint64).view(np.int64)
    return np.array([0, *mixed(*map(int, words.ravel()))], np.int64)


def _state_of(key: Any, counter: Any) -> Any:
    return [*map(int, convert_to_tensor(counter)._array), int(key)]


def _checked_state(state: Any) -> Any:
    array = np.asarray(state._array if isinstance(state, TensorLike) else state)
    if array.shape != (3,) or array.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"the state of a Generator is three integers, got {array.dtype} of shape {array.shape}; "
            "for a seed use Generator.from_seed"
        )
    return array.astype(np.int64)


def _check_algorithm(alg: Any) -> int:
    if alg not in (None, "philox", "auto_select", _PHILOX):
        raise InvalidArgumentError(f'the algorithm of random numbers is "philox", got {alg!r}')
    return _PHILOX


_lock = threading.Lock()
_global_generator: Generator | None = None


def get_global_generator() -> Generator:
    """The Generator that everybody shares; at first in a state that nobody can foretell.

    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(1))
    >>> tf.random.get_global_generator().uniform([2]).shape
    TensorShape([2])
    """
    global _global_generator
    with _lock:
        if _global_generator is None:
            _global_generator = Generator.from_non_deterministic_state()
        return _global_generator


def set_global_generator(generator: Generator) -> None:
    """Put another Generator in the place of the global one."""
    global _global_generator
    with _lock:
        _global_generator = generator
