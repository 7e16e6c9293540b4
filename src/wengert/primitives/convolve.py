"""Convolution over any number of spatial axes.

Three primitives, each linear in its two inputs: the convolution, its transpose by the input, and its transpose by the
filters. Each is the derivative of the two others, so derivatives of every order exist. They take channels-last arrays;
the public functions bring every other layout to that. As everywhere in neural networks, the filters are not mirrored.
"""

from __future__ import annotations

from typing import Any

from wengert.arrays.correlation import correlate, correlate_for_kernel, correlate_transposed
from wengert.arrays.shapes import Spec
from wengert.errors import InvalidArgumentError
from wengert.primitives.primitive import primitive
from wengert.primitives.shape import reshape_
from wengert.primitives.sliding import (
    Padding,
    layout_for_filters,
    layout_of,
    numbers_for,
    padding_for,
    windows_on,
)

__all__ = [
    "atrous_conv2d",
    "conv1d",
    "conv2d",
    "conv3d",
    "convolution",
    "depthwise_conv2d",
    "separable_conv2d",
]

Sizes = tuple[int, ...]


@primitive(linear=("x", "filters"), same_dtype=("x", "filters"))
def convolution_(
    xp: Any, x: Any, filters: Any, *, strides: Sizes, dilations: Sizes, padding: Padding, groups: int
) -> Any:
    """The convolution of ``(batch, *spatial, channels)`` with ``(*taps, channels / groups, filters)``."""
    windows = windows_on(x.shape[1:-1], filters.shape[:-2], strides, dilations, padding)
    return correlate(x, filters, windows, groups)


@primitive(linear=("g", "filters"), same_dtype=("g", "filters"))
def convolution_transpose(
    xp: Any, g: Any, filters: Any, *, strides: Sizes, dilations: Sizes, padding: Padding, groups: int, shape: Sizes
) -> Any:
    """The transpose of ``convolution`` by its input, whose spatial axes have the sizes ``shape``."""
    windows = windows_on(shape, filters.shape[:-2], strides, dilations, padding)
    return correlate_transposed(g, filters, windows, shape, groups)


@primitive(linear=("x", "g"), same_dtype=("x", "g"))
def convolution_for_filters(
    xp: Any, x: Any, g: Any, *, strides: Sizes, dilations: Sizes, padding: Padding, groups: int, shape: Sizes
) -> Any:
    """The transpose of ``convolution`` by its filters, which have the spatial sizes ``shape``."""
    return correlate_for_kernel(x, g, windows_on(x.shape[1:-1], shape, strides, dilations, padding), groups)


@convolution_.vjp_of("x")
def _convolution_vjp_x(
    xp: Any, g: Any, filters: Any, x_shape: Any, strides: Any, dilations: Any, padding: Any, groups: Any
) -> Any:
    return xp.convolution_transpose(
        g, filters, strides=strides, dilations=dilations, padding=padding, groups=groups, shape=x_shape[1:-1]
    )


@convolution_.vjp_of("filters")
def _convolution_vjp_filters(
    xp: Any, g: Any, x: Any, filters_shape: Any, strides: Any, dilations: Any, padding: Any, groups: Any
) -> Any:
    return xp.convolution_for_filters(
        x, g, strides=strides, dilations=dilations, padding=padding, groups=groups, shape=filters_shape[:-2]
    )


@convolution_transpose.vjp_of("g")
def _transpose_vjp_g(xp: Any, g: Any, filters: Any, strides: Any, dilations: Any, padding: Any, groups: Any) -> Any:
    return xp.convolution(g, filters, strides=strides, dilations=dilations, padding=padding, groups=groups)


# the cotangent has the shape of a convolution's input: it is the first operand here
def _transpose_vjp_filters(
    xp: Any, cotangent: Any, g: Any, filters_shape: Any, strides: Any, dilations: Any, padding: Any, groups: Any
) -> Any:
    return xp.convolution_for_filters(
        cotangent, g, strides=strides, dilations=dilations, padding=padding, groups=groups, shape=filters_shape[:-2]
    )


convolution_transpose.vjp_of("filters")(_transpose_vjp_filters)


# and here the cotangent has the shape of the filters
@convolution_for_filters.vjp_of("x")
def _for_filters_vjp_x(
    xp: Any, cotangent: Any, g: Any, x_shape: Any, strides: Any, dilations: Any, padding: Any, groups: Any
) -> Any:
    return xp.convolution_transpose(
        g, cotangent, strides=strides, dilations=dilations, padding=padding, groups=groups, shape=x_shape[1:-1]
    )


