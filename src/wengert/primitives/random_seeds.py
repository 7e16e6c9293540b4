"""Seeds: pairs of integers that determine random numbers, and the state from which fresh ones are drawn.

Everything random in Wengert is a function of a seed, an int64 tensor of shape ``(2,)``: the key of NumPy's generator
Philox, which is based on a counter. The functions that take no seed draw a fresh one, so that :func:`fresh_seed` is the
only operation whose result differs from call to call.

Source: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from wengert.arrays.shapes import Spec
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.primitive import primitive
from wengert.tensor import Variable

__all__ = [
    "HasState",
    "RandomState",
    "fold_in",
    "fresh_seed",
    "generator_of",
    "generators",
    "mixed",
    "random_state",
    "replayed",
    "set_seed",
    "split",
]

# the last word of Philox's counter keeps apart what one key is used for
_NUMBERS, _SPLIT, _FOLD, _FRESH, _FRESH_OF_OPERATION = range(5)
#: the global seed of operations that have a seed of their own while there is no other, as in TensorFlow
_DEFAULT_SEED: Final = 87654321
_WORD: Final = 2**64 - 1


class HasState(Protocol):
    """A Generator, for which this file is too low to know the class."""

    _state: Variable


class _Local(threading.local):
    """What each thread has of its own: a Philox generator to be set to any key, and the stream that it replays."""

    generator: Any = None
    stream: _Stream | None = None


_local = _Local()


def _generator_at(key: Any, counter: int, purpose: int) -> np.random.Generator:
    """This thread's generator, set to a key of two words and to a place in the key's stream."""
    generator = _local.generator
    if generator is None:
        generator = _local.generator = np.random.Generator(np.random.Philox(0))
    generator.bit_generator.state = {
        "bit_generator": "Philox",
        "state": {"counter": np.array([0, counter & _WORD, 0, purpose], np.uint64), "key": key},
        "buffer": np.zeros(4, np.uint64),
        "buffer_pos": 4,
        "has_uint32": 0,
        "uinteger": 0,
    }
    return generator  # type: ignore[no-any-return]


def _seeds_at(key: Any, counter: int, purpose: int, count: int) -> Any:
    """Seeds of shape ``(count, 2)``."""
    words = _generator_at(key, counter, purpose).bit_generator.random_raw(2 * count)
    return words.view(np.int64).reshape(count, 2)


def _key(seed: Any) -> Any:
    """The two words of a seed."""
    if seed.shape != (2,):
        raise InvalidArgumentError(f"a seed has shape (2,), as in seed=[1, 2]; got shape {seed.shape}")
    if seed.dtype.kind not in "iu":
        raise DTypeError(f"a seed consists of two integers, got dtype {seed.dtype}")
    return seed.astype(np.int64).view(np.uint64)


def generator_of(seed: Any) -> np.random.Generator:
    """NumPy's generator of the numbers that belong to a seed; valid until this thread asks for another."""
    return _generator_at(_key(seed), 0, _NUMBERS)


def mixed(*words: int) -> Any:
    """A seed, as an array, that depends on all of the integers."""
    seed = np.array([len(words), 0], np.int64)
    for word in words:
        seed = _seeds_at(seed.view(np.uint64), word, _FOLD, 1)[0]
    return seed


# --- seeds from seeds ------------------------------------------------------------------------------------------------


@primitive(differentiable=False)
def split_seed(xp: Any, seed: Any, *, num: int) -> Any:
    """``num`` seeds that are independent of each other."""
    return _seeds_at(_key(seed), 0, _SPLIT, num)


@split_seed.spec
def _split_seed_spec(seed: Spec, *, num: int) -> Spec:
    return Spec((num, 2), np.dtype(np.int64))


def split(seed: Any, num: int = 2, alg: Any = "auto_select") -> Any:
    """New seeds from one, independent of each other and of the numbers that the one gives.

    Args:
        seed: two integers.
        num: how many.
        alg: accepted; there is one algorithm.

    Returns:
        An int64 tensor of shape ``(num, 2)``.

    Raises:
        InvalidArgumentError: the seed does not have shape ``(2,)``.

    >>> first, second = tf.random.split([1, 2])
    >>> bool(tf.reduce_any(first != second))
    True
    """
    return split_seed(seed, num=int(num))


@primitive(differentiable=False)
def fold_in_(xp: Any, seed: Any, data: Any) -> Any:
    """The seed changed by an integer."""
    return _seeds_at(_key(seed), int(data), _FOLD, 1)[0]


@fold_in_.spec
def _fold_in_spec(seed: Spec, data: Spec) -> Spec:
    return Spec((2,), np.dtype(np.int64))


