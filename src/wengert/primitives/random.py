"""Random numbers: each distribution as a function of a seed, and as one that draws a fresh seed.

The functions with ``stateless_`` in their names depend on nothing but their arguments; the others draw a fresh seed
(see :mod:`wengert.primitives.random_seeds`) and call them. What a distribution's numbers are multiplied with and added
to is arithmetic, and so differentiable by mean, standard deviation and bounds; gamma samples are differentiable by the
shape parameter as well. Counts, classes and permutations are in :mod:`wengert.primitives.random_discrete`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wengert.arrays.dtypes import as_dtype
from wengert.arrays.shapes import Spec, broadcast_shapes
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import add, cast, multiply, subtract
from wengert.primitives.primitive import primitive
from wengert.primitives.random_seeds import fresh_seed, generator_of, random_state, replayed, set_seed
from wengert.primitives.shape import broadcast_to_, static_shape
from wengert.tensor import TensorLike, convert_to_tensor

__all__ = [
    "drawn_spec",
    "gamma",
    "normal",
    "parameter",
    "random_state",
    "replayed",
    "seed_for",
    "set_seed",
    "stateless_gamma",
    "stateless_normal",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]

_HALF, _SINGLE, _DOUBLE = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which numbers are drawn: 16-bit floats are rounded from float32."""
    return _DOUBLE if dtype == _DOUBLE else _SINGLE


def drawn_spec(seed: Spec, *others: Spec, shape: tuple[int, ...], dtype: np.dtype[Any], **_: Any) -> Spec:
    """Shape rule of what is drawn with a given shape and dtype."""
    return Spec(tuple(shape), dtype)


# --- the normal distribution -----------------------------------------------------------------------------------------


