"""Pooling: the maximum or the mean of windows that slide over spatial axes.

Maximum and mean over a box are taken axis by axis, which needs the sum of the window's sizes in steps, not their
product. Padding is never read: every tap of the window runs over the places where it lies on an element.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from wengert.arrays.correlation import Windows
from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import Spec
from wengert.errors import DTypeError, InvalidArgumentError, UnimplementedError
from wengert.primitives.arithmetic import cast
from wengert.primitives.primitive import primitive
from wengert.primitives.shape import static_shape
from wengert.primitives.sliding import Layout, Padding, layout_of, numbers_for, padding_for, windows_on
from wengert.tensor import convert_to_tensor

__all__ = [
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "max_pool_with_argmax",
    "pool",
]

Sizes = tuple[int, ...]
Slices = tuple[slice, ...]


def _tap_on(windows: Windows, spatial: Sizes, axis: int, tap: int) -> tuple[slice, slice]:
    """The windows whose element number ``tap`` on an axis is not padding, and these elements."""
    stride, offset = windows.strides[axis], tap * windows.dilations[axis] - windows.low[axis]
    first = max(-(offset // stride), 0)
    end = max(min((spatial[axis] - 1 - offset) // stride + 1, windows.sizes[axis]), first)
    start = first * stride + offset
    return slice(first, end), slice(start, start + max((end - first - 1) * stride + 1, 0), stride)


def _taps_on(windows: Windows, spatial: Sizes) -> Iterator[tuple[Slices, Slices]]:
    """For each element of the windows its places: in ``(batch, *sizes)``, and in ``(batch, *spatial)``."""
    axes = [[_tap_on(windows, spatial, a, t) for t in range(k)] for a, k in enumerate(windows.taps)]
    for taps in itertools.product(*axes):
        yield (slice(None), *(out for out, _ in taps)), (slice(None), *(inside for _, inside in taps))


def _counts(windows: Windows, spatial: Sizes, dtype: Any) -> Any:
    """The number of elements in each window that are not padding: ``(*sizes, 1)``."""
    total = np.ones((), dtype)
    for axis, size in enumerate(windows.sizes):
        along = np.zeros(size, dtype)
        for tap in range(windows.taps[axis]):
            along[_tap_on(windows, spatial, axis, tap)[0]] += 1
        total = total[..., None] * along
    return total[..., None]


# --- maximum ---------------------------------------------------------------------------------------------------------


@primitive()
def max_pool_(xp: Any, x: Any, *, window: Sizes, strides: Sizes, dilations: Sizes, padding: Padding) -> Any:
    """The largest element of each window on ``(batch, *spatial, channels)``; ties share the gradient equally."""
    windows = windows_on(x.shape[1:-1], window, strides, dilations, padding)
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    for axis, size in enumerate(windows.sizes):
        out = np.full((*x.shape[: axis + 1], size, *x.shape[axis + 2 :]), lowest, x.dtype)
        lead = (slice(None),) * (axis + 1)
        for tap in range(window[axis]):
            place, inside = _tap_on(windows, _spatial(x), axis, tap)
            np.maximum(out[(*lead, place)], x[(*lead, inside)], out=out[(*lead, place)])
        x = out
    return x


def _spatial(x: Any) -> Sizes:
    """The sizes of the axes between batch and channels."""
    return tuple(x.shape[1:-1])


@max_pool_.vjp
def _max_pool_vjp(xp: Any, g: Any, x: Any, out: Any, window: Any, strides: Any, dilations: Any, padding: Any) -> Any:
    return xp.max_pool_scatter(
        g,
        xp.stop_gradient(x),
        xp.stop_gradient(out),
        window=window,
        strides=strides,
        dilations=dilations,
        padding=padding,
    )


@max_pool_.jvp
def _max_pool_jvp(xp: Any, t: Any, x: Any, out: Any, window: Any, strides: Any, dilations: Any, padding: Any) -> Any:
    return xp.max_pool_gather(
        t,
        xp.stop_gradient(x),
        xp.stop_gradient(out),
        window=window,
        strides=strides,
        dilations=dilations,
        padding=padding,
    )


def _chosen(x: Any, maxima: Any, windows: Windows) -> tuple[list[tuple[Slices, Slices, Any]], Any]:
    """For each tap where it is, and whether it is its window's maximum; and the number of maxima of each window."""
    taps = [(place, inside, x[inside] == maxima[place]) for place, inside in _taps_on(windows, _spatial(x))]
    count = np.zeros(maxima.shape, np.int32)
    for place, _, mask in taps:
        count[place] += mask
    return taps, np.maximum(count, 1)


