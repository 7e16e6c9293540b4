"""Module: an object that finds the Variables in its attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wengert.tensor import Variable

__all__ = ["Module"]


class Module:
    """Base class of layers and models: knows the Variables and the modules that its attributes hold.

    Attributes may be Variables, modules, and lists, tuples or dictionaries of these.

    >>> class Dense(tf.Module):
    ...     def __init__(self, inputs, outputs):
    ...         super().__init__(name="dense")
    ...         self.w = tf.Variable(tf.ones([inputs, outputs]), name="w")
    ...         self.b = tf.Variable(tf.zeros([outputs]), name="b")
    ...     def __call__(self, x):
    ...         return x @ self.w + self.b
    >>> dense = Dense(3, 2)
    >>> [v.name for v in dense.trainable_variables]
    ['b:0', 'w:0']
    """

    def __init__(self, name: str | None = None) -> None:
        self._name = name or type(self).__name__.lower()

    @property
    def name(self) -> str:
        """The module's name, by default that of its class in lower case."""
        return getattr(self, "_name", type(self).__name__.lower())

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The Variables of this module and of those in it, each once, by name of the attribute."""
        found = {v._id: v for thing in _walk(self, set()) if isinstance(v := thing, Variable)}
        return tuple(found.values())

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of :attr:`variables` that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """Those of :attr:`variables` that are not trainable."""
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """The modules in this one, at any depth."""
        return tuple(m for m in _walk(self, set()) if isinstance(m, Module) and m is not self)


def _walk(thing: Any, seen: set[int]) -> Iterator[Any]:
    """The Variables and modules that can be reached from ``thing`` through attributes and containers."""
    if isinstance(thing, Variable):
        yield thing
        return
    if not isinstance(thing, (Module, Mapping, list, tuple)) or id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, Module):
        yield thing
        parts = [value for _, value in sorted(vars(thing).items())]
    elif isinstance(thing, Mapping):
        parts = list(thing.values())
    else:
        parts = list(thing)
    for part in parts:
        yield from _walk(part, seen)