@primitive(differentiable=False)
def random_normal(xp: Any, seed: Any, *, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Standard normal numbers."""
    return np.asarray(generator_of(seed).standard_normal(shape, dtype=_wide(dtype)), dtype)


random_normal.spec(drawn_spec)


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = np.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Normally distributed numbers that depend on nothing but the arguments.

    Args:
        shape: of the result.
        seed: two integers.
        mean: a number or tensor that broadcasts with the shape; differentiable.
        stddev: the standard deviation, likewise.
        dtype: a floating dtype.
        alg: accepted; there is one algorithm.

    Raises:
        InvalidArgumentError: the seed does not have shape ``(2,)``.
        DTypeError: the dtype is not real floating.

    >>> bool(tf.reduce_all(tf.random.stateless_normal([3], [1, 2]) == tf.random.stateless_normal([3], [1, 2])))
    True
    """
    dtype = _floating("normal", dtype)
    return _moved(random_normal(seed, shape=static_shape(shape), dtype=dtype), stddev, mean, dtype)


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = np.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Normally distributed numbers.

    Args:
        shape: of the result.
        mean: a number or tensor that broadcasts with the shape; differentiable.
        stddev: the standard deviation, likewise.
        dtype: a floating dtype.
        seed: an integer; see :func:`set_seed`.

    Raises:
        DTypeError: the dtype is not real floating.

    >>> tf.random.normal([2, 3], mean=10.0).shape
    TensorShape([2, 3])
    """
    return stateless_normal(shape, seed_for(seed), mean, stddev, dtype)


@primitive(differentiable=False)
def random_truncated_normal(xp: Any, seed: Any, *, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Standard normal numbers from -2 to 2: what lies outside is drawn again."""
    generator, wide = generator_of(seed), _wide(dtype)
    numbers = np.asarray(generator.standard_normal(shape, dtype=wide)).reshape(-1)
    outside = np.flatnonzero(np.abs(numbers) > 2)
    while outside.size:
        again = generator.standard_normal(outside.size, dtype=wide)
        numbers[outside] = again
        outside = outside[np.abs(again) > 2]
    return numbers.reshape(shape).astype(dtype, copy=False)


random_truncated_normal.spec(drawn_spec)


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = np.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """:func:`truncated_normal` with numbers that depend on nothing but the arguments; ``seed`` is two integers.

    >>> x = tf.random.stateless_truncated_normal([1000], [1, 2])
    >>> bool(tf.reduce_all(tf.abs(x) <= 2.0))
    True
    """
    dtype = _floating("truncated_normal", dtype)
    return _moved(random_truncated_normal(seed, shape=static_shape(shape), dtype=dtype), stddev, mean, dtype)


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = np.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Normally distributed numbers, those more than two standard deviations from the mean drawn again.

    The arguments are those of :func:`normal`; ``stddev`` is that of the normal distribution before it is cut.

    >>> tf.random.truncated_normal([2, 3]).shape
    TensorShape([2, 3])
    """
    return stateless_truncated_normal(shape, seed_for(seed), mean, stddev, dtype)


# --- the uniform distribution ----------------------------------------------------------------------------------------


@primitive(differentiable=False)
def random_uniform(xp: Any, seed: Any, *, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Numbers from 0 up to, not including, 1."""
    generator = generator_of(seed)
    if dtype.itemsize > 2:
        return np.asarray(generator.random(shape, dtype=dtype))
    # rounding a float32 number to 16 bits could give 1: draw as many bits as the significand has
    bits = 11 if dtype == _HALF else 8
    return (np.asarray(generator.integers(0, 2**bits, shape)) / np.float32(2**bits)).astype(dtype)


random_uniform.spec(drawn_spec)


@primitive(differentiable=False)
def random_integers(xp: Any, seed: Any, low: Any, high: Any, *, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Integers from ``low`` up to, not including, ``high``."""
    if np.any(low >= high):
        raise InvalidArgumentError(f"uniform: integers need minval < maxval, got {low} and {high}")
    return np.asarray(generator_of(seed).integers(low, high, shape, dtype=dtype))


random_integers.spec(drawn_spec)


@primitive(differentiable=False)
def random_bits(xp: Any, seed: Any, *, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Integers over the whole range of their dtype."""
    count = math.prod(shape) * dtype.itemsize
    return np.frombuffer(generator_of(seed).bytes(count), dtype).reshape(shape)


random_bits.spec(drawn_spec)


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = np.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Uniformly distributed numbers that depend on nothing but the arguments.

    Args:
        shape: of the result.
        seed: two integers.
        minval: the lower bound, which belongs to the range; for floats differentiable. For integers, None for both
            bounds means the whole range of the dtype.
        maxval: the upper bound, which does not; by default 1 for floats.
        dtype: a floating or integer dtype.
        alg: accepted; there is one algorithm.

    Raises:
        InvalidArgumentError: integers without ``maxval``, or with ``minval >= maxval``.
        DTypeError: a boolean or complex dtype.

    >>> tf.random.stateless_uniform([5], [1, 2], minval=3, maxval=4, dtype=tf.int32).numpy().tolist()
    [3, 3, 3, 3, 3]
    """
    wanted, size = as_dtype(dtype), static_shape(shape)
    numpy_dtype = wanted.dtype
    if wanted.is_floating:
        noise = random_uniform(seed, shape=size, dtype=numpy_dtype)
        if maxval is None:
            maxval = 1.0
        if not isinstance(minval, TensorLike) and np.ndim(minval) == 0 and minval == 0:
            return _moved(noise, maxval, 0.0, numpy_dtype)
        low, high = parameter(minval, numpy_dtype), parameter(maxval, numpy_dtype)
        return _moved(noise, subtract(high, low), low, numpy_dtype)
    if not wanted.is_integer:
        raise DTypeError(f"uniform: numbers of dtype {wanted.name} are not drawn; use a floating or integer dtype")
    if minval is None and maxval is None:
        return random_bits(seed, shape=size, dtype=numpy_dtype)
    if maxval is None or minval is None:
        raise InvalidArgumentError(f"uniform: integers (here {wanted.name}) need minval and maxval")
    low, high = (convert_to_tensor(bound, dtype=wanted) for bound in (minval, maxval))
    return random_integers(seed, low, high, shape=size, dtype=numpy_dtype)


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = np.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Uniformly distributed numbers.

    Args:
        shape: of the result.
        minval: the lower bound, which belongs to the range; for floats differentiable.
        maxval: the upper bound, which does not; by default 1 for floats.
        dtype: a floating or integer dtype.
        seed: an integer; see :func:`set_seed`.

    Raises:
        InvalidArgumentError: integers without ``maxval``, or with ``minval >= maxval``.
        DTypeError: a boolean or complex dtype.

    >>> x = tf.random.uniform([1000], -1.0, 1.0)
    >>> bool(tf.reduce_all((-1.0 <= x) & (x < 1.0)))
    True
    """
    if minval is None:
        raise InvalidArgumentError("uniform needs minval; the whole range of integers is drawn by stateless_uniform")
    return stateless_uniform(shape, seed_for(seed), minval, maxval, dtype)


# --- the gamma distribution -----------------------------------------------------------------------


@primitive()
def random_gamma(xp: Any, seed: Any, alpha: Any) -> Any:
    """Gamma distributed numbers with shape parameters ``alpha`` and rate 1; positive, even where they underflow."""
    if not np.all(alpha > 0):
        raise InvalidArgumentError("gamma: alpha must be positive")
    numbers = np.asarray(generator_of(seed).standard_gamma(alpha.astype(np.float64)))
    return np.maximum(numbers, np.finfo(alpha.dtype).tiny).astype(alpha.dtype)


@random_gamma.vjp_of("alpha")
@random_gamma.jvp_of("alpha")
def _random_gamma_rule(xp: Any, g: Any, alpha: Any, out: Any) -> Any:
    # the sample moves so that its quantile stays: Figurnov et al., equation 5
    return -g * xp.divide_no_nan(xp.igamma_by_shape(alpha, out, order=1), xp.gamma_density(alpha, out))


@random_gamma.spec
def _random_gamma_spec(seed: Spec, alpha: Spec) -> Spec:
    return alpha


def stateless_gamma(
    shape: Any, seed: Any, alpha: Any, beta: Any = None, dtype: Any = np.float32, name: str | None = None
) -> Any:
    """Gamma distributed numbers that depend on nothing but the arguments.

    Args:
        shape: of the result.
        seed: two integers.
        alpha: the shape parameter, positive; broadcasts to the shape; differentiable.
        beta: the rate, the inverse of the scale, positive, by default 1; likewise.
        dtype: a floating dtype.

    Raises:
        InvalidArgumentError: ``alpha`` is not positive, or does not broadcast.
        DTypeError: the dtype is not real floating.

    Source of the derivative: M. Figurnov, S. Mohamed and A. Mnih, "Implicit reparameterization gradients" (2018).

    >>> tf.random.stateless_gamma([2, 3], [1, 2], alpha=[0.5, 1.0, 2.0]).shape
    TensorShape([2, 3])
    """
    dtype, size = _floating("gamma", dtype), static_shape(shape)
    alpha = parameter(alpha, dtype)
    if alpha._array.shape != size:
        alpha = broadcast_to_(alpha, shape=size)
    numbers = random_gamma(seed, alpha)
    return numbers if beta is None else numbers / parameter(beta, dtype)


def gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = np.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Gamma distributed numbers: ``shape`` of them for each pair of parameters.

    Args:
        shape: of the numbers for one pair of parameters.
        alpha: the shape parameter, positive; differentiable.
        beta: the rate, the inverse of the scale, positive, by default 1; broadcasts with ``alpha``; differentiable.
        dtype: a floating dtype.
        seed: an integer; see :func:`set_seed`.

    Returns:
        A tensor of shape ``shape + broadcast(alpha, beta).shape``.

    Raises:
        InvalidArgumentError: ``alpha`` is not positive.
        DTypeError: the dtype is not real floating.

    Source of the derivative: M. Figurnov, S. Mohamed and A. Mnih, "Implicit reparameterization gradients" (2018).

    >>> tf.random.gamma([10], alpha=[0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    numpy_dtype = _floating("gamma", dtype)
    alpha, beta = (None if p is None else parameter(p, numpy_dtype) for p in (alpha, beta))
    each = broadcast_shapes(*(p._array.shape for p in (alpha, beta) if p is not None))
    return stateless_gamma(static_shape(shape) + each, seed_for(seed), alpha, beta, numpy_dtype)


# --- arguments -------------------------------------------------------------------------------------------------------


def seed_for(seed: Any) -> Any:
    """A fresh seed, for an operation whose own seed is ``seed``."""
    return fresh_seed(seed=None if seed is None else int(seed))


def _floating(operation: str, dtype: Any) -> np.dtype[Any]:
    wanted = as_dtype(dtype)
    if not wanted.is_floating:
        raise DTypeError(f"{operation}: numbers are drawn in a floating dtype, not in {wanted.name}")
    return wanted.dtype


def parameter(value: Any, dtype: np.dtype[Any] | None) -> Any:
    """A parameter of a distribution as a tensor of that dtype, or of its own floating dtype."""
    if dtype is None:
        value = convert_to_tensor(value)
        return value if value.dtype.is_floating else cast(value, np.float64)
    if isinstance(value, TensorLike) and value._array.dtype == dtype:
        return value
    if not isinstance(value, (TensorLike, list, tuple)):
        value = np.asarray(value, dtype)
    return convert_to_tensor(value, dtype=dtype)


def _moved(noise: Any, scale: Any, shift: Any, dtype: np.dtype[Any]) -> Any:
    """``noise * scale + shift``, less what Python numbers make superfluous."""
    if not _is_number(scale, 1):
        noise = multiply(noise, parameter(scale, dtype))
    return noise if _is_number(shift, 0) else add(noise, parameter(shift, dtype))


def _is_number(value: Any, number: int) -> bool:
    return value.__class__ in (int, float) and value == number
