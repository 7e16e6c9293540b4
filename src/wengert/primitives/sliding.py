"""Windows that slide over spatial axes: how convolution and pooling are told of strides, padding and layout."""

from __future__ import annotations

import math
from typing import Any

from wengert.arrays.correlation import Windows
from wengert.errors import InvalidArgumentError
from wengert.primitives.shape import reshape_, static_shape, transpose_

__all__ = ["Layout", "Padding", "layout_for_filters", "layout_of", "numbers_for", "padding_for", "windows_on"]

#: zeros before and after the elements of each spatial axis
Padding = tuple[tuple[int, int], ...]

_FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


class Layout:
    """Where a tensor has its channels, and how to bring it to ``(batch, *spatial, channels)`` and back.

    Args:
        spatial_axes: their number.
        channels_first: whether the channels come before the spatial axes.
    """

    def __init__(self, spatial_axes: int, channels_first: bool) -> None:
        self.spatial_axes = spatial_axes
        self.channels_first = channels_first

    def channels_last(self, x: Any) -> Any:
        """The tensor with its channels last and all batch axes as one."""
        ndim = x._array.ndim
        batch = ndim - self.spatial_axes - 1
        if self.channels_first:
            x = transpose_(x, axes=(*range(batch), *range(batch + 1, ndim), batch))
        shape = x._array.shape
        return x if batch == 1 else reshape_(x, shape=(math.prod(shape[:batch]), *shape[batch:]))

    def restored(self, y: Any, batch_shape: tuple[int, ...]) -> Any:
        """The result with the batch axes that its input had, and with the channels where they were."""
        if len(batch_shape) != 1:
            y = reshape_(y, shape=(*batch_shape, *y._array.shape[1:]))
        if self.channels_first:
            batch, ndim = len(batch_shape), y._array.ndim
            y = transpose_(y, axes=(*range(batch), ndim - 1, *range(batch, ndim - 1)))
        return y

    def batch_shape(self, x: Any) -> tuple[int, ...]:
        """The sizes of the axes before the spatial axes and channels."""
        return tuple(x._array.shape[: x._array.ndim - self.spatial_axes - 1])

    def sorted_out(self, shape: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """The spatial sizes and the number of channels in a shape with this layout."""
        inner = shape[len(shape) - self.spatial_axes - 1 :]
        return (inner[1:], inner[0]) if self.channels_first else (inner[:-1], inner[-1])


def layout_of(operation: str, data_format: Any, spatial_axes: int) -> Layout:
    """The layout that a ``data_format`` names; channels last if it is None.

    Raises:
        InvalidArgumentError: the format is unknown, or belongs to another number of spatial axes.
    """
    last, first = _FORMATS.get(spatial_axes, ("N...C", "NC..."))
    if data_format is None or data_format == last:
        return Layout(spatial_axes, False)
    if data_format == first:
        return Layout(spatial_axes, True)
    raise InvalidArgumentError(
        f"{operation}: data_format must be {last!r} (channels last) or {first!r}, got {data_format!r}"
    )


def layout_for_filters(operation: str, x: Any, filters: Any, n: int, data_format: Any) -> Layout:
    """The layout of an input that filters with ``n`` spatial axes are to slide over.

    Raises:
        InvalidArgumentError: input or filters do not have these axes, or the format is unknown.
    """
    if n < 1 or filters._array.ndim != n + 2:
        raise InvalidArgumentError(
            f"{operation}: the filters must have shape (*window, channels, filters) with "
            f"{max(n, 1)} window axes, got {filters._array.shape}"
        )
    if x._array.ndim < n + 2:
        raise InvalidArgumentError(
            f"{operation}: the input must have a batch, {n} spatial and a channel axis, got shape {x._array.shape}"
        )
    if 0 in filters._array.shape[:n]:
        raise InvalidArgumentError(f"{operation}: the filters' windows are empty, with shape {filters._array.shape}")
    return layout_of(operation, data_format, n)


def numbers_for(operation: str, argument: str, value: Any, layout: Layout) -> tuple[int, ...]:
    """One positive number a spatial axis, from an integer or a list: of one, of one a spatial axis, or of one an axis.

    Raises:
        InvalidArgumentError: another number of entries, or one below 1, or one other than 1 for batch or channels.
    """
    n = layout.spatial_axes
    given = static_shape(1 if value is None else value, operation)
    if len(given) == n + 2:
        batch, *inner = given
        channels = inner.pop(0 if layout.channels_first else -1)
        if (batch, channels) != (1, 1):
            raise InvalidArgumentError(
                f"{operation}: {argument} must be 1 for the batch and channel axes, got {list(given)}"
            )
        numbers = tuple(inner)
    elif len(given) == 1:
        numbers = given * n
    else:
        numbers = given
    if len(numbers) != n:
        raise InvalidArgumentError(
            f"{operation}: {argument} must be one integer or a list of {n} or {n + 2}, got {list(given)}"
        )
    if min(numbers, default=1) < 1:
        raise InvalidArgumentError(f"{operation}: {argument} must be at least 1, got {list(given)}")
    return numbers


def padding_for(
    operation: str,
    padding: Any,
    layout: Layout,
    spatial: tuple[int, ...],
    taps: tuple[int, ...],
    strides: tuple[int, ...],
    dilations: tuple[int, ...],
) -> Padding:
    """The zeros before and after each spatial axis.

    ``"VALID"`` adds none. ``"SAME"`` makes the number of windows ``ceil(size / stride)``, the odd zero coming last. A
    list has a pair (before, after) for each axis of the tensor, or for each spatial axis.

    Raises:
        InvalidArgumentError: anything else, or a window that is larger than the padded axis.
    """
    extents = tuple((k - 1) * d + 1 for k, d in zip(taps, dilations))
    if isinstance(padding, str):
        kind = padding.upper()
        if kind not in ("SAME", "VALID"):
            raise InvalidArgumentError(
                f"{operation}: padding must be 'SAME', 'VALID' or a list of pairs, got {padding!r}"
            )
        totals = [
            max((-(-n // s) - 1) * s + e - n, 0) if kind == "SAME" else 0 for n, s, e in zip(spatial, strides, extents)
        ]
        pairs: Padding = tuple((total // 2, total - total // 2) for total in totals)
    else:
        pairs = _explicit_padding(operation, padding, layout)
    for n, (before, after), e in zip(spatial, pairs, extents):
        if n + before + after < e and not (n == 0 and padding == "SAME"):
            raise InvalidArgumentError(
                f"{operation}: a window of {list(taps)} with dilations {list(dilations)} spans {list(extents)}, which "
                f"is larger than the input's spatial shape {list(spatial)} with padding {[list(p) for p in pairs]}"
            )
    return pairs


def _explicit_padding(operation: str, padding: Any, layout: Layout) -> Padding:
    try:
        pairs = tuple((int(before), int(after)) for before, after in padding)
    except (TypeError, ValueError):
        pairs = ()
    n = layout.spatial_axes
    if len(pairs) == n + 2:
        batch, *inner = pairs
        channels = inner.pop(0 if layout.channels_first else -1)
        if (batch, channels) != ((0, 0), (0, 0)):
            raise InvalidArgumentError(f"{operation}: batch and channels cannot be padded, got padding {padding!r}")
        pairs = tuple(inner)
    if len(pairs) != n or any(min(pair) < 0 for pair in pairs):
        raise InvalidArgumentError(
            f"{operation}: padding must be 'SAME', 'VALID' or a list of {n} or {n + 2} pairs of zeros to add before "
            f"and after each axis, got {padding!r}"
        )
    return pairs


def windows_on(
    spatial: tuple[int, ...],
    taps: tuple[int, ...],
    strides: tuple[int, ...],
    dilations: tuple[int, ...],
    padding: Padding,
) -> Windows:
    """Where the windows lie on spatial axes of these sizes."""
    sizes = tuple(
        max((n + before + after - (k - 1) * d - 1) // s + 1, 0)
        for n, k, s, d, (before, after) in zip(spatial, taps, strides, dilations, padding)
    )
    return Windows(taps, strides, dilations, tuple(before for before, _ in padding), sizes)
