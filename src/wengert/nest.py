"""Nested structures: lists, tuples, named tuples, dictionaries and dataclasses, flattened and packed again.

>>> tf.nest.flatten({"b": [2, 3], "a": 1})
[1, 2, 3]
>>> tf.nest.map_structure(lambda x: 10 * x, {"a": 1, "b": (2, 3)})
{'a': 10, 'b': (20, 30)}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wengert.errors import InvalidArgumentError

__all__ = [
    "assert_same_structure",
    "flatten",
    "flatten_up_to",
    "flatten_with_paths",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]


def is_nested(structure: Any) -> bool:
    """Whether ``structure`` is a container rather than a leaf.

    >>> tf.nest.is_nested([1]), tf.nest.is_nested("text")
    (True, False)
    """
    return isinstance(structure, (list, tuple, Mapping)) or (
        dataclasses.is_dataclass(structure) and not isinstance(structure, type)
    )


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves in order; dictionaries are sorted by key.

    >>> tf.nest.flatten(((1, 2), [3]))
    [1, 2, 3]
    """
    return [leaf for _, leaf in flatten_with_paths(structure)]


def flatten_with_paths(structure: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Pairs of path and leaf, a path being the keys that lead to the leaf.

    >>> list(tf.nest.flatten_with_paths({"w": [5]}))
    [(('w', 0), 5)]
    """
    if not is_nested(structure):
        yield (), structure
        return
    for key, child in _children(structure):
        for path, leaf in flatten_with_paths(child):
            yield (key, *path), leaf


def flatten_up_to(shallow: Any, structure: Any) -> list[Any]:
    """The parts of ``structure`` that stand where ``shallow`` has leaves, which may be containers themselves.

    Raises:
        InvalidArgumentError: ``structure`` does not have the containers of ``shallow``.

    >>> tf.nest.flatten_up_to({"a": 0, "b": 0}, {"a": [1, 2], "b": 3})
    [[1, 2], 3]
    """
    if not is_nested(shallow):
        return [structure]
    above = dict(_children(shallow))
    below = dict(_children(structure)) if is_nested(structure) else {}
    if above.keys() != below.keys():
        raise InvalidArgumentError(f"the structure {structure!r} does not match {shallow!r}")
    return [part for key in above for part in flatten_up_to(above[key], below[key])]


def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any], expand_composites: bool = False) -> Any:
    """The leaves of ``flat_sequence`` in the shape of ``structure``.

    Raises:
        InvalidArgumentError: their number is not the number of leaves of ``structure``.

    >>> tf.nest.pack_sequence_as({"a": 0, "b": [0]}, [1, 2])
    {'a': 1, 'b': [2]}
    """
    flat = list(flat_sequence)
    count = len(flatten(structure))
    if len(flat) != count:
        raise InvalidArgumentError(f"the structure has {count} leaves, but {len(flat)} values were given")
    return _pack(structure, iter(flat))


def map_structure(func: Callable[..., Any], *structures: Any, **kwargs: Any) -> Any:
    """``func`` applied to corresponding leaves, in the shape of the first structure.

    Raises:
        InvalidArgumentError: the structures differ.

    >>> tf.nest.map_structure(lambda a, b: a + b, [1, (2,)], [3, (4,)])
    [4, (6,)]
    """
    for other in structures[1:]:
        assert_same_structure(structures[0], other)
    return pack_sequence_as(structures[0], [func(*leaves) for leaves in zip(*map(flatten, structures))])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raise InvalidArgumentError unless both have the same containers and keys.

    >>> tf.nest.assert_same_structure([1, {"a": 2}], [3, {"a": 4}])
    """
    if is_nested(nest1) != is_nested(nest2):
        raise InvalidArgumentError(f"the structures differ: {nest1!r} against {nest2!r}")
    if not is_nested(nest1):
        return
    if check_types and type(nest1) is not type(nest2):
        raise InvalidArgumentError(f"the structures differ: {type(nest1).__name__} against {type(nest2).__name__}")
    first, second = list(_children(nest1)), list(_children(nest2))
    if [key for key, _ in first] != [key for key, _ in second]:
        raise InvalidArgumentError(f"the structures differ: {nest1!r} against {nest2!r}")
    for (_, a), (_, b) in zip(first, second):
        assert_same_structure(a, b, check_types)


def _children(structure: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(structure, Mapping):
        for key in _sorted_keys(structure):
            yield key, structure[key]
    elif isinstance(structure, (list, tuple)):
        yield from enumerate(structure)
    else:
        for field in dataclasses.fields(structure):
            yield field.name, getattr(structure, field.name)


def _sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError as error:
        raise InvalidArgumentError(f"the keys of a dictionary must be sortable: {list(mapping)}") from error


def _pack(structure: Any, leaves: Iterator[Any]) -> Any:
    if not is_nested(structure):
        return next(leaves)
    packed = {key: _pack(child, leaves) for key, child in _children(structure)}
    if isinstance(structure, Mapping):
        return _mapping_like(structure, packed)
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return type(structure)(*packed.values())
    if isinstance(structure, (list, tuple)):
        return type(structure)(packed.values())
    return dataclasses.replace(structure, **packed)


def _mapping_like(structure: Mapping[Any, Any], packed: dict[Any, Any]) -> Any:
    ordered = {key: packed[key] for key in structure}
    if type(structure) is dict:
        return ordered
    copy = getattr(structure, "copy", None)
    if copy is None:
        return type(structure)(ordered)  # type: ignore[call-arg]
    result = copy()
    result.update(ordered)
    return result
