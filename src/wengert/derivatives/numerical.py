"""Derivatives by central differences, to check the exact ones against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wengert.errors import DTypeError, InvalidArgumentError
from wengert.tape.gradient_tape import GradientTape
from wengert.tensor import IndexedSlices, Tensor, convert_to_tensor

__all__ = ["compute_gradient", "max_error"]


def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float | None = None
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The Jacobians of a function, from the tape and from central differences.

    Args:
        f: takes as many tensors as ``x`` has elements, returns a tensor.
        x: list of the arguments, floating or complex.
        delta: the step of the differences, by default 1/1024.

    Returns:
        Two tuples of Jacobians as arrays, from the tape and from the differences. For each argument there is a matrix
        of shape ``(elements of the result, elements of the argument)``, where a complex element counts as two: its real
        and its imaginary part.

    Raises:
        InvalidArgumentError: ``x`` is not a list or tuple.
        DTypeError: an argument or the result is not floating or complex.

    >>> exact, numerical = tf.test.compute_gradient(lambda x: x * x, [1.0])
    >>> exact[0].tolist(), numerical[0].round(4).tolist()
    ([[2.0]], [[2.0]])
    """
    if not isinstance(x, (list, tuple)):
        raise InvalidArgumentError(
            f"compute_gradient: x is a list or tuple of the arguments of f, as in [x]; got {type(x).__name__}"
        )
    arguments = [convert_to_tensor(value) for value in x]
    for k, argument in enumerate(arguments):
        _check_differentiable(f"argument {k}", argument)
    step = 1 / 1024 if delta is None else float(delta)
    return (
        tuple(_exact(f, arguments)),
        tuple(_by_differences(f, arguments, k, step) for k in range(len(arguments))),
    )


def max_error(grad1: Sequence[Any], grad2: Sequence[Any]) -> float:
    """The largest distance between corresponding elements of two tuples of Jacobians.

    >>> tf.test.max_error(*tf.test.compute_gradient(lambda x: 3 * x, [1.0])) < 1e-3
    True
    """
    return max((float(np.max(np.abs(a - b), initial=0)) for a, b in zip(grad1, grad2)), default=0.0)


def _check_differentiable(what: str, tensor: Tensor) -> None:
    if not (tensor.dtype.is_floating or tensor.dtype.is_complex):
        raise DTypeError(f"compute_gradient: {what} has dtype {tensor.dtype.name}, which has no derivative")


def _real_parts(array: Any) -> Any:
    """The elements as a vector of real numbers, a complex one giving two."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _exact(f: Callable[..., Any], arguments: list[Tensor]) -> list[Any]:
    """Row by row: the gradients of each real part of the result."""
    with GradientTape(persistent=True) as tape:
        tape.watch(arguments)
        y = convert_to_tensor(f(*arguments))
    _check_differentiable("the result", y)
    rows = _real_parts(y._array).size
    jacobians = [np.zeros((rows, _real_parts(a._array).size), _real_parts(a._array).dtype) for a in arguments]
    for row in range(rows):
        seed = np.zeros_like(y._array, order="C")
        _real_parts(seed)[row] = 1
        for jacobian, gradient in zip(jacobians, tape.gradient(y, arguments, output_gradients=Tensor(seed))):
            if gradient is not None:
                dense = gradient.dense() if isinstance(gradient, IndexedSlices) else gradient
                jacobian[row] = _real_parts(dense._array)
    return jacobians


def _by_differences(f: Callable[..., Any], arguments: list[Tensor], k: int, step: float) -> Any:
    """Column by column: how the result moves with each real part of argument ``k``."""
    array = arguments[k]._array
    columns = []
    for column in range(_real_parts(array).size):
        ends = []
        for sign in (1, -1):
            moved = np.array(array, order="C")
            _real_parts(moved)[column] += sign * step
            y = convert_to_tensor(f(*arguments[:k], Tensor(moved), *arguments[k + 1 :]))
            ends.append(_real_parts(y._array))
        columns.append((ends[0] - ends[1]) / ends[0].dtype.type(2 * step))
    if columns:
        return np.stack(columns, axis=1)
    return np.zeros((_real_parts(convert_to_tensor(f(*arguments))._array).size, 0), array.dtype)
