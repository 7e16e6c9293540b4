"""Assertions on the values, shapes and dtypes of tensors. Each returns None, or raises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import ml_dtypes
import numpy as np

from wengert.arrays.dtypes import as_dtype
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import add
from wengert.tensor import IndexedSlices, TensorLike, convert_to_tensor

__all__ = [
    "Assert",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_shapes",
    "assert_type",
    "is_numeric_tensor",
]

#: how many elements an error shows
_SHOWN = 3


def _said(message: str | None, text: str) -> str:
    return f"{message}: {text}" if message else text


def _array(x: Any) -> Any:
    return convert_to_tensor(x)._array


def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> None:
    """Raise InvalidArgumentError, showing the data, unless the condition holds.

    >>> tf.debugging.Assert(False, ["x is", 3])
    Traceback (most recent call last):
        ...
    wengert.errors.InvalidArgumentError: Assert: expected the condition to hold. Data: x is, 3
    """
    if not bool(convert_to_tensor(condition)):
        shown = ", ".join(str(d._array if isinstance(d, TensorLike) else d) for d in data)
        raise InvalidArgumentError(f"Assert: expected the condition to hold. Data: {shown}")


# --- values ----------------------------------------------------------------------------------------------------------


def _check_pairs(operation: str, symbol: str, holds: Callable[..., Any], x: Any, y: Any, message: str | None) -> None:
    """Raise unless ``holds`` for all pairs of elements of ``x`` and ``y``, which broadcast."""
    a, b = (t._array for t in add.align((x, y)))
    try:
        wrong = np.argwhere(~np.asarray(holds(a, b)))
    except ValueError as error:
        raise InvalidArgumentError(_said(message, f"{operation}: {error}")) from None
    if len(wrong):
        a, b = np.broadcast_arrays(a, b)
        cases = ", ".join(
            f"x{k.tolist() if k.size else ''} = {a[tuple(k)]} and y{k.tolist() if k.size else ''} = {b[tuple(k)]}"
            for k in wrong[:_SHOWN]
        )
        more = ", ..." if len(wrong) > _SHOWN else ""
        raise InvalidArgumentError(
            _said(
                message, f"{operation}: x {symbol} y does not hold for {len(wrong)} of {a.size} elements: {cases}{more}"
            )
        )


def _check_each(operation: str, symbol: str, holds: Callable[..., Any], x: Any, message: str | None) -> None:
    """Raise unless ``holds`` for all elements of ``x`` compared with 0."""
    a = _array(x)
    wrong = np.argwhere(~np.asarray(holds(a, 0)))
    if len(wrong):
        cases = ", ".join(f"x{k.tolist() if k.size else ''} = {a[tuple(k)]}" for k in wrong[:_SHOWN])
        more = ", ..." if len(wrong) > _SHOWN else ""
        raise InvalidArgumentError(
            _said(
                message, f"{operation}: x {symbol} 0 does not hold for {len(wrong)} of {a.size} elements: {cases}{more}"
            )
        )


def _pairwise(name: str, symbol: str, holds: Callable[..., Any], summary: str) -> Callable[..., None]:
    def check(
        x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
    ) -> None:
        _check_pairs(operation, symbol, holds, x, y, message)

    operation = check.__name__ = check.__qualname__ = name
    check.__doc__ = f"""Raise InvalidArgumentError unless each element of ``x`` {summary} that of ``y``; they broadcast.

    Args:
        x: tensor.
        y: tensor of the same kind.
        message: begins the text of the error.
    """
    return check


def _against_zero(name: str, symbol: str, holds: Callable[..., Any], summary: str) -> Callable[..., None]:
    def check(x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None) -> None:
        _check_each(operation, symbol, holds, x, message)

    operation = check.__name__ = check.__qualname__ = name
    check.__doc__ = f"""Raise InvalidArgumentError unless every element {summary}; an empty tensor passes.

    Args:
        x: real tensor.
        message: begins the text of the error.
    """
    return check


assert_equal = _pairwise("assert_equal", "==", np.equal, "equals")
assert_less = _pairwise("assert_less", "<", np.less, "is less than")
assert_less_equal = _pairwise("assert_less_equal", "<=", np.less_equal, "is less than or equal to")
assert_greater = _pairwise("assert_greater", ">", np.greater, "is greater than")
assert_greater_equal = _pairwise("assert_greater_equal", ">=", np.greater_equal, "is greater than or equal to")
assert_positive = _against_zero("assert_positive", ">", np.greater, "is positive")
assert_negative = _against_zero("assert_negative", "<", np.less, "is negative")
assert_non_positive = _against_zero("assert_non_positive", "<=", np.less_equal, "is 0 or negative")
assert_non_negative = _against_zero("assert_non_negative", ">=", np.greater_equal, "is 0 or positive")


def assert_none_equal(
    x: Any, y: Any, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError if some element of ``x`` equals that of ``y``, with broadcasting.

    >>> tf.debugging.assert_none_equal([1, 2], [2, 1])
    """
    _check_pairs("assert_none_equal", "!=", np.not_equal, x, y, message)


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError unless ``|x - y| <= atol + rtol * |y|`` for every element, with broadcasting.

    Args:
        x: floating tensor.
        y: floating tensor.
        rtol: relative tolerance, by default ten times the spacing of the dtype's numbers at 1.
        atol: absolute tolerance, by default likewise.
        message: begins the text of the error.

    >>> tf.debugging.assert_near([1.0], [1.0 + 1e-7])
    """
    a = add.align((x, y))[0]._array
    exact = a.dtype.kind in "biu"
    tolerance = 0.0 if exact else 10 * float(ml_dtypes.finfo(np.empty(0, a.dtype).real.dtype).eps)  # type: ignore[no-untyped-call]
    relative, absolute = (tolerance if t is None else float(t) for t in (rtol, atol))

    def holds(a: Any, b: Any) -> Any:
        wide = a if a.dtype.itemsize > 2 else a.astype(np.float32)
        return (a == b) | (np.abs(wide - b) <= absolute + relative * np.abs(b))

    with np.errstate(invalid="ignore"):
        _check_pairs("assert_near", f"== (within {absolute:.3g} + {relative:.3g} |y|)", holds, x, y, message)


# --- shapes ----------------------------------------------------------------------------------------------------------


def _check_rank(operation: str, x: Any, ok: bool, wanted: str, message: str | None) -> None:
    if not ok:
        shape = _array(x).shape
        raise InvalidArgumentError(
            _said(message, f"{operation}: the rank must be {wanted}, got {len(shape)} (shape {shape})")
        )


def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise InvalidArgumentError (a ValueError) unless ``x`` has that number of axes.

    >>> tf.debugging.assert_rank([[1.0]], 2)
    """
    _check_rank("assert_rank", x, _array(x).ndim == int(rank), f"{int(rank)}", message)


