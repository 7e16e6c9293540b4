"""Counting: how often integers occur, histograms, the confusion matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import Spec
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import cast
from wengert.primitives.index import getitem, scatter_rows
from wengert.primitives.primitive import primitive
from wengert.primitives.shape import reshape_
from wengert.tensor import Tensor, convert_to_tensor

__all__ = ["bincount", "confusion_matrix", "histogram_fixed_width", "histogram_fixed_width_bins"]


@primitive(differentiable=False)
def occurrences(xp: Any, x: Any, *, bins: int, dtype: Any) -> Any:
    """How often each of the integers below ``bins`` occurs in a flat array of them."""
    return xp.bincount(x, minlength=bins).astype(dtype)


occurrences.spec(lambda x, bins, dtype: Spec((bins,), dtype))


def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = np.int32,
    name: str | None = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Any:
    """How often each integer occurs, or the sum of the weights at its places; the gradient goes to the weights.

    Args:
        arr: tensor of integers, none negative.
        weights: tensor of the shape of ``arr``.
        minlength: the result is filled up with zeros to this many bins.
        maxlength: integers from here on are left out.
        dtype: of the result, if there are no weights; else it is theirs.
        axis: None or 0 counts all elements together; -1 counts along the last axis of a matrix, row by row.
        binary_output: give 1 for each integer that occurs, instead of its count.

    Returns:
        A tensor of shape ``(bins,)``, or ``(rows, bins)`` for ``axis=-1``; there are as many bins as it takes.

    Raises:
        InvalidArgumentError: an integer is negative, shapes differ, or weights are given along with ``binary_output``.
        DTypeError: ``arr`` does not hold integers.

    >>> tf.math.bincount([1, 1, 3]).numpy().tolist()
    [0, 2, 0, 1]
    >>> tf.math.bincount([1, 1, 3], weights=[0.5, 1.0, 2.0]).numpy().tolist()
    [0.0, 1.5, 0.0, 2.0]
    """
    array = _integers("bincount", "arr", arr)._array
    if axis not in (None, 0, -1):
        raise InvalidArgumentError(f"bincount: axis must be None, 0 or -1, got {axis}")
    if axis == -1 and array.ndim > 2:
        raise InvalidArgumentError(f"bincount: takes at most two axes with axis=-1, got shape {array.shape}")
    if array.size and array.min() < 0:
        raise InvalidArgumentError(f"bincount: integers must not be negative, got {array.min()}")
    if binary_output and weights is not None:
        raise InvalidArgumentError("bincount: weights and binary_output exclude each other")
    bins = int(array.max()) + 1 if array.size else 0
    bins = max(bins, 0 if minlength is None else int(minlength))
    bins = bins if maxlength is None else min(bins, int(maxlength))
    batched = axis == -1 and array.ndim == 2
    rows = array.shape[0] if batched else 1
    kept = np.flatnonzero(array < bins)
    places = array.astype(np.int64)
    if batched:
        places = places + np.arange(rows)[:, None] * bins
    places = places.ravel()[kept]
    if weights is None:
        counts = occurrences(Tensor(places), bins=rows * bins, dtype=as_numpy_dtype(dtype))
        counts = cast(cast(counts, np.bool_), dtype) if binary_output else counts
    else:
        weights = convert_to_tensor(weights)
        if weights._array.shape != array.shape:
            raise InvalidArgumentError(
                f"bincount: arr has shape {array.shape}, but the weights have shape {weights._array.shape}"
            )
        counts = _summed(weights, places, rows * bins, kept)
    return reshape_(counts, shape=(rows, bins)) if batched else counts


def _summed(weights: Any, places: Any, bins: int, kept: Any) -> Any:
    """The weights at the flat positions ``kept``, added up at ``places``."""
    flat = reshape_(weights, shape=(weights._array.size,))
    if kept.size < weights._array.size:
        flat = getitem(flat, kept)
    return scatter_rows(flat, Tensor(places), rows=bins)


def _integers(operation: str, what: str, values: Any) -> Any:
    values = convert_to_tensor(values)
    if values._array.dtype.kind not in "iu" and values._array.size:
        raise DTypeError(
            f"{operation}: {what} must hold integers, got {values._array.dtype}{list(values._array.shape)}"
        )
    return values


# --- histograms ------------------------------------------------------------------------------------------------------


@primitive(differentiable=False)
def histogram_bins(xp: Any, x: Any, *, low: float, high: float, bins: int, dtype: Any) -> Any:
    """Which of the bins of equal width from ``low`` to ``high`` each element is in; outside, the nearest."""
    place = xp.floor((x - low) * (bins / (high - low)))
    return xp.clip(place, 0, bins - 1).astype(dtype)


histogram_bins.spec(lambda x, low, high, bins, dtype: Spec(x.shape, dtype))


def _bins(operation: str, values: Any, value_range: Any, nbins: Any, dtype: Any) -> Any:
    low, high = (float(v) for v in convert_to_tensor(value_range)._array)
    if not low < high:
        raise InvalidArgumentError(f"{operation}: value_range must be (low, high) with low < high, got ({low}, {high})")
    if int(nbins) < 1:
        raise InvalidArgumentError(f"{operation}: nbins must be positive, got {nbins}")
    return histogram_bins(convert_to_tensor(values), low=low, high=high, bins=int(nbins), dtype=as_numpy_dtype(dtype))


def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = np.int32, name: str | None = None
) -> Any:
    """Which bin of a histogram each value is in; values outside the range are in the first or the last.

    Args:
        values: tensor of real numbers.
        value_range: the two ends of the range.
        nbins: how many bins of equal width the range is divided into.
        dtype: of the result, which has the shape of ``values``.

    Raises:
        InvalidArgumentError: the range is empty, or there are no bins.

    >>> tf.histogram_fixed_width_bins([-1.0, 0.0, 1.5, 9.0], [0.0, 5.0], nbins=5).numpy().tolist()
    [0, 0, 1, 4]
    """
    return _bins("histogram_fixed_width_bins", values, value_range, nbins, dtype)


def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = np.int32, name: str | None = None
) -> Any:
    """How many values are in each bin of a histogram; values outside the range count in the first or the last.

    Args:
        values: tensor of real numbers, of any shape.
        value_range: the two ends of the range.
        nbins: how many bins of equal width the range is divided into.
        dtype: of the result, which has shape ``(nbins,)``.

    Raises:
        InvalidArgumentError: the range is empty, or there are no bins.

    >>> tf.histogram_fixed_width([-1.0, 0.0, 1.5, 9.0], [0.0, 5.0], nbins=5).numpy().tolist()
    [2, 1, 0, 0, 1]
    """
    places = _bins("histogram_fixed_width", values, value_range, nbins, np.int64)
    return occurrences(reshape_(places, shape=(places._array.size,)), bins=int(nbins), dtype=as_numpy_dtype(dtype))


# --- confusion matrix ------------------------------------------------------------------------------------------------


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = np.int32,
    name: str | None = None,
) -> Any:
    """How often each class (row) was predicted as each class (column); the gradient goes to the weights.

    Args:
        labels: integers of shape ``(n,)``, the true classes.
        predictions: integers of shape ``(n,)``, the predicted classes.
        num_classes: the number of classes; by default, one more than the largest that occurs.
        weights: tensor of shape ``(n,)``, what each pair counts instead of 1.
        dtype: of the result.

    Returns:
        A tensor of shape ``(num_classes, num_classes)``.

    Raises:
        InvalidArgumentError: shapes differ, or a class is negative or not below ``num_classes``.
        DTypeError: labels or predictions are not integers.

    >>> tf.math.confusion_matrix([0, 1, 1], [0, 0, 1]).numpy().tolist()
    [[1, 0], [1, 1]]
    """
    truth = _integers("confusion_matrix", "labels", labels)._array
    guess = _integers("confusion_matrix", "predictions", predictions)._array
    # a trailing axis of size 1 is what models often give
    truth, guess = (a[:, 0] if a.ndim == 2 and a.shape[1] == 1 else a for a in (truth, guess))
    if truth.shape != guess.shape or truth.ndim != 1:
        raise InvalidArgumentError(
            f"confusion_matrix: labels and predictions must have one shape (n,), got {truth.shape} and {guess.shape}"
        )
    truth, guess = truth.astype(np.int64), guess.astype(np.int64)
    classes = int(max(truth.max(initial=-1), guess.max(initial=-1))) + 1 if num_classes is None else int(num_classes)
    for what, values in (("labels", truth), ("predictions", guess)):
        if values.size and not 0 <= values.min() <= values.max() < classes:
            wrong = values.min() if values.min() < 0 else values.max()
            raise InvalidArgumentError(f"confusion_matrix: {what} must be from 0 to {classes - 1}, got {wrong}")
    places = truth * classes + guess
    if weights is None:
        counts = occurrences(Tensor(places), bins=classes * classes, dtype=as_numpy_dtype(dtype))
    else:
        weights = convert_to_tensor(weights)
        if weights._array.shape != truth.shape:
            raise InvalidArgumentError(
                f"confusion_matrix: weights must have shape {truth.shape}, got {weights._array.shape}"
            )
        counts = scatter_rows(cast(weights, dtype), Tensor(places), rows=classes * classes)
    return reshape_(counts, shape=(classes, classes))