@primitive(linear=("g",))
def max_pool_scatter(
    xp: Any, g: Any, x: Any, maxima: Any, *, window: Sizes, strides: Sizes, dilations: Sizes, padding: Padding
) -> Any:
    """``g`` carried from each window to its maxima in equal shares: the transpose of ``max_pool_gather``."""
    taps, count = _chosen(x, maxima, windows_on(_spatial(x), window, strides, dilations, padding))
    share = g / count.astype(g.dtype)
    result = np.zeros(x.shape, g.dtype)
    for place, inside, mask in taps:
        result[inside] += np.where(mask, share[place], share.dtype.type(0))
    return result


@primitive(linear=("t",))
def max_pool_gather(
    xp: Any, t: Any, x: Any, maxima: Any, *, window: Sizes, strides: Sizes, dilations: Sizes, padding: Padding
) -> Any:
    """The mean of ``t`` over the places of each window's maxima: the transpose of ``max_pool_scatter``."""
    taps, count = _chosen(x, maxima, windows_on(_spatial(x), window, strides, dilations, padding))
    result = np.zeros(maxima.shape, t.dtype)
    for place, inside, mask in taps:
        result[place] += np.where(mask, t[inside], t.dtype.type(0))
    return result / count.astype(t.dtype)


@max_pool_scatter.vjp_of("g")
def _scatter_vjp(xp: Any, g: Any, x: Any, maxima: Any, window: Any, strides: Any, dilations: Any, padding: Any) -> Any:
    return xp.max_pool_gather(g, x, maxima, window=window, strides=strides, dilations=dilations, padding=padding)


@max_pool_gather.vjp_of("t")
def _gather_vjp(xp: Any, g: Any, x: Any, maxima: Any, window: Any, strides: Any, dilations: Any, padding: Any) -> Any:
    return xp.max_pool_scatter(g, x, maxima, window=window, strides=strides, dilations=dilations, padding=padding)


@primitive(differentiable=False)
def max_pool_argmax(
    xp: Any, x: Any, *, window: Sizes, strides: Sizes, dilations: Sizes, padding: Padding, with_batch: bool
) -> Any:
    """The flat index of each window's first maximum, within the batch or within its image."""
    windows = windows_on(_spatial(x), window, strides, dilations, padding)
    each = x.size if with_batch else x[:1].size
    flat = np.arange(x.size, dtype=np.int64).reshape(x.shape) % max(each, 1)
    shape = (x.shape[0], *windows.sizes, x.shape[-1])
    best, result = np.empty(shape, x.dtype), np.full(shape, -1, np.int64)
    for place, inside in _taps_on(windows, _spatial(x)):
        better = (result[place] < 0) | (x[inside] > best[place])
        best[place] = np.where(better, x[inside], best[place])
        result[place] = np.where(better, flat[inside], result[place])
    return result


# --- mean ------------------------------------------------------------------------------------------------------------