def assert_rank_at_least(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise InvalidArgumentError (a ValueError) if ``x`` has fewer axes.

    >>> tf.debugging.assert_rank_at_least([[1.0]], 1)
    """
    _check_rank("assert_rank_at_least", x, _array(x).ndim >= int(rank), f"{int(rank)} or more", message)


def assert_rank_in(x: Any, ranks: Iterable[Any], message: str | None = None, name: str | None = None) -> None:
    """Raise InvalidArgumentError (a ValueError) unless the number of axes of ``x`` is one of ``ranks``.

    >>> tf.debugging.assert_rank_in([[1.0]], (1, 2))
    """
    allowed = [int(r) for r in ranks]
    _check_rank("assert_rank_in", x, _array(x).ndim in allowed, f"one of {allowed}", message)


def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> Any:
    """The tensor itself, which must have shape ``()``; else InvalidArgumentError (a ValueError) is raised.

    >>> float(tf.debugging.assert_scalar(1.0))
    1.0
    """
    tensor = convert_to_tensor(tensor)
    _check_rank("assert_scalar", tensor, tensor._array.ndim == 0, "0", message)
    return tensor


def assert_shapes(
    shapes: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError (a ValueError) unless tensors have shapes in which equal names mean equal sizes.

    Args:
        shapes: pairs ``(tensor, shape)``, or a dictionary from ``tensor.ref()``; a shape is a tuple (or a string) of
            sizes, names, and ``None`` or ``"."`` for any size. After ``...`` (or ``"*"``) it describes the last axes.
        message: begins the text of the error.

    >>> x, y = tf.ones([2, 3]), tf.ones([3, 4])
    >>> tf.debugging.assert_shapes([(x, ("rows", "inner")), (y, ("inner", 4))])
    """
    pairs = shapes.items() if isinstance(shapes, Mapping) else shapes
    known: dict[Any, tuple[int, str]] = {}
    for number, (tensor, symbols) in enumerate(pairs):
        actual = _array(tensor.deref() if hasattr(tensor, "deref") else tensor).shape
        wanted = tuple(symbols) if isinstance(symbols, Iterable) else (symbols,)
        if symbols == ():
            wanted = ()
        open_ended = bool(wanted) and wanted[0] in (Ellipsis, "*")
        wanted = wanted[1:] if open_ended else wanted
        what = f"assert_shapes: tensor {number} has shape {actual}"
        if len(actual) < len(wanted) or (len(actual) > len(wanted) and not open_ended):
            least = "at least " if open_ended else ""
            raise InvalidArgumentError(_said(message, f"{what}, but rank {least}{len(wanted)} was specified"))
        for axis, symbol in zip(range(len(actual) - len(wanted), len(actual)), wanted):
            size = actual[axis]
            if symbol is None or symbol == ".":
                continue
            number_given = isinstance(symbol, (int, np.integer)) or (isinstance(symbol, str) and symbol.isdigit())
            expected, source = (
                (int(symbol), "as specified")
                if number_given
                else known.setdefault(symbol, (size, f"as {symbol!r} is axis {axis} of tensor {number}"))
            )
            if size != expected:
                raise InvalidArgumentError(
                    _said(message, f"{what}, but axis {axis} must have size {expected}, {source}")
                )


# --- dtypes ----------------------------------------------------------------------------------------------------------


def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise DTypeError (a TypeError) unless the tensor has that dtype.

    >>> tf.debugging.assert_type([1.0], tf.float32)
    """
    found, wanted = convert_to_tensor(tensor).dtype, as_dtype(tf_type)
    if found != wanted:
        raise DTypeError(_said(message, f"assert_type: the tensor must be of type {wanted.name}, got {found.name}"))


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise DTypeError (a TypeError) unless ``x`` has an integer dtype.

    >>> tf.debugging.assert_integer([1, 2])
    """
    found = convert_to_tensor(x).dtype
    if not found.is_integer:
        raise DTypeError(_said(message, f"assert_integer: the tensor must be of an integer type, got {found.name}"))


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """The common floating dtype of the tensors; DTypeError if they differ or are not floating.

    Args:
        tensors: a list; None among them are left out.
        dtype: that they must have; by default, that of the first, and float32 if there is none.

    >>> tf.debugging.assert_same_float_dtype([tf.ones(2), None])
    tf.float32
    """
    wanted = None if dtype is None else as_dtype(dtype)
    for tensor in tensors or ():
        if tensor is None:
            continue
        found = convert_to_tensor(tensor).dtype
        wanted = found if wanted is None else wanted
        if found != wanted:
            raise DTypeError(f"assert_same_float_dtype: dtypes {wanted.name} and {found.name} differ")
    wanted = as_dtype(np.float32) if wanted is None else wanted
    if not wanted.is_floating:
        raise DTypeError(f"assert_same_float_dtype: expected a floating dtype, got {wanted.name}")
    return wanted


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether this is a tensor of numbers (not booleans).

    >>> tf.debugging.is_numeric_tensor(tf.constant([1])), tf.debugging.is_numeric_tensor([1])
    (True, False)
    """
    return isinstance(tensor, (TensorLike, IndexedSlices)) and not tensor.dtype.is_bool


def assert_proper_iterable(values: Any) -> None:
    """Raise TypeError unless ``values`` is an iterable of things, and not one thing: no tensor, array or string.

    >>> tf.debugging.assert_proper_iterable([tf.constant(1)])
    """
    if isinstance(values, (TensorLike, IndexedSlices, np.ndarray, str, bytes)) or not isinstance(values, Iterable):
        raise DTypeError(f"assert_proper_iterable: expected a list or another iterable, got {type(values).__name__}")
