"""Short combinations of arithmetic that TensorFlow has names for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import add_n, divide_no_nan, less, less_equal, multiply
from wengert.primitives.reduce import reduce_all
from wengert.primitives.shape import reshape
from wengert.tensor import IndexedSlices, as_operand

__all__ = [
    "accumulate_n",
    "is_non_decreasing",
    "is_strictly_increasing",
    "polyval",
    "reciprocal_no_nan",
    "scalar_mul",
]


def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> Any:
    """The sum of a list of tensors of one shape; the same as :func:`add_n`.

    Raises:
        InvalidArgumentError: the list is empty, or the shapes differ.

    >>> tf.math.accumulate_n([[1.0], [2.0]]).numpy().tolist()
    [3.0]
    """
    return add_n(inputs)


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """A tensor (or IndexedSlices) times a scalar.

    Raises:
        InvalidArgumentError: ``scalar`` has axes.

    >>> tf.math.scalar_mul(2.0, [1.0, 3.0]).numpy().tolist()
    [2.0, 6.0]
    """
    shape = as_operand(scalar)._array.shape
    if shape:
        raise InvalidArgumentError(f"scalar_mul: the scalar must have shape (), got {shape}")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(multiply(scalar, x.values), x.indices, x.dense_shape)
    return multiply(scalar, x)


def reciprocal_no_nan(x: Any, name: str | None = None) -> Any:
    """``1 / x``, and 0 where ``x`` is 0, with derivative 0 there; element-wise.

    >>> tf.math.reciprocal_no_nan([2.0, 0.0]).numpy().tolist()
    [0.5, 0.0]
    """
    return divide_no_nan(1, as_operand(x))


def polyval(coeffs: Sequence[Any], x: Any, name: str | None = None) -> Any:
    """The polynomial ``coeffs[0] x**(n - 1) + ... + coeffs[n - 1]``, element-wise, by Horner's rule.

    Args:
        coeffs: a list of tensors that broadcast with ``x``, the highest power's first.
        x: where to evaluate.

    Raises:
        ValueError: ``coeffs`` is not a list.

    >>> float(tf.math.polyval([1.0, 2.0, 3.0], 2.0))
    11.0
    """
    if not isinstance(coeffs, (list, tuple)):
        raise InvalidArgumentError(f"polyval: coeffs must be a list of tensors, got {type(coeffs).__name__}")
    x = as_operand(x)
    total = x * 0
    for coefficient in coeffs:
        total = total * x + coefficient
    return total


def is_non_decreasing(x: Any, name: str | None = None) -> Any:
    """Whether no element is smaller than the one before it, in the order of the flat tensor.

    >>> bool(tf.math.is_non_decreasing([1, 1, 2]))
    True
    """
    flat = reshape(as_operand(x), [-1])
    return reduce_all(less_equal(flat[:-1], flat[1:]))


def is_strictly_increasing(x: Any, name: str | None = None) -> Any:
    """Whether every element is larger than the one before it, in the order of the flat tensor.

    >>> bool(tf.math.is_strictly_increasing([1, 1, 2]))
    False
    """
    flat = reshape(as_operand(x), [-1])
    return reduce_all(less(flat[:-1], flat[1:]))
