"""The same elements in another order along their axes: reverse and roll."""

from __future__ import annotations

from typing import Any

from wengert.arrays.shapes import Spec, normalize_axes, normalize_axis
from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import identity_
from wengert.primitives.primitive import primitive
from wengert.primitives.shape import is_single, static_shape
from wengert.tensor import as_operand

__all__ = ["reverse", "roll"]


@primitive(linear=("x",), moves=True)
def reverse_(xp: Any, x: Any, *, axis: tuple[int, ...]) -> Any:
    """The elements in reverse order along axes."""
    return xp.flip(x, axis=axis)


reverse_.vjp(lambda xp, g, axis: xp.flip(g, axis=axis))


@reverse_.spec
def _reverse_spec(x: Spec, *, axis: tuple[int, ...]) -> Spec:
    return x


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    """The elements in reverse order along one or more axes.

    Raises:
        InvalidArgumentError: an axis is out of range or named twice.

    >>> tf.reverse([[1, 2], [3, 4]], axis=[1]).numpy().tolist()
    [[2, 1], [4, 3]]
    """
    x: Any = as_operand(tensor)
    return reverse_(x, axis=normalize_axes(static_shape(axis, "reverse"), x._array.ndim))


@primitive(linear=("x",), moves=True)
def roll_(xp: Any, x: Any, *, shift: tuple[int, ...], axis: tuple[int, ...]) -> Any:
    """The elements moved along axes, what leaves at one end entering at the other."""
    return xp.roll(x, shift, axis)


@roll_.vjp
def _roll_vjp(xp: Any, g: Any, shift: Any, axis: Any) -> Any:
    return xp.roll(g, tuple([-n for n in shift]), axis)


@roll_.spec
def _roll_spec(x: Spec, *, shift: tuple[int, ...], axis: tuple[int, ...]) -> Spec:
    return x


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Any:
    """The elements moved along axes, what leaves at one end entering at the other.

    Args:
        input: tensor.
        shift: by how many places, negative towards the beginning: one integer, or one for each axis.
        axis: along which axis or axes; for an axis that is named twice the shifts add up.

    Raises:
        InvalidArgumentError: an axis is out of range, or there is not one shift for each axis.

    >>> tf.roll([0, 1, 2, 3, 4], shift=2, axis=0).numpy().tolist()
    [3, 4, 0, 1, 2]
    """
    x: Any = as_operand(input)
    shifts = static_shape(shift, "roll")
    axes = tuple([normalize_axis(k, x._array.ndim) for k in static_shape(axis, "roll")])
    if len(shifts) != len(axes) and not is_single(shift):
        raise InvalidArgumentError(
            f"roll takes one shift for each axis, got shift {list(shifts)} and axis {list(axes)}"
        )
    if not axes:
        return identity_(x)
    return roll_(x, shift=shifts * len(axes) if len(shifts) != len(axes) else shifts, axis=axes)
