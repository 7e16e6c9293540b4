"""Correlation of NumPy arrays over any number of spatial axes, and its two transposes, on top of matrix products.

Arrays are channels-last: ``x`` is ``(batch, *spatial, channels)``, a kernel is ``(*taps, channels / groups, filters)``.
In one dimension and without groups,

    ``correlate``: ``y[n, q, f] = sum over t, c of x[n, q * stride + t * dilation - low, c] * kernel[t, c, f]``
    ``correlate_transposed``: the array in the place of ``x`` that the pairing of ``y`` with some ``g`` gives
    ``correlate_for_kernel``: the array in the place of the kernel that it gives

where ``x`` is zero out of its bounds. Only the windows along the last spatial axis are copied out (im2col on one axis);
the taps of the other axes are shifted views of that buffer, one matrix product each, accumulated. The work is cut into
blocks of images and rows whose windows stay in the cache. Measured on prototypes, without padding, with 3x3 taps in
float32 on two busy cores, for (64, 30, 30, 8) -> 16 filters and (32, 58, 58, 32) -> 32: 6.3 and 28 ms, against 6.5
and 42 for im2col on all axes in blocks, 7.9 and 74 in one piece, and 9.3 and 41 for one product a tap without any copy
(whose inner size, the channels, is too small); PyTorch took 1.1 (channels last) to 6.7, and 11 to 14. This file in one
thread, for (64, 28, 28, 8) -> 16 with padding: 8 ms, its transposes 17 and 8; PyTorch 2.2, and 9.6 for both transposes.
Filters that see one channel each ("depthwise") have nothing that a matrix product could sum, and are multiplied tap by
tap.

Source of im2col: K. Chellapilla, S. Puri and P. Simard, "High performance convolutional neural networks for document
processing" (2006).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

__all__ = ["Windows", "correlate", "correlate_for_kernel", "correlate_transposed"]

Sizes = tuple[int, ...]

#: bytes of windows that are worked on at a time: half of a second-level cache, for the products need room as well
BLOCK_BYTES = 1 << 19


class Windows(NamedTuple):
    """How windows lie on the spatial axes; each field has one number an axis."""

    #: elements in a window
    taps: Sizes
    #: distance of neighbouring windows
    strides: Sizes
    #: distance of neighbouring elements of a window
    dilations: Sizes
    #: how far before the first element the first window begins (negative: after it)
    low: Sizes
    #: the number of windows
    sizes: Sizes

    @property
    def extents(self) -> Sizes:
        """From the beginning of the first window to the end of the last."""
        return tuple(
            (n - 1) * s + (k - 1) * d + 1 for k, s, d, n in zip(self.taps, self.strides, self.dilations, self.sizes)
        )

    def reached_by(self, tap: Sizes) -> tuple[slice, ...]:
        """Where the elements number ``tap`` of the windows lie in the extents, on the first ``len(tap)`` axes."""
        return tuple(
            slice(t * d, t * d + (n - 1) * s + 1, s)
            for t, s, d, n in zip(tap, self.strides, self.dilations, self.sizes)
        )


def correlate(x: Any, kernel: Any, windows: Windows, groups: int) -> np.ndarray[Any, Any]:
    """The correlation of ``x`` with the kernel, ``(batch, *sizes, filters)``.

    Args:
        x: ``(batch, *spatial, channels)``.
        kernel: ``(*taps, channels / groups, filters)``.
        windows: where the windows lie; out of the bounds of ``x`` there are zeros.
        groups: the number of groups into which channels and filters are divided.
    """
    filters = kernel.shape[-1]
    dtype = np.result_type(x, kernel)
    if _is_depthwise(kernel, groups):
        out = np.zeros((x.shape[0], *windows.sizes, filters), dtype)
        rows_of_factors = _repeated_in_rows(kernel, windows)
        for images, rows, block in _blocks(x.shape, x.itemsize, windows):
            padded = np.repeat(_padded(x[images], block), filters // groups, axis=-1)
            target = out[images, rows]
            for tap in itertools.product(*map(range, windows.taps)):
                target += padded[(slice(None), *block.reached_by(tap))] * rows_of_factors[tap]
        return out
    by_tap = _rows_of_taps(kernel, windows, groups)
    out = np.empty((groups, x.shape[0], *windows.sizes, filters // groups), dtype)
    for images, rows, block in _blocks(x.shape, x.itemsize, windows):
        target = _merged(out[:, images, rows])
        for number, (tap, columns) in enumerate(_columns(_padded(x[images], block), block, groups)):
            if number:
                target += np.matmul(columns, _spread(by_tap[tap], columns.ndim))
            else:
                np.matmul(columns, _spread(by_tap[tap], columns.ndim), out=target)
    return np.moveaxis(out, 0, -2).reshape(x.shape[0], *windows.sizes, filters)


def correlate_for_kernel(x: Any, g: Any, windows: Windows, groups: int) -> np.ndarray[Any, Any]:
    """The transpose of :func:`correlate` by the kernel: ``(*taps, channels / groups, filters)``.

    Args:
        x: ``(batch, *spatial, channels)``.
        g: ``(batch, *sizes, filters)``, shaped like what :func:`correlate` returns.
        windows, groups: as there.
    """
    taps, channels, filters = windows.taps, x.shape[-1] // groups, g.shape[-1]
    dtype = np.result_type(x, g)
    if channels == 1 and groups > 1:
        kernel = np.zeros((*taps, filters), dtype)
        for images, rows, block in _blocks(x.shape, x.itemsize, windows):
            padded = np.repeat(_padded(x[images], block), filters // groups, axis=-1)
            for tap in itertools.product(*map(range, taps)):
                product = padded[(slice(None), *block.reached_by(tap))] * g[images, rows]
                kernel[tap] += product.sum(axis=tuple(range(product.ndim - 1)))
        return kernel.reshape(*taps, 1, filters)
    by_tap = np.zeros((*taps[:-1], groups, taps[-1] * channels, filters // groups), dtype)
    g = _groups_first(g, groups)
    for images, rows, block in _blocks(x.shape, x.itemsize, windows):
        right = _merged(g[:, images, rows])
        for tap, columns in _columns(_padded(x[images], block), block, groups):
            product = np.matmul(columns.swapaxes(-1, -2), right)
            by_tap[tap] += product.sum(axis=tuple(range(1, product.ndim - 2)))
    by_tap = by_tap.reshape(*taps[:-1], groups, taps[-1], channels, filters // groups)
    return np.moveaxis(by_tap, len(taps) - 1, -2).reshape(*taps, channels, filters)


def correlate_transposed(g: Any, kernel: Any, windows: Windows, spatial: Sizes, groups: int) -> np.ndarray[Any, Any]:
    """The transpose of :func:`correlate` by ``x``: ``(batch, *spatial, channels)``.

    Every step is that of :func:`correlate` transposed, in reverse order: products with the taps' rows are added to the
    windows along the last axis, and those to the places that they were copied from.

    Args:
        g: ``(batch, *sizes, filters)``, shaped like what :func:`correlate` returns.
        kernel: ``(*taps, channels / groups, filters)``.
        windows, groups: as there.
        spatial: the spatial shape of ``x``.
    """
    taps, channels, filters = windows.taps, kernel.shape[-2], kernel.shape[-1]
    out = np.zeros((g.shape[0], *spatial, groups * channels), np.result_type(g, kernel))
    depthwise = _is_depthwise(kernel, groups)
    if depthwise:
        rows_of_factors = _repeated_in_rows(kernel, windows)
    else:
        by_tap = _rows_of_taps(kernel, windows, groups).swapaxes(-1, -2)
        g = _groups_first(g, groups)
    for images, rows, block in _blocks(out.shape, out.itemsize, windows):
        if depthwise:
            cotangent = g[images, rows]
            padded = np.zeros((len(cotangent), *block.extents, filters), out.dtype)
            for tap in itertools.product(*map(range, taps)):
                padded[(slice(None), *block.reached_by(tap))] += cotangent * rows_of_factors[tap]
            padded = padded.reshape(*padded.shape[:-1], groups, filters // groups).sum(axis=-1)
        else:
            cotangent = g[:, images, rows]
            matrices = _merged(cotangent)
            windowed = np.zeros(
                (*cotangent.shape[:2], *block.extents[:-1], block.sizes[-1], taps[-1] * channels), out.dtype
            )
            for tap in itertools.product(*map(range, taps[:-1])):
                product = np.matmul(matrices, _spread(by_tap[tap], matrices.ndim))
                target = windowed[(slice(None), slice(None), *block.reached_by(tap))]
                target += product.reshape(target.shape)
            windowed = np.moveaxis(windowed.reshape(*windowed.shape[:-1], taps[-1], channels), 0, -2)
            padded = np.zeros((cotangent.shape[1], *block.extents, groups, channels), out.dtype)
            for t in range(taps[-1]):
                places = block.reached_by((0,) * (len(taps) - 1) + (t,))[-1]
                padded[..., places, :, :] += windowed[..., t, :, :]
            padded = padded.reshape(*padded.shape[:-2], groups * channels)
        inside, in_extents = _overlap(block, spatial)
        out[images][(slice(None), *inside)] += padded[(slice(None), *in_extents)]
    return out


def _is_depthwise(kernel: Any, groups: int) -> bool:
    return groups > 1 and kernel.shape[-2] == 1


def _repeated_in_rows(kernel: Any, windows: Windows) -> Any:
    """A depthwise kernel with its factors for each place of a row, ``(*taps, places, filters)``.

    NumPy's innermost loop then runs over the row, not over the filters: measured 1.7 times as fast for 64 of them.
    """
    factors = kernel.reshape(*windows.taps, 1, kernel.shape[-1])
    return np.repeat(factors, windows.sizes[-1], axis=-2)


def _rows_of_taps(kernel: Any, windows: Windows, groups: int) -> Any:
    """The kernel as a matrix a combination of leading taps: ``(*leading, groups, last taps * channels, filters)``."""
    taps, channels, filters = windows.taps, kernel.shape[-2], kernel.shape[-1] // groups
    by_group = np.moveaxis(kernel.reshape(*taps, channels, groups, filters), -2, len(taps) - 1)
    return by_group.reshape(*taps[:-1], groups, taps[-1] * channels, filters)


def _groups_first(g: Any, groups: int) -> Any:
    return np.moveaxis(g.reshape(*g.shape[:-1], groups, g.shape[-1] // groups), -2, 0)


def _spread(row: Any, ndim: int) -> Any:
    """A matrix a group, with axes of size 1 for the batch and the outer spatial axes."""
    return row.reshape(row.shape[0], *(1,) * (ndim - 3), *row.shape[1:])


def _merged(a: Any) -> Any:
    """The last two spatial axes of ``(groups, batch, *spatial, k)`` as one: longer matrices for the products."""
    return a if a.ndim < 5 else a.reshape(*a.shape[:-3], a.shape[-3] * a.shape[-2], a.shape[-1])


def _blocks(shape: Sizes, itemsize: int, windows: Windows) -> Iterator[tuple[slice, slice, Windows]]:
    """Cut the windows on an array of a shape into blocks: of images, and of rows (places on the first spatial axis).

    Yields:
        The images, the rows, and the windows of these rows.
    """
    if 0 in windows.sizes:
        return
    batch, rows = shape[0], windows.sizes[0]
    row_bytes = windows.taps[-1] * shape[-1] * itemsize
    if len(windows.sizes) > 1:
        row_bytes *= math.prod(windows.extents[1:-1]) * windows.sizes[-1] * windows.strides[0]
    fitting = max(BLOCK_BYTES // max(row_bytes, 1), 1)
    # what the taps of neighbouring blocks share is copied twice: keep it small against the block
    height = max(fitting, 4 * windows.taps[0] * windows.dilations[0])
    images = max(fitting // max(rows, 1), 1)
    for start, first in itertools.product(range(0, batch, images), range(0, rows, height)):
        end = min(first + height, rows)
        yield (
            slice(start, min(start + images, batch)),
            slice(first, end),
            windows._replace(
                low=(windows.low[0] - first * windows.strides[0], *windows.low[1:]),
                sizes=(end - first, *windows.sizes[1:]),
            ),
        )


def _overlap(windows: Windows, spatial: Sizes) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """The part of an array that the windows' extents cover: as slices of the array, and of the extents."""
    bounds = [
        (max(-low, 0), max(min(extent - low, n), max(-low, 0)), low)
        for low, extent, n in zip(windows.low, windows.extents, spatial)
    ]
    return tuple(slice(a, b) for a, b, _ in bounds), tuple(slice(a + low, b + low) for a, b, low in bounds)


