"""Checks for NaN and infinity."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.errors import InvalidArgumentError
from wengert.primitives.primitive import primitive
from wengert.recording import state

__all__ = ["assert_all_finite", "check_numerics", "disable_check_numerics", "enable_check_numerics"]


def _described_fault(x: Any) -> str:
    """What is not finite in an array, and where first; nothing if all is."""
    finite = np.isfinite(x)
    if finite.all():
        return ""
    bad = np.argwhere(~finite)
    value = x[tuple(bad[0])]
    where = f" at {bad[0].tolist()}" if bad.shape[1] else ""
    count = f", the first of {len(bad)} of {x.size} elements that are not finite" if len(bad) > 1 else ""
    return f"{value}{where}{count}"


@primitive(elementwise=True, linear=("x",))
def check_numerics_(xp: Any, x: Any, *, message: str) -> Any:
    """The array itself, all of whose elements must be finite."""
    fault = _described_fault(x)
    if fault:
        raise InvalidArgumentError(f"check_numerics: {message}: found {fault}")
    return x


@check_numerics_.vjp
def _check_numerics_vjp(xp: Any, g: Any, message: str) -> Any:
    return xp.check_numerics(g, message=f"the gradient at {message!r}")


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:
    """The tensor itself, which must hold neither NaN nor infinity; its gradient is checked as well.

    Args:
        tensor: floating or complex tensor.
        message: begins the text of the error.

    Raises:
        InvalidArgumentError: an element is not finite; the text names the message, the element and its index.

    >>> tf.debugging.check_numerics([1.0, float("nan")], "loss")
    Traceback (most recent call last):
        ...
    wengert.errors.InvalidArgumentError: check_numerics: loss: found nan at [1]
    """
    return check_numerics_(tensor, message=message)


def assert_all_finite(x: Any, message: str, name: str | None = None) -> Any:
    """The tensor itself, which must hold neither NaN nor infinity: :func:`check_numerics` under another name.

    >>> tf.debugging.assert_all_finite([1.0, 2.0], "loss").numpy().tolist()
    [1.0, 2.0]
    """
    return check_numerics(x, message)


class _Inspector:
    """A recorder that looks at every result."""

    def record(
        self, rule: Any, inputs: tuple[Any, ...], ids: tuple[int, ...], outputs: tuple[Any, ...], params: dict[str, Any]
    ) -> None:
        """Raise if some output is not finite."""
        for out in outputs:
            array = out._array
            if array.dtype.kind in "fcV":
                fault = _described_fault(array)
                if fault:
                    raise InvalidArgumentError(
                        f"{rule.title}: its result of shape {array.shape} holds {fault} (by enable_check_numerics)"
                    )


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From here on, raise InvalidArgumentError as soon as an operation of this thread gives NaN or infinity.

    The operations of backward passes are checked as well. It costs time; end it with :func:`disable_check_numerics`.

    >>> tf.debugging.enable_check_numerics()
    >>> try:
    ...     tf.divide(1.0, 0.0)
    ... except tf.errors.InvalidArgumentError as error:
    ...     print(error)
    ... finally:
    ...     tf.debugging.disable_check_numerics()
    true_divide: its result of shape () holds inf (by enable_check_numerics)
    """
    if not any(isinstance(r, _Inspector) for r in state.recorders):
        state.recorders = (_Inspector(), *state.recorders)


def disable_check_numerics() -> None:
    """End what :func:`enable_check_numerics` began."""
    state.recorders = tuple([r for r in state.recorders if not isinstance(r, _Inspector)])