@primitive(linear=("x",))
def average_pool(xp: Any, x: Any, *, window: Sizes, strides: Sizes, dilations: Sizes, padding: Padding) -> Any:
    """The mean of each window on ``(batch, *spatial, channels)``, in which padding does not count."""
    spatial = _spatial(x)
    windows = windows_on(spatial, window, strides, dilations, padding)
    for axis, size in enumerate(windows.sizes):
        out = np.zeros((*x.shape[: axis + 1], size, *x.shape[axis + 2 :]), x.dtype)
        lead = (slice(None),) * (axis + 1)
        for tap in range(window[axis]):
            place, inside = _tap_on(windows, spatial, axis, tap)
            out[(*lead, place)] += x[(*lead, inside)]
        x = out
    return x / _counts(windows, spatial, x.real.dtype)


@primitive(linear=("g",))
def average_pool_transpose(
    xp: Any, g: Any, *, window: Sizes, strides: Sizes, dilations: Sizes, padding: Padding, shape: Sizes
) -> Any:
    """The transpose of ``average_pool``, on spatial axes of the sizes ``shape``."""
    windows = windows_on(shape, window, strides, dilations, padding)
    g = g / _counts(windows, shape, g.real.dtype)
    for axis, size in reversed(list(enumerate(shape))):
        out = np.zeros((*g.shape[: axis + 1], size, *g.shape[axis + 2 :]), g.dtype)
        lead = (slice(None),) * (axis + 1)
        for tap in range(window[axis]):
            place, inside = _tap_on(windows, shape, axis, tap)
            out[(*lead, inside)] += g[(*lead, place)]
        g = out
    return g


@average_pool.vjp
def _average_pool_vjp(xp: Any, g: Any, x_shape: Any, window: Any, strides: Any, dilations: Any, padding: Any) -> Any:
    return xp.average_pool_transpose(
        g, window=window, strides=strides, dilations=dilations, padding=padding, shape=x_shape[1:-1]
    )


@average_pool_transpose.vjp
def _average_pool_transpose_vjp(xp: Any, g: Any, window: Any, strides: Any, dilations: Any, padding: Any) -> Any:
    return xp.average_pool(g, window=window, strides=strides, dilations=dilations, padding=padding)


@max_pool_.spec
def _pool_spec(x: Spec, *, window: Sizes, strides: Sizes, dilations: Sizes, padding: Padding) -> Spec:
    windows = windows_on(x.shape[1:-1], window, strides, dilations, padding)
    return Spec((x.shape[0], *windows.sizes, x.shape[-1]), x.dtype)


average_pool.spec(_pool_spec)


@max_pool_argmax.spec
def _argmax_spec(x: Spec, *, with_batch: bool, **geometry: Any) -> Spec:
    return Spec(_pool_spec(x, **geometry).shape, np.dtype(np.int64))


@max_pool_scatter.spec
def _scatter_spec(g: Spec, x: Spec, maxima: Spec, **geometry: Any) -> Spec:
    return Spec(x.shape, g.dtype)


@max_pool_gather.spec
def _gather_spec(t: Spec, x: Spec, maxima: Spec, **geometry: Any) -> Spec:
    return Spec(maxima.shape, t.dtype)


@average_pool_transpose.spec
def _average_pool_transpose_spec(g: Spec, *, shape: Sizes, **geometry: Any) -> Spec:
    return Spec((g.shape[0], *shape, g.shape[-1]), g.dtype)


# --- public ----------------------------------------------------------------------------------------------------------


