"""Transposed convolution under TensorFlow's names, on the primitive in :mod:`wengert.primitives.convolve`."""

from __future__ import annotations

from typing import Any

from wengert.errors import InvalidArgumentError
from wengert.primitives.convolve import convolution_transpose
from wengert.primitives.shape import static_shape
from wengert.primitives.sliding import layout_for_filters, numbers_for, padding_for, windows_on

__all__ = [
    "atrous_conv2d_transpose",
    "conv1d_transpose",
    "conv2d_transpose",
    "conv3d_transpose",
    "conv_transpose",
]


def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: Any = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of a convolution, sometimes called deconvolution: what its gradient does with a cotangent.

    Args:
        input: ``(batch..., *windows, channels)``, or with the channels first if ``data_format`` says so.
        filters: ``(*window, output channels / groups, channels)``.
        output_shape: the whole shape of the result, which a convolution with these arguments brings to the input's.
        strides, padding, data_format, dilations: of that convolution, as in :func:`tf.nn.convolution`.

    Raises:
        InvalidArgumentError: the shapes do not belong together, or as :func:`tf.nn.convolution`.

    Source: M. Zeiler et al., "Deconvolutional networks" (2010).

    >>> x = tf.constant([[[1.0], [2.0]]])
    >>> tf.nn.conv_transpose(x, tf.ones([2, 1, 1]), [1, 4, 1], strides=2).numpy().ravel().tolist()
    [1.0, 1.0, 2.0, 2.0]
    """
    g, filters = convolution_transpose.align((input, filters))
    n = filters._array.ndim - 2
    return _transposed("conv_transpose", g, filters, n, output_shape, strides, padding, data_format, dilations)


def conv1d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of :func:`tf.nn.conv1d`; see :func:`tf.nn.conv_transpose`.

    >>> tf.nn.conv1d_transpose(tf.ones([2, 3, 4]), tf.ones([3, 5, 4]), [2, 6, 5], strides=2).shape
    TensorShape([2, 6, 5])
    """
    g, filters = convolution_transpose.align((input, filters))
    return _transposed("conv1d_transpose", g, filters, 1, output_shape, strides, padding, data_format, dilations)


def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of :func:`tf.nn.conv2d`; see :func:`tf.nn.conv_transpose`.

    >>> x, filters = tf.ones([2, 3, 3, 4]), tf.ones([3, 3, 5, 4])
    >>> tf.nn.conv2d_transpose(x, filters, [2, 6, 6, 5], strides=2).shape
    TensorShape([2, 6, 6, 5])
    """
    g, filters = convolution_transpose.align((input, filters))
    return _transposed("conv2d_transpose", g, filters, 2, output_shape, strides, padding, data_format, dilations)


def conv3d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of :func:`tf.nn.conv3d`; see :func:`tf.nn.conv_transpose`.

    >>> x, filters = tf.ones([1, 2, 2, 2, 3]), tf.ones([3, 3, 3, 1, 3])
    >>> tf.nn.conv3d_transpose(x, filters, [1, 4, 4, 4, 1], strides=2).shape
    TensorShape([1, 4, 4, 4, 1])
    """
    g, filters = convolution_transpose.align((input, filters))
    return _transposed("conv3d_transpose", g, filters, 3, output_shape, strides, padding, data_format, dilations)


def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: Any, padding: Any, name: str | None = None
) -> Any:
    """The transpose of :func:`tf.nn.atrous_conv2d`; see :func:`tf.nn.conv_transpose`.

    >>> x, filters = tf.ones([1, 3, 3, 2]), tf.ones([3, 3, 1, 2])
    >>> tf.nn.atrous_conv2d_transpose(x, filters, [1, 7, 7, 1], rate=2, padding="VALID").shape
    TensorShape([1, 7, 7, 1])
    """
    g, filters = convolution_transpose.align((value, filters))
    return _transposed("atrous_conv2d_transpose", g, filters, 2, output_shape, 1, padding, None, rate)


def _transposed(
    operation: str,
    g: Any,
    filters: Any,
    n: int,
    output_shape: Any,
    strides: Any,
    padding: Any,
    data_format: Any,
    dilations: Any,
) -> Any:
    """The transposed convolution of aligned tensors over ``n`` spatial axes, from the arguments as they were given."""
    layout = layout_for_filters(operation, g, filters, n, data_format)
    batch = layout.batch_shape(g)
    spatial, channels = layout.sorted_out(g._array.shape)
    *taps, seen, count = filters._array.shape
    wanted = static_shape(output_shape, operation)
    if len(wanted) != g._array.ndim or wanted[: len(batch)] != batch:
        raise InvalidArgumentError(
            f"{operation}: output_shape must have {g._array.ndim} entries and the input's batch {list(batch)}, "
            f"got {list(wanted)}"
        )
    output_spatial, output_channels = layout.sorted_out(wanted)
    groups = output_channels // seen if seen and output_channels % seen == 0 else 0
    if channels != count or not groups or count % groups:
        raise InvalidArgumentError(
            f"{operation}: filters of shape {filters._array.shape} (*window, output channels, input channels) do not "
            f"fit an input with {channels} channels and an output_shape with {output_channels}"
        )
    strides = numbers_for(operation, "strides", strides, layout)
    dilations = numbers_for(operation, "dilations", dilations, layout)
    pairs = padding_for(operation, padding, layout, output_spatial, tuple(taps), strides, dilations)
    windows = windows_on(output_spatial, tuple(taps), strides, dilations, pairs)
    if windows.sizes != spatial:
        raise InvalidArgumentError(
            f"{operation}: a convolution of output_shape {list(wanted)} with these filters, strides {list(strides)} "
            f"and padding {padding!r} has the spatial shape {list(windows.sizes)}, but the input has {list(spatial)}"
        )
    y = convolution_transpose(
        layout.channels_last(g),
        filters,
        strides=strides,
        dilations=dilations,
        padding=pairs,
        groups=groups,
        shape=output_spatial,
    )
    return layout.restored(y, batch)
