"""Element-wise arithmetic, comparison, selection and conversion of dtype."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.arrays.shapes import Spec
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.primitive import Primitive, primitive
from wengert.tensor import TENSOR_CLASSES, IndexedSlices, Tensor, as_operand, convert_to_tensor

__all__ = [
    "absolute",
    "add",
    "add_n",
    "cast",
    "clip_by_value",
    "complex_",
    "conj",
    "divide",
    "divide_no_nan",
    "equal",
    "floordiv",
    "floormod",
    "greater",
    "greater_equal",
    "imag",
    "invert",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "multiply_no_nan",
    "negative",
    "not_equal",
    "positive",
    "pow_",
    "real",
    "reciprocal",
    "sign",
    "square",
    "squared_difference",
    "stop_gradient",
    "subtract",
    "true_divide",
    "where",
]


@primitive(elementwise=True, linear=("x",), eager=operator.neg)
def negative(xp: Any, x: Any) -> Any:
    """The negative, element-wise.

    >>> tf.negative([1.0, -2.0]).numpy()
    array([-1.,  2.], dtype=float32)
    """
    return -x


negative.vjp(lambda xp, g: -g)


@primitive(elementwise=True, eager=operator.add)
def add(xp: Any, x: Any, y: Any) -> Any:
    """The sum of two tensors, element-wise with broadcasting.

    Raises:
        InvalidArgumentError: the shapes do not broadcast, or the dtypes are not of one kind.

    >>> tf.add([[1.0], [2.0]], [10.0, 20.0]).numpy().tolist()
    [[11.0, 21.0], [12.0, 22.0]]
    """
    return x + y


add.vjp(lambda xp, g: g, lambda xp, g: g)


@primitive(elementwise=True, eager=operator.sub)
def subtract(xp: Any, x: Any, y: Any) -> Any:
    """The difference of two tensors, element-wise with broadcasting.

    >>> tf.subtract([5.0, 3.0], 1.0).numpy().tolist()
    [4.0, 2.0]
    """
    return x - y


subtract.vjp(lambda xp, g: g, lambda xp, g: -g)


@primitive(elementwise=True, linear=("x", "y"), eager=operator.mul)
def multiply(xp: Any, x: Any, y: Any) -> Any:
    """The product of two tensors, element-wise with broadcasting.

    >>> tf.multiply([1.0, 2.0], [3.0, 4.0]).numpy().tolist()
    [3.0, 8.0]
    """
    return x * y


multiply.vjp(lambda xp, g, y: g * y, lambda xp, g, x: g * x)


@primitive(elementwise=True, eager=operator.truediv)
def true_divide(xp: Any, x: Any, y: Any) -> Any:
    """The quotient of two floating or complex tensors, element-wise with broadcasting."""
    return x / y


true_divide.vjp(lambda xp, g, y: g / y, lambda xp, g, y, out: -g * out / y)


def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """The quotient ``x / y``, element-wise with broadcasting; integers are divided in float64, as in Python.

    >>> float(tf.divide(3, 2)), tf.divide([1.0, 4.0], 2.0).numpy().tolist()
    (1.5, [0.5, 2.0])
    """
    if x.__class__ not in TENSOR_CLASSES or y.__class__ not in TENSOR_CLASSES or x._array.dtype.kind in "biu":
        x, y = true_divide.align((x, y))
        if x._array.dtype.kind in "iu":
            x, y = cast(x, np.float64), cast(y, np.float64)
    return true_divide.function(x, y)


@primitive(elementwise=True)
def square(xp: Any, x: Any) -> Any:
    """The square, element-wise.

    >>> tf.square([2.0, -3.0]).numpy().tolist()
    [4.0, 9.0]
    """
    return x * x


square.vjp(lambda xp, g, x: g * (2 * x))


@primitive(elementwise=True)
def reciprocal(xp: Any, x: Any) -> Any:
    """The reciprocal ``1 / x``, element-wise.

    >>> tf.math.reciprocal([2.0, 4.0]).numpy().tolist()
    [0.5, 0.25]
    """
    return 1 / x


reciprocal.vjp(lambda xp, g, out: -g * out * out)


@primitive(elementwise=True, eager=operator.pow)
def power(xp: Any, x: Any, y: Any) -> Any:
    """``x`` to the power ``y``, element-wise with broadcasting."""
    return x**y


@power.vjp_of("x")
def _power_vjp_base(xp: Any, g: Any, x: Any, y: Any) -> Any:
    # where y is 0 the power is constant, also at x = 0 where x**(y - 1) would be infinite
    constant = y == 0
    return g * xp.where(constant, 0, y * x ** xp.where(constant, 1, y - 1))


@power.vjp_of("y")
def _power_vjp_exponent(xp: Any, g: Any, x: Any, out: Any) -> Any:
    # d x**y / dy = x**y log(x); at x = 0 it is the limit 0, and for negative x the power is defined only at integers
    safe = x != 0 if x.dtype.kind == "c" else x > 0
    return g * xp.where(safe, out * xp.log(xp.where(safe, x, 1)), 0)


def pow_(x: Any, y: Any, name: str | None = None) -> Any:
    """``x`` to the power ``y``, element-wise with broadcasting.

    The derivative by ``x`` is 0 where ``y`` is 0, and the derivative by ``y`` is 0 where ``x`` is not positive.

    >>> tf.pow([2.0, 3.0], 2).numpy().tolist()
    [4.0, 9.0]
    """
    if y.__class__ in (int, float) and y == 2:
        return square(x)
    return power.function(x, y)


@primitive(elementwise=True, selects=True)
def maximum(xp: Any, x: Any, y: Any) -> Any:
    """The larger of two tensors, element-wise with broadcasting; a tie shares the gradient half and half.

    >>> tf.maximum([1.0, 5.0], 3.0).numpy().tolist()
    [3.0, 5.0]
    """
    return xp.maximum(x, y)


@primitive(elementwise=True, selects=True)
def minimum(xp: Any, x: Any, y: Any) -> Any:
    """The smaller of two tensors, element-wise with broadcasting; a tie shares the gradient half and half.

    >>> tf.minimum([1.0, 5.0], 3.0).numpy().tolist()
    [1.0, 3.0]
    """
    return xp.minimum(x, y)


def _share(xp: Any, g: Any, x: Any, other: Any, out: Any) -> Any:
    """The cotangent of the operand that was chosen; half of it where both were."""
    return xp.where(x == other, 0.5 * g, xp.where(x == out, g, 0))


maximum.vjp(lambda xp, g, x, y, out: _share(xp, g, x, y, out), lambda xp, g, x, y, out: _share(xp, g, y, x, out))
minimum.vjp(lambda xp, g, x, y, out: _share(xp, g, x, y, out), lambda xp, g, x, y, out: _share(xp, g, y, x, out))


def squared_difference(x: Any, y: Any, name: str | None = None) -> Any:
    """``(x - y)`` squared (times its conjugate, if complex), element-wise with broadcasting.

    >>> tf.math.squared_difference([1.0, 5.0], 3.0).numpy().tolist()
    [4.0, 4.0]
    """
    difference = subtract(x, y)
    return multiply(conj(difference), difference) if difference._array.dtype.kind == "c" else square(difference)


def add_n(inputs: Any, name: str | None = None) -> Any:
    """The sum of a list of tensors of one shape.

    Raises:
        InvalidArgumentError: the list is empty, or the shapes differ.

    >>> tf.add_n([[1.0], [2.0], [3.0]]).numpy().tolist()
    [6.0]
    """
    tensors = [as_operand(x) for x in inputs]
    shapes = {t._array.shape for t in tensors}
    if len(shapes) != 1:
        raise InvalidArgumentError(f"add_n takes one or more tensors of one shape, got shapes {sorted(shapes)}")
    total = tensors[0]
    for t in tensors[1:]:
        total = add(total, t)
    return total


@primitive(elementwise=True)
def divide_no_nan(xp: Any, x: Any, y: Any) -> Any:
    """``x / y``, and 0 where ``y`` is 0, with derivative 0 there.

    >>> tf.math.divide_no_nan([1.0, 1.0], [2.0, 0.0]).numpy().tolist()
    [0.5, 0.0]
    """
    zero = y == 0
    return xp.where(zero, 0, x / xp.where(zero, 1, y))


divide_no_nan.vjp(
    lambda xp, g, y: xp.divide_no_nan(g, y),
    lambda xp, g, y, out: -xp.divide_no_nan(g * out, y),
)


@primitive(elementwise=True)
def multiply_no_nan(xp: Any, x: Any, y: Any) -> Any:
    """``x * y``, and 0 where ``y`` is 0, even if ``x`` is infinite or NaN.

    >>> tf.math.multiply_no_nan([1.0, float("inf")], [2.0, 0.0]).numpy().tolist()
    [2.0, 0.0]
    """
    zero = y == 0
    return xp.where(zero, 0, xp.where(zero, 0, x) * y)


multiply_no_nan.vjp(lambda xp, g, y: xp.multiply_no_nan(g, y), lambda xp, g, x: xp.multiply_no_nan(x, g))


# --- parts of complex numbers ----------------------------------------------------------------------------------------


@primitive(elementwise=True)
def absolute(xp: Any, x: Any) -> Any:
    """The absolute value, element-wise; real for complex input. Its derivative at 0 is taken as 0.

    >>> tf.abs([-1.5, 2.0]).numpy().tolist()
    [1.5, 2.0]
    """
    return xp.absolute(x)


@absolute.vjp
def _absolute_vjp(xp: Any, g: Any, x: Any) -> Any:
    return g * xp.conj(xp.sign(x))


@absolute.jvp
def _absolute_jvp(xp: Any, t: Any, x: Any) -> Any:
    return xp.real(t * xp.conj(xp.sign(x)))


@absolute.spec
def _absolute_spec(x: Spec) -> Spec:
    return Spec(x.shape, _real_dtype(x.dtype))


@primitive(elementwise=True)
def sign(xp: Any, x: Any) -> Any:
    """The sign, element-wise: -1, 0 or 1; for complex input the phase factor ``x / |x|``. Real signs have gradient 0.

    >>> tf.sign([-3.0, 0.0, 2.0]).numpy().tolist()
    [-1.0, 0.0, 1.0]
    """
    return xp.sign(x)


@sign.vjp
def _sign_vjp(xp: Any, g: Any, x: Any, out: Any) -> Any:
    if x.dtype.kind != "c":
        return xp.zeros_like(g)
    return xp.divide_no_nan(g - xp.real(g * out) * xp.conj(out), xp.absolute(x))


@sign.jvp
def _sign_jvp(xp: Any, t: Any, x: Any, out: Any) -> Any:
    if x.dtype.kind != "c":
        return xp.zeros_like(t)
    return xp.divide_no_nan(t - out * xp.real(xp.conj(out) * t), xp.absolute(x))


@primitive(elementwise=True, linear=("x",), moves=True)
def conj(xp: Any, x: Any) -> Any:
    """The complex conjugate, element-wise; a real tensor is its own.

    >>> tf.math.conj([1 + 2j]).numpy().tolist()
    [(1-2j)]
    """
    return xp.conj(x)


conj.vjp(lambda xp, g: xp.conj(g))


@primitive(elementwise=True, linear=("x",), moves=True)
def real(xp: Any, x: Any) -> Any:
    """The real part, element-wise.

    >>> tf.math.real([1 + 2j]).numpy().tolist()
    [1.0]
    """
    return xp.real(x)


real.vjp(lambda xp, g, x_dtype: xp.cast(g, dtype=x_dtype))


@primitive(elementwise=True, linear=("x",), moves=True)
def imag(xp: Any, x: Any) -> Any:
    """The imaginary part, element-wise.

    >>> tf.math.imag([1 + 2j]).numpy().tolist()
    [2.0]
    """
    return xp.imag(x)


@imag.vjp
def _imag_vjp(xp: Any, g: Any, x_dtype: Any) -> Any:
    if x_dtype.kind != "c":
        return xp.zeros_like(g)
    return xp.cast(g, dtype=x_dtype) * -1j


@real.spec
def _real_spec(x: Spec) -> Spec:
    return Spec(x.shape, _real_dtype(x.dtype))


imag.spec(_real_spec)


def _real_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.empty(0, dtype).real.dtype


def complex_(real: Any, imag: Any, name: str | None = None) -> Any:
    """The complex tensor with the given parts: complex64 from float32, complex128 from float64.

    >>> tf.complex([1.0], [2.0]).numpy().tolist()
    [(1+2j)]
    """
    x, y = add.align((real, imag))
    dtype = np.result_type(x._array.dtype, np.complex64)
    return add(cast(x, dtype), multiply(cast(y, dtype), 1j))


# --- conversion and selection ----------------------------------------------------------------------------------------


@primitive(elementwise=True, linear=("x",))
def cast_(xp: Any, x: Any, *, dtype: Any) -> Any:
    """Conversion between floating and complex dtypes; from complex to real it takes the real part."""
    return _converted(x, dtype)


cast_.vjp(lambda xp, g, x_dtype: xp.cast(g, dtype=x_dtype))


@primitive(elementwise=True, differentiable=False, title="cast")
def cast_discrete(xp: Any, x: Any, *, dtype: Any) -> Any:
    """Conversion from or to integers and booleans, which carry no derivative."""
    return _converted(x, dtype)


def _converted(x: Any, dtype: np.dtype[Any]) -> Any:
    return (x.real if x.dtype.kind == "c" and dtype.kind != "c" else x).astype(dtype)


@cast_.spec
def _cast_spec(x: Spec, *, dtype: Any) -> Spec:
    return Spec(x.shape, dtype)


cast_discrete.spec(_cast_spec)


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """``x`` converted to another dtype. Gradients pass between floating and complex dtypes, not through integers.

    Floats are cut towards zero on the way to integers; of complex numbers the real part is taken.

    >>> tf.cast([1.9, -1.9], tf.int32).numpy().tolist()
    [1, -1]
    """
    if isinstance(x, IndexedSlices):
        return IndexedSlices(cast(x.values, dtype), x.indices, x.dense_shape)
    wanted = as_numpy_dtype(dtype)
    x = as_operand(x)
    present = x._array.dtype
    if present == wanted:
        return x
    continuous = present.kind not in "biu" and wanted.kind not in "biu"
    return (cast_ if continuous else cast_discrete)(x, dtype=wanted)


@primitive(elementwise=True, same_dtype=("x", "y"), selects=True, moves=True)
def where_(xp: Any, condition: Any, x: Any, y: Any) -> Any:
    """``x`` where the condition holds, else ``y``, element-wise with broadcasting."""
    return xp.where(condition, x, y)


@where_.vjp_of("x")
def _where_vjp_x(xp: Any, g: Any, condition: Any) -> Any:
    return xp.where(condition, g, 0)


@where_.vjp_of("y")
def _where_vjp_y(xp: Any, g: Any, condition: Any) -> Any:
    return xp.where(condition, 0, g)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """``x`` where ``condition`` is true, else ``y``; with the condition alone, the indices of its true elements.

    Args:
        condition: boolean, broadcastable with ``x`` and ``y``.
        x: tensor, or a function without arguments that gives it, evaluated lazily: see below.
        y: likewise.

    A branch that was not selected contributes exactly nothing to the gradient, even where its own derivative is
    infinite or NaN.

    Raises:
        InvalidArgumentError: only one of ``x`` and ``y`` is given, or the shapes do not broadcast.

    >>> tf.where([True, False], 1.0, 2.0).numpy().tolist()
    [1.0, 2.0]
    >>> tf.where([False, True, True]).numpy().tolist()
    [[1], [2]]
    """
    if x is None and y is None:
        return Tensor(np.argwhere(convert_to_tensor(condition)._array))
    if x is None or y is None:
        raise InvalidArgumentError("where takes both x and y, or neither")
    condition = as_operand(condition)
    if condition._array.dtype.kind != "b":
        raise DTypeError(f"where: the condition must be boolean, got {condition._array.dtype}")
    return where_(condition, x, y)


@primitive(elementwise=True, linear=("x",), moves=True)
def identity_(xp: Any, x: Any) -> Any:
    """The tensor itself, as a new step on the tape."""
    return x


identity_.vjp(lambda xp, g: g)


@primitive(elementwise=True, differentiable=False, moves=True)
def stop_gradient(xp: Any, x: Any) -> Any:
    """The value of ``x``, through which no gradient passes.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * tf.stop_gradient(x)
    >>> float(tape.gradient(y, x))
    3.0
    """
    return x


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """``t`` limited to the range from ``clip_value_min`` to ``clip_value_max``, which broadcast to its shape.

    Raises:
        InvalidArgumentError: a bound would enlarge ``t``.
        DTypeError: integer ``t`` with floating bounds.

    >>> tf.clip_by_value([-2.0, 0.5, 2.0], -1, 1).numpy().tolist()
    [-1.0, 0.5, 1.0]
    """
    if isinstance(t, IndexedSlices):
        return IndexedSlices(clip_by_value(t.values, clip_value_min, clip_value_max), t.indices, t.dense_shape)
    t = as_operand(t)
    clipped = clip(*clip.align((t, clip_value_min, clip_value_max)))
    if clipped._array.shape != t._array.shape:
        raise InvalidArgumentError(
            f"clip_by_value: bounds would enlarge shape {t._array.shape} to {clipped._array.shape}"
        )
    return clipped


@primitive(elementwise=True, selects=True)
def clip(xp: Any, x: Any, low: Any, high: Any) -> Any:
    """``x`` limited to the range from ``low`` to ``high``; on a bound, the gradient belongs to ``x``."""
    return xp.minimum(xp.maximum(x, low), high)


clip.vjp(
    lambda xp, g, x, low, high: xp.where((x >= low) & (x <= high), g, 0),
    lambda xp, g, x, low, high: xp.where((x < low) & (low <= high), g, 0),
    lambda xp, g, x, low, high: xp.where((x > high) | (low > high), g, 0),
)


# --- comparison, logic, integer arithmetic: no derivatives -----------------------------------------------------------


def _comparison(name: str, function: Any, summary: str, example: str) -> Primitive:
    def forward(xp: Any, x: Any, y: Any) -> Any:
        return function(x, y)

    forward.__name__ = name
    forward.__doc__ = f"{summary}, element-wise with broadcasting; boolean.\n\n    >>> {example}\n    "
    return primitive(elementwise=True, differentiable=False, result_dtype=np.bool_, eager=function)(forward)


equal = _comparison(
    "equal", operator.eq, "Whether x equals y", "tf.equal([1, 2], 2).numpy().tolist()\n    [False, True]"
)
not_equal = _comparison(
    "not_equal", operator.ne, "Whether x differs from y", "tf.not_equal([1, 2], 2).numpy().tolist()\n    [True, False]"
)
less = _comparison("less", operator.lt, "Whether x < y", "tf.less([1, 2], 2).numpy().tolist()\n    [True, False]")
less_equal = _comparison(
    "less_equal", operator.le, "Whether x <= y", "tf.less_equal([1, 2], 2).numpy().tolist()\n    [True, True]"
)
greater = _comparison(
    "greater", operator.gt, "Whether x > y", "tf.greater([1, 3], 2).numpy().tolist()\n    [False, True]"
)
greater_equal = _comparison(
    "greater_equal", operator.ge, "Whether x >= y", "tf.greater_equal([1, 3], 2).numpy().tolist()\n    [False, True]"
)
logical_and = _comparison(
    "logical_and",
    np.logical_and,
    "Whether both hold",
    "tf.logical_and(True, [True, False]).numpy().tolist()\n    [True, False]",
)
logical_or = _comparison(
    "logical_or",
    np.logical_or,
    "Whether either holds",
    "tf.logical_or(False, [True, False]).numpy().tolist()\n    [True, False]",
)
logical_xor = _comparison(
    "logical_xor",
    np.logical_xor,
    "Whether one holds alone",
    "tf.math.logical_xor(True, [True, False]).numpy().tolist()\n    [False, True]",
)


@primitive(elementwise=True, differentiable=False, result_dtype=np.bool_)
def logical_not(xp: Any, x: Any) -> Any:
    """Whether ``x`` is false, element-wise.

    >>> tf.logical_not([True, False]).numpy().tolist()
    [False, True]
    """
    return xp.logical_not(x)


@primitive(elementwise=True, differentiable=False)
def floor_divide(xp: Any, x: Any, y: Any) -> Any:
    """``x / y`` rounded down."""
    return xp.floor_divide(x, y)


def floordiv(x: Any, y: Any, name: str | None = None) -> Any:
    """``x / y`` rounded down, element-wise with broadcasting; it has no gradient.

    >>> tf.math.floordiv([7, -7], 2).numpy().tolist()
    [3, -4]
    """
    return floor_divide.function(x, y)


@primitive(elementwise=True)
def floormod(xp: Any, x: Any, y: Any) -> Any:
    """The remainder of the division rounded down, with the sign of ``y``; element-wise with broadcasting.

    >>> tf.math.floormod([7, -7], 3).numpy().tolist()
    [1, 2]
    """
    return xp.mod(x, y)


floormod.vjp(lambda xp, g: g, lambda xp, g, x, y: -g * xp.floor_divide(x, y))


@primitive(elementwise=True, differentiable=False)
def invert(xp: Any, x: Any) -> Any:
    """Bits (or truth values) flipped, element-wise.

    >>> tf.bitwise.invert([0, 1]).numpy().tolist()
    [-1, -2]
    """
    return xp.invert(x)


@primitive(elementwise=True, linear=("x",))
def positive(xp: Any, x: Any) -> Any:
    """``x`` itself, as the unary plus of Python."""
    return xp.positive(x)


positive.vjp(lambda xp, g: g)