def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: Any = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The maximum or the mean of windows, over as many spatial axes as the window has.

    Args:
        input: ``(batch..., *spatial, channels)``, or with the channels first if ``data_format`` says so.
        window_shape: the window's size on each spatial axis.
        pooling_type: ``"MAX"`` or ``"AVG"``.
        strides: distance of neighbouring windows: an integer, or one a spatial axis.
        padding: ``"SAME"``, ``"VALID"``, or a list of pairs (before, after). Padding is never the maximum, and does not
            count in the mean.
        data_format: such as ``"NHWC"`` or ``"NCHW"``.
        dilations: distance of neighbouring elements of a window.

    Returns:
        ``(batch..., *windows, channels)``, with the channels where the input has them. Equal maxima of a window share
        its gradient equally.

    Raises:
        InvalidArgumentError: shapes, padding or data format do not fit, or an unknown ``pooling_type``.

    >>> x = tf.reshape(tf.range(4.0), [1, 4, 1])
    >>> tf.nn.pool(x, [2], "MAX").numpy().ravel().tolist()
    [1.0, 2.0, 3.0]
    """
    if pooling_type not in ("MAX", "AVG"):
        raise InvalidArgumentError(f"pool: pooling_type must be 'MAX' or 'AVG', got {pooling_type!r}")
    window = static_shape(window_shape, "pool")
    return _pooled("pool", pooling_type, input, len(window), window, strides, padding, data_format, dilations)


def max_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = None, name: str | None = None
) -> Any:
    """The maximum of windows, over all axes between batch and channels; see :func:`tf.nn.pool`.

    Args:
        input: ``(batch, *spatial, channels)``, or with the channels first if ``data_format`` says so.
        ksize: the window: an integer, or one a spatial axis, or one an axis.
        strides, padding, data_format: as there.

    >>> tf.nn.max_pool([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2, 2, "VALID").numpy().ravel().tolist()
    [4.0]
    """
    x = convert_to_tensor(input)
    return _pooled("max_pool", "MAX", x, x._array.ndim - 2, ksize, strides, padding, data_format)


def avg_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: Any = None, name: str | None = None
) -> Any:
    """The mean of windows, over all axes between batch and channels; see :func:`tf.nn.pool`.

    Args:
        input: ``(batch, *spatial, channels)``, or with the channels first if ``data_format`` says so.
        ksize: the window: an integer, or one a spatial axis, or one an axis.
        strides, padding, data_format: as there.

    >>> tf.nn.avg_pool([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2, 2, "VALID").numpy().ravel().tolist()
    [2.5]
    """
    x = convert_to_tensor(input)
    return _pooled("avg_pool", "AVG", x, x._array.ndim - 2, ksize, strides, padding, data_format)


def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC", name: str | None = None
) -> Any:
    """The maximum of windows on one spatial axis; see :func:`tf.nn.pool`.

    >>> tf.nn.max_pool1d([[[1.0], [3.0], [2.0], [0.0]]], 2, 2, "VALID").numpy().ravel().tolist()
    [3.0, 2.0]
    """
    return _pooled("max_pool1d", "MAX", input, 1, ksize, strides, padding, data_format)


def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """The maximum of windows on images; see :func:`tf.nn.pool`.

    >>> tf.nn.max_pool2d(tf.ones([1, 5, 5, 3]), ksize=2, strides=2, padding="SAME").shape
    TensorShape([1, 3, 3, 3])
    """
    return _pooled("max_pool2d", "MAX", input, 2, ksize, strides, padding, data_format)


def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NDHWC", name: str | None = None
) -> Any:
    """The maximum of windows on volumes; see :func:`tf.nn.pool`.

    >>> tf.nn.max_pool3d(tf.ones([1, 4, 4, 4, 3]), ksize=2, strides=2, padding="VALID").shape
    TensorShape([1, 2, 2, 2, 3])
    """
    return _pooled("max_pool3d", "MAX", input, 3, ksize, strides, padding, data_format)


def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC", name: str | None = None
) -> Any:
    """The mean of windows on one spatial axis; see :func:`tf.nn.pool`.

    >>> tf.nn.avg_pool1d([[[1.0], [3.0], [2.0]]], 2, 2, "SAME").numpy().ravel().tolist()
    [2.0, 2.0]
    """
    return _pooled("avg_pool1d", "AVG", input, 1, ksize, strides, padding, data_format)


def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """The mean of windows on images; see :func:`tf.nn.pool`.

    >>> tf.nn.avg_pool2d(tf.ones([1, 5, 5, 3]), ksize=2, strides=2, padding="SAME").shape
    TensorShape([1, 3, 3, 3])
    """
    return _pooled("avg_pool2d", "AVG", input, 2, ksize, strides, padding, data_format)


def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NDHWC", name: str | None = None
) -> Any:
    """The mean of windows on volumes; see :func:`tf.nn.pool`.

    >>> tf.nn.avg_pool3d(tf.ones([1, 4, 4, 4, 3]), ksize=2, strides=2, padding="VALID").shape
    TensorShape([1, 2, 2, 2, 3])
    """
    return _pooled("avg_pool3d", "AVG", input, 3, ksize, strides, padding, data_format)


def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    output_dtype: Any = np.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The maximum of windows on images, and where it is.

    Args:
        input: ``(batch, height, width, channels)``.
        ksize, strides, padding: as in :func:`tf.nn.pool`.
        data_format: only ``"NHWC"``.
        output_dtype: of the indices: int32 or int64.
        include_batch_in_index: count indices through the whole batch, rather than in each image.

    Returns:
        The maxima, and the flat index of each: ``(row * width + column) * channels + channel``. Of equal maxima the
        first is named, while all of them share the gradient.

    Raises:
        InvalidArgumentError: as :func:`tf.nn.pool`.
        UnimplementedError: the channels are first.

    >>> y, where = tf.nn.max_pool_with_argmax([[[[1.0], [2.0]], [[5.0], [4.0]]]], 2, 2, "VALID")
    >>> y.numpy().ravel().tolist(), where.numpy().ravel().tolist()
    ([5.0], [2])
    """
    operation = "max_pool_with_argmax"
    if data_format != "NHWC":
        raise UnimplementedError(f"{operation} takes data_format 'NHWC', got {data_format!r}")
    x, _, geometry = _geometry(operation, input, 2, ksize, strides, padding, data_format)
    if x._array.ndim != 4:
        raise InvalidArgumentError(f"{operation}: the input must have 4 axes, got shape {x._array.shape}")
    argmax = max_pool_argmax(x, **geometry, with_batch=bool(include_batch_in_index))
    return max_pool_(x, **geometry), cast(argmax, as_numpy_dtype(output_dtype))


def _pooled(
    operation: str,
    kind: str,
    input: Any,
    n: int,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any = None,
) -> Any:
    """The pooling of ``n`` spatial axes, from the arguments as the user gave them."""
    x, layout, geometry = _geometry(operation, input, n, ksize, strides, padding, data_format, dilations)
    if kind == "AVG" and x._array.dtype.kind in "biu":
        raise DTypeError(f"{operation}: the mean is taken of floating tensors, got {x._array.dtype}; use tf.cast")
    rule = max_pool_ if kind == "MAX" else average_pool
    return layout.restored(rule(layout.channels_last(x), **geometry), layout.batch_shape(x))


def _geometry(
    operation: str,
    input: Any,
    n: int,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any = None,
) -> tuple[Any, Layout, dict[str, Any]]:
    """The tensor, its layout, and the primitives' parameters."""
    x = convert_to_tensor(input)
    if n < 1 or x._array.ndim < n + 2:
        raise InvalidArgumentError(
            f"{operation}: the input must have a batch, {max(n, 1)} spatial and a channel axis, "
            f"got shape {x._array.shape}"
        )
    layout = layout_of(operation, data_format, n)
    spatial, _ = layout.sorted_out(x._array.shape)
    window = numbers_for(operation, "the window", ksize, layout)
    steps = numbers_for(operation, "strides", strides, layout)
    holes = numbers_for(operation, "dilations", dilations, layout)
    pairs = padding_for(operation, padding, layout, spatial, window, steps, holes)
    if any(max(pair) >= k * d for pair, k, d in zip(pairs, window, holes)) and not isinstance(padding, str):
        raise InvalidArgumentError(f"{operation}: padding {padding!r} is not smaller than the window {list(window)}")
    return x, layout, {"window": window, "strides": steps, "dilations": holes, "padding": pairs}