@convolution_for_filters.vjp_of("g")
def _for_filters_vjp_g(xp: Any, cotangent: Any, x: Any, strides: Any, dilations: Any, padding: Any, groups: Any) -> Any:
    return xp.convolution(x, cotangent, strides=strides, dilations=dilations, padding=padding, groups=groups)


@convolution_.spec
def _convolution_spec(x: Spec, filters: Spec, *, strides: Any, dilations: Any, padding: Any, groups: Any) -> Spec:
    windows = windows_on(x.shape[1:-1], filters.shape[:-2], strides, dilations, padding)
    return Spec((x.shape[0], *windows.sizes, filters.shape[-1]), x.dtype)


@convolution_transpose.spec
def _transpose_spec(g: Spec, filters: Spec, *, groups: int, shape: Sizes, **params: Any) -> Spec:
    return Spec((g.shape[0], *shape, groups * filters.shape[-2]), g.dtype)


@convolution_for_filters.spec
def _for_filters_spec(x: Spec, g: Spec, *, groups: int, shape: Sizes, **params: Any) -> Spec:
    return Spec((*shape, x.shape[-1] // groups, g.shape[-1]), x.dtype)


# --- convolution -----------------------------------------------------------------------------------------------------


def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: Any = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Convolution over as many spatial axes as the filters have.

    Args:
        input: ``(batch..., *spatial, channels)``, or with the channels first if ``data_format`` says so.
        filters: ``(*window, channels / groups, filters)``. If the filters see fewer channels than there are, channels
            and filters are divided into that many groups, each convolved by itself.
        strides: distance of neighbouring windows: an integer, or one a spatial axis.
        padding: ``"SAME"``, ``"VALID"``, or a list of pairs of numbers of zeros to add before and after each axis.
        data_format: such as ``"NHWC"`` or ``"NCHW"``.
        dilations: distance of neighbouring elements of a window: an integer, or one a spatial axis.

    Returns:
        ``(batch..., *windows, filters)``, with the channels where the input has them.

    Raises:
        InvalidArgumentError: shapes, channels, padding or data format do not fit, or a window is larger than the input.

    >>> x = tf.reshape(tf.range(5.0), [1, 5, 1])
    >>> tf.nn.convolution(x, tf.ones([3, 1, 1])).numpy().ravel().tolist()
    [3.0, 6.0, 9.0]
    """
    x, filters = convolution_.align((input, filters))
    return _convolved("convolution", x, filters, filters._array.ndim - 2, strides, padding, data_format, dilations)


def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Convolution over one spatial axis, such as time; see :func:`tf.nn.convolution`.

    Args:
        input: ``(batch..., width, channels)``, or ``"NCW"``.
        filters: ``(window, channels / groups, filters)``.
        stride, padding, data_format, dilations: as there.

    >>> tf.nn.conv1d(tf.ones([1, 5, 2]), tf.ones([3, 2, 4]), stride=2, padding="VALID").shape
    TensorShape([1, 2, 4])
    """
    x, filters = convolution_.align((input, filters))
    return _convolved("conv1d", x, filters, 1, stride, padding, data_format, dilations)


def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Convolution of images; see :func:`tf.nn.convolution`.

    Args:
        input: ``(batch..., height, width, channels)``, or ``"NCHW"``.
        filters: ``(height, width, channels / groups, filters)``.
        strides, padding, data_format, dilations: as there.

    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.nn.conv2d(image, tf.ones([2, 2, 1, 1]), strides=1, padding="VALID").numpy().ravel().tolist()
    [8.0, 12.0, 20.0, 24.0]
    """
    x, filters = convolution_.align((input, filters))
    return _convolved("conv2d", x, filters, 2, strides, padding, data_format, dilations)


def conv3d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Convolution of volumes; see :func:`tf.nn.convolution`.

    Args:
        input: ``(batch..., depth, height, width, channels)``, or ``"NCDHW"``.
        filters: ``(depth, height, width, channels / groups, filters)``.
        strides, padding, data_format, dilations: as there.

    >>> tf.nn.conv3d(tf.ones([1, 4, 4, 4, 1]), tf.ones([2, 2, 2, 1, 5]), strides=2, padding="SAME").shape
    TensorShape([1, 2, 2, 2, 5])
    """
    x, filters = convolution_.align((input, filters))
    return _convolved("conv3d", x, filters, 3, strides, padding, data_format, dilations)


def atrous_conv2d(value: Any, filters: Any, rate: Any, padding: Any, name: str | None = None) -> Any:
    """Convolution of images with ``rate - 1`` holes between the elements of a window.

    Source: F. Yu and V. Koltun, "Multi-scale context aggregation by dilated convolutions" (2016).

    >>> tf.nn.atrous_conv2d(tf.ones([1, 7, 7, 1]), tf.ones([3, 3, 1, 1]), rate=2, padding="VALID").shape
    TensorShape([1, 3, 3, 1])
    """
    x, filters = convolution_.align((value, filters))
    return _convolved("atrous_conv2d", x, filters, 2, 1, padding, None, rate)


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: Any = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Convolution of images channel by channel, each with filters of its own.

    Args:
        input: ``(batch..., height, width, channels)``, or ``"NCHW"``.
        filter: ``(height, width, channels, multiplier)``; the result has ``channels * multiplier`` channels.
        strides, padding, data_format, dilations: as in :func:`tf.nn.convolution`.

    Raises:
        InvalidArgumentError: as there, or the filters do not have the input's channels.

    >>> tf.nn.depthwise_conv2d(tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 3, 2]), [1, 1, 1, 1], "VALID").shape
    TensorShape([1, 3, 3, 6])
    """
    x, filter = convolution_.align((input, filter))
    operation = "depthwise_conv2d"
    _, channels = layout_for_filters(operation, x, filter, 2, data_format).sorted_out(x._array.shape)
    height, width, seen, multiplier = filter._array.shape
    if seen != channels:
        raise InvalidArgumentError(
            f"{operation}: the input has {channels} channels, but the filter of shape {filter._array.shape} has {seen}"
        )
    filter = reshape_(filter, shape=(height, width, 1, channels * multiplier))
    return _convolved(operation, x, filter, 2, strides, padding, data_format, dilations)


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    data_format: Any = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A depthwise convolution of images, followed by one that mixes the channels at each place.

    Args:
        input: ``(batch..., height, width, channels)``, or ``"NCHW"``.
        depthwise_filter: ``(height, width, channels, multiplier)``.
        pointwise_filter: ``(1, 1, channels * multiplier, filters)``.
        strides, padding, data_format, dilations: of the first convolution, as in :func:`tf.nn.convolution`.

    Raises:
        InvalidArgumentError: as there, or the filters do not fit each other.

    Source: F. Chollet, "Xception: deep learning with depthwise separable convolutions" (2017).

    >>> x, depthwise, pointwise = tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 3, 2]), tf.ones([1, 1, 6, 5])
    >>> tf.nn.separable_conv2d(x, depthwise, pointwise, [1, 1, 1, 1], "SAME").shape
    TensorShape([1, 4, 4, 5])
    """
    mixed = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    x, pointwise = convolution_.align((mixed, pointwise_filter))
    _, channels = layout_of("separable_conv2d", data_format, 2).sorted_out(x._array.shape)
    shape = pointwise._array.shape
    if len(shape) != 4 or shape[:3] != (1, 1, channels):
        raise InvalidArgumentError(
            f"separable_conv2d: the pointwise filter must have shape (1, 1, {channels}, filters), got {shape}"
        )
    return _convolved("separable_conv2d", x, pointwise, 2, 1, "VALID", data_format, 1)


def _convolved(
    operation: str, x: Any, filters: Any, n: int, strides: Any, padding: Any, data_format: Any, dilations: Any
) -> Any:
    """The convolution of aligned tensors over ``n`` spatial axes, from the arguments as the user gave them."""
    layout = layout_for_filters(operation, x, filters, n, data_format)
    spatial, channels = layout.sorted_out(x._array.shape)
    *taps, seen, count = filters._array.shape
    if channels != seen and (not seen or channels % seen or count % (channels // seen)):
        raise InvalidArgumentError(
            f"{operation}: the input of shape {x._array.shape} has {channels} channels, but the filters of shape "
            f"{filters._array.shape} take {seen}. For grouped convolution the filters' channels must divide the "
            "input's, and the number of groups the number of filters."
        )
    strides = numbers_for(operation, "strides", strides, layout)
    dilations = numbers_for(operation, "dilations", dilations, layout)
    pairs = padding_for(operation, padding, layout, spatial, tuple(taps), strides, dilations)
    y = convolution_(
        layout.channels_last(x),
        filters,
        strides=strides,
        dilations=dilations,
        padding=pairs,
        groups=channels // seen if seen else 1,
    )
    return layout.restored(y, layout.batch_shape(x))