def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """A new seed from one and an integer, such as the number of a step.

    Args:
        seed: two integers.
        data: an integer.
        alg: accepted; there is one algorithm.

    Raises:
        InvalidArgumentError: the seed does not have shape ``(2,)``.

    >>> tf.random.fold_in([1, 2], 3).shape
    TensorShape([2])
    """
    return fold_in_(seed, data)


# --- fresh seeds -----------------------------------------------------------------------------------------------------


class _Stream:
    """Fresh seeds in an order that the global seed determines."""

    def __init__(self, seed: int | None, entropy: int, calls: int = 0, calls_of: dict[int, int] | None = None) -> None:
        self._lock = threading.Lock()
        self.seed = seed
        #: takes the seed's place while nobody set one
        self.entropy = entropy
        self.calls = calls
        #: seed of an operation -> calls with it
        self.calls_of = {} if calls_of is None else calls_of

    def next(self, seed: int | None) -> Any:
        """The next seed, for an operation without a seed or with one."""
        with self._lock:
            if seed is None:
                words, purpose = (self.entropy if self.seed is None else self.seed, 0), _FRESH
                count = self.calls
                self.calls = count + 1
            else:
                words, purpose = (_DEFAULT_SEED if self.seed is None else self.seed, seed), _FRESH_OF_OPERATION
                count = self.calls_of.get(seed, 0)
                self.calls_of[seed] = count + 1
        return _seeds_at(np.array([w & _WORD for w in words], np.uint64), count, purpose, 1)[0]

    def restart(self, seed: int) -> None:
        """Begin anew with a global seed."""
        with self._lock:
            self.seed, self.calls, self.calls_of = seed, 0, {}


_global: Final = _Stream(None, int.from_bytes(os.urandom(8), "little"))
#: all Generators in use: their states are part of the random state
generators: Final[weakref.WeakSet[HasState]] = weakref.WeakSet()


@primitive(differentiable=False)
def fresh_seed(xp: Any, *, seed: int | None) -> Any:
    """The next seed of the global stream, or of the stream of an operation's own seed: a new one with each call."""
    return (_local.stream or _global).next(seed)


@fresh_seed.spec
def _fresh_seed_spec(*, seed: int | None) -> Spec:
    return Spec((2,), np.dtype(np.int64))


def set_seed(seed: int) -> None:
    """Set the global seed: from here on, the same operations give the same random numbers.

    An operation's own ``seed`` argument starts a stream of its own: with a global and an own seed, or with an own seed
    alone, the first call with it gives always the same numbers, the second call others, and so on. Without any seed the
    numbers differ from run to run.

    Args:
        seed: any integer.

    >>> tf.random.set_seed(5)
    >>> a = tf.random.uniform([3])
    >>> tf.random.set_seed(5)
    >>> bool(tf.reduce_all(a == tf.random.uniform([3])))
    True
    """
    (_local.stream or _global).restart(int(seed))


class RandomState(NamedTuple):
    """Where all streams of random numbers stand at a moment."""

    seed: int | None
    entropy: int
    calls: int
    calls_of: tuple[tuple[int, int], ...]
    #: the state of each Generator, kept alive by nobody
    generators: tuple[tuple[weakref.ref[HasState], Any], ...]


def random_state() -> RandomState:
    """The state from which the next random numbers of this thread will be drawn; give it to :func:`replayed`."""
    stream = _local.stream or _global
    with stream._lock:
        calls_of = tuple(stream.calls_of.items())
        seed, calls = stream.seed, stream.calls
    states = tuple([(weakref.ref(g), g._state._array) for g in tuple(generators)]) if generators else ()
    return RandomState(seed, stream.entropy, calls, calls_of, states)


@contextmanager
def replayed(state: RandomState) -> Iterator[None]:
    """Within the context, this thread draws again the random numbers that followed ``state``.

    Afterwards everything goes on as if the context had not been. Other threads do not notice, unless they share a
    Generator.

    >>> from wengert.primitives.random_seeds import random_state, replayed
    >>> state = random_state()
    >>> a = tf.random.normal([3])
    >>> with replayed(state):
    ...     b = tf.random.normal([3])
    >>> bool(tf.reduce_all(a == b))
    True
    """
    before = _local.stream
    present = [(g, g._state._array) for g in tuple(generators)]
    _local.stream = _Stream(state.seed, state.entropy, state.calls, dict(state.calls_of))
    try:
        for reference, array in state.generators:
            generator = reference()
            if generator is not None:
                generator._state._hold(array)
        yield
    finally:
        _local.stream = before
        for generator, array in present:
            generator._state._hold(array)
