"""Shapes: TensorShape, axes, and the description (shape and dtype) of an array that is not there yet."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from wengert.errors import InvalidArgumentError

__all__ = ["Spec", "TensorShape", "broadcast_shapes", "normalize_axes", "normalize_axis", "reduced_shape"]


class TensorShape(tuple[Any, ...]):
    """The shape of a tensor: a tuple of sizes, with TensorFlow's conveniences.

    A size that is not known is None; ``TensorShape(None)`` is a shape of which even the number of axes is not known.

    >>> shape = tf.TensorShape([2, 3])
    >>> shape.rank, shape.num_elements(), shape.as_list(), shape == [2, 3]
    (2, 6, [2, 3], True)
    """

    __slots__ = ()

    def __new__(cls, dims: Any = ()) -> TensorShape:
        if dims is None or isinstance(dims, _UnknownShape):
            return super().__new__(_UnknownShape)
        if isinstance(dims, (int, np.integer)):
            dims = (dims,)
        return super().__new__(cls, tuple(None if d is None else operator.index(d) for d in dims))

    @property
    def rank(self) -> int | None:
        """The number of axes, or None if it is not known."""
        return len(self)

    @property
    def ndims(self) -> int | None:
        """The number of axes, or None if it is not known."""
        return self.rank

    @property
    def dims(self) -> list[int | None] | None:
        """The sizes as a list, or None if their number is not known."""
        return list(self)

    def as_list(self) -> list[int | None]:
        """The sizes as a list."""
        return list(self)

    def num_elements(self) -> int | None:
        """The number of elements, or None while a size is unknown."""
        return None if None in tuple(self) else int(np.prod(tuple(self), dtype=np.int64))

    def is_fully_defined(self) -> bool:
        """Whether every size is known."""
        return None not in tuple(self)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a tensor can have both shapes, an unknown size fitting any."""
        other = TensorShape(other)
        if other.rank is None:
            return True
        return len(self) == len(other) and all(a is None or b is None or a == b for a, b in zip(self, other))

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError unless :meth:`is_compatible_with` holds."""
        if not self.is_compatible_with(other):
            raise InvalidArgumentError(f"shapes {self} and {TensorShape(other)} are not compatible")

    def concatenate(self, other: Any) -> TensorShape:
        """The sizes of this shape followed by those of the other."""
        other = TensorShape(other)
        return other if other.rank is None else TensorShape(tuple(self) + tuple(other))

    def __getitem__(self, key: Any) -> Any:
        item = super().__getitem__(key)
        return TensorShape(item) if isinstance(key, slice) else item

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _UnknownShape):
            return False
        if isinstance(other, (tuple, list)):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return f"TensorShape({list(self)})"

    def __str__(self) -> str:
        return tuple.__repr__(self)


class _UnknownShape(TensorShape):
    """What ``TensorShape(None)`` gives."""

    __slots__ = ()

    @property
    def rank(self) -> None:
        return None

    @property
    def dims(self) -> None:
        return None

    def as_list(self) -> list[int | None]:
        raise InvalidArgumentError("a shape of unknown rank has no list of sizes")

    def num_elements(self) -> None:
        return None

    def is_fully_defined(self) -> bool:
        return False

    def is_compatible_with(self, other: Any) -> bool:
        return True

    def concatenate(self, other: Any) -> TensorShape:
        return self

    def __getitem__(self, key: Any) -> Any:
        return self if isinstance(key, slice) else None

    def __len__(self) -> int:
        raise InvalidArgumentError("a shape of unknown rank has no length")

    def __iter__(self) -> Any:
        raise InvalidArgumentError("a shape of unknown rank cannot be iterated over")

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, _UnknownShape)

    __hash__ = tuple.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (None,)

    def __repr__(self) -> str:
        return "TensorShape(None)"

    def __str__(self) -> str:
        return "<unknown>"


class Spec(NamedTuple):
    """Shape and dtype of an array: what a shape rule takes and returns."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The common shape under NumPy's broadcasting; InvalidArgumentError if there is none."""
    try:
        return np.broadcast_shapes(*map(tuple, shapes))
    except ValueError:
        listing = ", ".join(str(tuple(s)) for s in shapes)
        raise InvalidArgumentError(
            f"shapes {listing} do not broadcast: sizes must be equal or 1, counted from the last axis"
        ) from None


def normalize_axis(axis: Any, ndim: int, operation: str = "") -> int:
    """``axis`` as a number from 0 to ``ndim - 1``; negative ones count from the end. Errors name the operation."""
    try:
        number = operator.index(axis)
    except TypeError:
        raise InvalidArgumentError(_said_by(operation, f"axis must be an integer, got {axis!r}")) from None
    if not -ndim <= number < ndim:
        raise InvalidArgumentError(_said_by(operation, f"axis {number} is out of range for a tensor with {ndim} axes"))
    return number % ndim


def normalize_axes(axis: Any, ndim: int, operation: str = "") -> tuple[int, ...]:
    """The axes that a reduction names, sorted; None means all of them. Duplicates raise. Errors name the operation."""
    if axis is None:
        return tuple(range(ndim))
    if axis.__class__ is not int and isinstance(axis, Iterable) and getattr(axis, "ndim", 1) != 0:
        axes = tuple(sorted(normalize_axis(a, ndim, operation) for a in axis))
        if len(set(axes)) != len(axes):
            raise InvalidArgumentError(_said_by(operation, f"axis {tuple(axis)} names an axis twice"))
        return axes
    return (normalize_axis(axis, ndim, operation),)


def _said_by(operation: str, message: str) -> str:
    return f"{operation}: {message}" if operation else message


def reduced_shape(shape: Sequence[int], axes: tuple[int, ...], keepdims: bool) -> tuple[int, ...]:
    """The shape left when ``axes`` are reduced away (or to size 1)."""
    if keepdims:
        return tuple(1 if k in axes else n for k, n in enumerate(shape))
    return tuple(n for k, n in enumerate(shape) if k not in axes)
