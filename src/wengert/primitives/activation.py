"""Activation functions of neural networks."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from wengert.arrays.lazy import scipy_special
from wengert.errors import DTypeError
from wengert.primitives.arithmetic import absolute, cast, multiply, negative, where_
from wengert.primitives.join import concat
from wengert.primitives.primitive import primitive
from wengert.quiet import quietly
from wengert.tensor import TensorLike, as_operand, convert_to_tensor

__all__ = [
    "crelu",
    "elu",
    "gelu",
    "leaky_relu",
    "log_sigmoid",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "softplus",
    "softsign",
]


def require_floating(x: Any, kinds: str = "fV") -> Any:
    """``x``, an array whose dtype is of one of the kinds (``V`` is bfloat16).

    Raises:
        DTypeError: it is of another kind.
    """
    if x.dtype.kind not in kinds:
        wanted = "a floating or complex dtype" if "c" in kinds else "a real floating dtype"
        raise DTypeError(f"this operation needs {wanted}, got {x.dtype}; convert with tf.cast(x, tf.float32)")
    return x


def _sigmoid_of_array(x: Any) -> Any:
    """Overflow of the exponential is meant: the reciprocal of infinity is the right 0."""
    return quietly(sigmoid.forward, np, require_floating(x, "fcV"))


@primitive(elementwise=True, eager=_sigmoid_of_array)
def sigmoid(xp: Any, x: Any) -> Any:
    """The logistic function ``1 / (1 + exp(-x))``, element-wise, for floating or complex tensors.

    Raises:
        DTypeError: integers or booleans.

    >>> tf.sigmoid([0.0, 100.0, -1000.0]).numpy().tolist()
    [0.5, 1.0, 0.0]
    """
    if x.dtype.kind != "c":
        return 1 / (1 + xp.exp(-x))
    left = x.real < 0  # infinity times a phase is no number: keep the exponential small
    e = xp.exp(xp.where(left, x, -x))
    return xp.where(left, e, 1) / (1 + e)


sigmoid.vjp(lambda xp, g, out: g * (out * (1 - out)))


@primitive(elementwise=True)
def softplus(xp: Any, x: Any) -> Any:
    """``log(1 + exp(x))``, element-wise, which neither overflows nor loses small values.

    Raises:
        DTypeError: integers, booleans or complex numbers.

    >>> tf.math.softplus([0.0, 100.0]).numpy().tolist()
    [0.6931471824645996, 100.0]
    """
    x = require_floating(x)
    return xp.maximum(x, 0) + xp.log1p(xp.exp(-xp.abs(x)))


softplus.vjp(lambda xp, g, x: g * xp.sigmoid(x))


def log_sigmoid(x: Any, name: str | None = None) -> Any:
    """The logarithm of the logistic function, element-wise, exact also where the logistic function is 0 or 1 in floats.

    >>> tf.math.log_sigmoid([-100.0, 0.0]).numpy().tolist()
    [-100.0, -0.6931471824645996]
    """
    return negative(softplus(negative(x)))


def softsign(features: Any, name: str | None = None) -> Any:
    """``x / (1 + |x|)``, element-wise.

    >>> tf.nn.softsign([-3.0, 0.0, 1.0]).numpy().tolist()
    [-0.75, 0.0, 0.5]
    """
    x: Any = as_operand(features)
    return x / (absolute(x) + 1)


@primitive(elementwise=True)
def relu_(xp: Any, x: Any) -> Any:
    """``max(x, 0)``."""
    if x.dtype.kind == "c":
        raise DTypeError(f"complex numbers have no order, got {x.dtype}")
    return xp.maximum(x, 0)


relu_.vjp(lambda xp, g, out: xp.where(out > 0, g, 0))


def relu(features: Any, name: str | None = None) -> Any:
    """The rectified linear unit ``max(x, 0)``, element-wise; its derivative at 0 is 0.

    Source: V. Nair and G. Hinton, "Rectified linear units improve restricted Boltzmann machines" (2010).

    >>> tf.nn.relu([-1.0, 0.0, 2.0]).numpy().tolist()
    [0.0, 0.0, 2.0]
    """
    return relu_.function(features)


@primitive(elementwise=True)
def relu6_(xp: Any, x: Any) -> Any:
    """``min(max(x, 0), 6)``."""
    return xp.minimum(relu_.forward(xp, x), 6)


relu6_.vjp(lambda xp, g, out: xp.where((out > 0) & (out < 6), g, 0))


def relu6(features: Any, name: str | None = None) -> Any:
    """The rectified linear unit that ends at 6, element-wise; its derivative at 0 and at 6 is 0.

    Source: A. Krizhevsky, "Convolutional deep belief networks on CIFAR-10" (2010).

    >>> tf.nn.relu6([-1.0, 3.0, 9.0]).numpy().tolist()
    [0.0, 3.0, 6.0]
    """
    return relu6_.function(features)


@primitive(elementwise=True)
def leaky_relu_(xp: Any, x: Any, *, alpha: float) -> Any:
    """``x`` where it is positive, else ``alpha * x``."""
    return xp.where(require_floating(x) > 0, x, alpha * x)


leaky_relu_.vjp(lambda xp, g, x, alpha: xp.where(x > 0, g, alpha * g))


def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Any:
    """``x`` where it is positive, else ``alpha * x``, element-wise; integers are converted to float32.

    Args:
        features: a real tensor.
        alpha: the slope for negative ``x``; a tensor gets a gradient as well.

    Source: A. Maas et al., "Rectifier nonlinearities improve neural network acoustic models" (2013).

    >>> tf.nn.leaky_relu([-1.0, 2.0], alpha=0.5).numpy().tolist()
    [-0.5, 2.0]
    """
    x: Any = as_operand(features)
    if x._array.dtype.kind in "iu":
        x = cast(x, np.float32)
    if isinstance(alpha, TensorLike):
        return where_(x > 0, x, multiply(alpha, x))
    return leaky_relu_(x, alpha=float(alpha))


@primitive(elementwise=True)
def elu_(xp: Any, x: Any) -> Any:
    """``x`` where it is positive, else ``exp(x) - 1``."""
    return xp.where(require_floating(x) > 0, x, xp.expm1(xp.minimum(x, 0)))


elu_.vjp(lambda xp, g, out: xp.where(out < 0, g * (out + 1), g))


def elu(features: Any, name: str | None = None) -> Any:
    """The exponential linear unit: ``x`` where it is positive, else ``exp(x) - 1``; element-wise.

    Source: D.-A. Clevert et al., "Fast and accurate deep network learning by exponential linear units" (2015).

    >>> tf.nn.elu([-1000.0, 0.0, 2.0]).numpy().tolist()
    [-1.0, 0.0, 2.0]
    """
    return elu_.function(features)


#: the fixed point of Klambauer et al., section 2: unit mean and variance pass through unchanged
_SELU_SCALE: Final = 1.0507009873554804934193349852946
_SELU_LIMIT: Final = _SELU_SCALE * 1.6732632423543772848170429916717


@primitive(elementwise=True)
def selu_(xp: Any, x: Any) -> Any:
    """The exponential linear unit, scaled."""
    return xp.where(require_floating(x) > 0, _SELU_SCALE * x, _SELU_LIMIT * xp.expm1(xp.minimum(x, 0)))


selu_.vjp(lambda xp, g, out: g * xp.where(out < 0, out + _SELU_LIMIT, _SELU_SCALE))


def selu(features: Any, name: str | None = None) -> Any:
    """The self-normalising exponential linear unit, element-wise.

    Source: G. Klambauer et al., "Self-normalizing neural networks" (2017).

    >>> [round(v, 4) for v in tf.nn.selu([-1.0, 1.0]).numpy().tolist()]
    [-1.1113, 1.0507]
    """
    return selu_.function(features)


def crelu(features: Any, axis: int = -1, name: str | None = None) -> Any:
    """``relu(x)`` and ``relu(-x)``, concatenated along an axis.

    Source: W. Shang et al., "Understanding and improving convolutional neural networks via concatenated rectified
    linear units" (2016).

    >>> tf.nn.crelu([1.0, -2.0]).numpy().tolist()
    [1.0, 0.0, 0.0, 2.0]
    """
    x = convert_to_tensor(features)
    return relu_(concat([x, negative(x)], axis))


_SQRT_HALF: Final = math.sqrt(0.5)
_SQRT_TWO_OVER_PI: Final = math.sqrt(2 / math.pi)
#: the cubic term of the approximation, Hendrycks and Gimpel, section 2
_GELU_CUBIC: Final = 0.044715


@primitive(elementwise=True)
def gelu_(xp: Any, x: Any, *, approximate: bool) -> Any:
    """``x`` times the normal distribution function, which is exact or a hyperbolic tangent."""
    x = require_floating(x)
    if approximate:
        return 0.5 * x * (1 + xp.tanh(_SQRT_TWO_OVER_PI * (x + _GELU_CUBIC * x * x * x)))
    return 0.5 * x * scipy_special.erfc(-_SQRT_HALF * x)


@gelu_.vjp
def _gelu_vjp(xp: Any, g: Any, x: Any, approximate: bool) -> Any:
    if approximate:
        t = xp.tanh(_SQRT_TWO_OVER_PI * (x + _GELU_CUBIC * x * x * x))
        return g * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * _SQRT_TWO_OVER_PI * (1 + 3 * _GELU_CUBIC * x * x))
    return g * (0.5 * xp.erfc(-_SQRT_HALF * x) + x * (xp.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)))


def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Any:
    """The Gaussian error linear unit ``x * P(X <= x)`` with ``X`` standard normal, element-wise.

    Args:
        features: a real floating tensor.
        approximate: with a hyperbolic tangent in place of the distribution function; it errs by up to 5e-4.

    Source: D. Hendrycks and K. Gimpel, "Gaussian error linear units" (2016).

    >>> [round(v, 4) for v in tf.nn.gelu([-1.0, 1.0]).numpy().tolist()]
    [-0.1587, 0.8413]
    """
    return gelu_(features, approximate=bool(approximate))


@primitive(elementwise=True)
def silu_(xp: Any, x: Any) -> Any:
    """``x`` times its logistic function."""
    return x * xp.sigmoid(require_floating(x))


@silu_.vjp
def _silu_vjp(xp: Any, g: Any, x: Any) -> Any:
    s = xp.sigmoid(x)
    return g * (s + x * s * (1 - s))


def silu(features: Any, beta: Any = 1.0) -> Any:
    """``x * sigmoid(beta * x)``, element-wise, also known as swish.

    Args:
        features: a real floating tensor.
        beta: the steepness; a tensor gets a gradient as well.

    Source: S. Elfwing et al., "Sigmoid-weighted linear units for neural network function approximation" (2017);
    P. Ramachandran et al., "Searching for activation functions" (2017).

    >>> [round(v, 4) for v in tf.nn.silu([-1.0, 1.0]).numpy().tolist()]
    [-0.2689, 0.7311]
    """
    if not isinstance(beta, TensorLike) and np.ndim(beta) == 0 and beta == 1:
        return silu_.function(features)
    return multiply(features, sigmoid(multiply(beta, features)))
