"""Errors, named as TensorFlow names them; each is also the Python error that a NumPy user would catch."""

from __future__ import annotations

__all__ = [
    "DTypeError",
    "FailedPreconditionError",
    "IndexOutOfRangeError",
    "InvalidArgumentError",
    "NotFoundError",
    "NumericsError",
    "OpError",
    "OutOfRangeError",
    "ResourceExhaustedError",
    "UnimplementedError",
    "UnknownError",
]


class OpError(Exception):
    """Base of all errors raised by operations.

    >>> issubclass(tf.errors.InvalidArgumentError, tf.errors.OpError)
    True
    """

    @property
    def message(self) -> str:
        """The text of the error: the operation, its operands, and what to do."""
        return str(self.args[0]) if self.args else ""


class InvalidArgumentError(OpError, ValueError):
    """An operation was given operands whose shapes, axes or values do not fit."""


class DTypeError(InvalidArgumentError, TypeError):
    """An operation was given a dtype, or a mix of dtypes, that it does not take."""


class IndexOutOfRangeError(InvalidArgumentError, IndexError):
    """An index lies outside the axis that it selects from."""


class NumericsError(InvalidArgumentError, FloatingPointError):
    """NumPy was told to raise (``np.errstate``), and an operation overflowed or left its domain."""


class FailedPreconditionError(OpError, RuntimeError):
    """An object is not in the state that the call needs."""


class NotFoundError(OpError, LookupError):
    """A name was asked for that does not exist."""


class OutOfRangeError(OpError, IndexError):
    """An operation ran past the end of its input."""


class ResourceExhaustedError(OpError, MemoryError):
    """Memory, or another resource, ran out."""


class UnimplementedError(OpError, NotImplementedError):
    """The operation exists, but not for these operands."""


class UnknownError(OpError, RuntimeError):
    """Something failed in code that Wengert called."""