def _padded(x: Any, windows: Windows) -> Any:
    """What the windows' extents cover of ``x``, with zeros out of its bounds; a view if there are none."""
    inside, in_extents = _overlap(windows, x.shape[1:-1])
    source = x[(slice(None), *inside)]
    if source.shape[1:-1] == windows.extents:
        return source
    result = np.zeros((x.shape[0], *windows.extents, x.shape[-1]), x.dtype)
    if source.size:
        result[(slice(None), *in_extents)] = source
    return result


def _columns(x: Any, windows: Windows, groups: int) -> Iterator[tuple[Sizes, np.ndarray[Any, Any]]]:
    """The windows of a padded block for each combination of the leading axes' taps.

    Yields:
        The taps, and ``(groups, batch, ..., places, last taps * channels / groups)``.
    """
    channels = x.shape[-1] // groups
    taps, step = windows.taps[-1], x.strides[-1]
    windowed = as_strided(
        x,
        (groups, *x.shape[:-2], windows.sizes[-1], taps, channels),
        (
            channels * step,
            *x.strides[:-2],
            x.strides[-2] * windows.strides[-1],
            x.strides[-2] * windows.dilations[-1],
            step,
        ),
        writeable=False,
    ).reshape(groups, *x.shape[:-2], windows.sizes[-1], taps * channels)
    for tap in itertools.product(*map(range, windows.taps[:-1])):
        yield tap, _merged(windowed[(slice(None), slice(None), *windows.reached_by(tap))])
