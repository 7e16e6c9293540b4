"""Initial values of parameters: objects that are called with a shape and a dtype.

>>> tf.random_uniform_initializer(0.0, 1.0, seed=3)([2, 3]).shape
TensorShape([2, 3])
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from wengert.arrays.dtypes import as_numpy_dtype
from wengert.errors import InvalidArgumentError
from wengert.primitives import random
from wengert.primitives.random_seeds import fresh_seed, mixed
from wengert.primitives.shape import static_shape
from wengert.tensor import Tensor, convert_to_tensor

__all__ = [
    "Constant",
    "GlorotNormal",
    "GlorotUniform",
    "HeNormal",
    "HeUniform",
    "Identity",
    "LecunNormal",
    "LecunUniform",
    "Ones",
    "Orthogonal",
    "RandomNormal",
    "RandomUniform",
    "TruncatedNormal",
    "VarianceScaling",
    "Zeros",
    "constant_initializer",
    "ones_initializer",
    "random_normal_initializer",
    "random_uniform_initializer",
    "zeros_initializer",
]


class _Initializer:
    """What all initialisers share: an object can be made again from its settings."""

    def __init__(self) -> None:
        """Nothing to set."""

    def get_config(self) -> dict[str, Any]:
        """The settings, from which :meth:`from_config` makes the same initialiser."""
        return dict(vars(self))

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """An initialiser with these settings."""
        return cls(**config)


class zeros_initializer(_Initializer):
    """Gives tensors of zeros.

    >>> tf.zeros_initializer()([2], dtype=tf.int32).numpy().tolist()
    [0, 0]
    """

    def __call__(self, shape: Any, dtype: Any = np.float32, **kwargs: Any) -> Tensor:
        """Zeros of a shape and dtype."""
        return Tensor(np.zeros(static_shape(shape), as_numpy_dtype(dtype)))


class ones_initializer(_Initializer):
    """Gives tensors of ones.

    >>> tf.ones_initializer()([2]).numpy().tolist()
    [1.0, 1.0]
    """

    def __call__(self, shape: Any, dtype: Any = np.float32, **kwargs: Any) -> Tensor:
        """Ones of a shape and dtype."""
        return Tensor(np.ones(static_shape(shape), as_numpy_dtype(dtype)))


class constant_initializer(_Initializer):
    """Gives tensors with the given elements.

    Args:
        value: a number, which fills the tensor, or as many elements as the tensor has.

    >>> tf.constant_initializer([1, 2, 3, 4])([2, 2]).numpy().tolist()
    [[1, 2], [3, 4]]
    """

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Tensor:
        """The elements in a shape and dtype; by default in their own.

        Raises:
            InvalidArgumentError: their number does not fit the shape.
        """
        size = static_shape(shape)
        array = convert_to_tensor(self.value, dtype=dtype)._array
        if array.size == 1:
            return Tensor(np.full(size, array.reshape(()), array.dtype))
        if array.size != np.prod(size, dtype=np.int64):
            raise InvalidArgumentError(f"constant_initializer: {array.size} elements do not fill shape {size}")
        return Tensor(array.reshape(size))


class _RandomInitializer(_Initializer):
    """With a seed, the same values at each call."""

    seed: int | None

    def _drawn_from(self) -> Any:
        return fresh_seed(seed=None) if self.seed is None else mixed(int(self.seed))


class random_uniform_initializer(_RandomInitializer):
    """Gives uniformly distributed numbers.

    Args:
        minval: the lower bound.
        maxval: the upper bound, which does not belong to the range.
        seed: makes each call give the same numbers.

    >>> init = tf.random_uniform_initializer(seed=1)
    >>> bool(tf.reduce_all(init([4]) == init([4])))
    True
    """

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = np.float32, **kwargs: Any) -> Any:
        """Numbers of a shape and a floating or integer dtype."""
        return random.stateless_uniform(shape, self._drawn_from(), self.minval, self.maxval, dtype)


class random_normal_initializer(_RandomInitializer):
    """Gives normally distributed numbers.

    Args:
        mean: of the distribution.
        stddev: its standard deviation.
        seed: makes each call give the same numbers.

    >>> tf.random_normal_initializer(stddev=0.1)([3]).shape
    TensorShape([3])
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = np.float32, **kwargs: Any) -> Any:
        """Numbers of a shape and a floating dtype."""
        return random.stateless_normal(shape, self._drawn_from(), self.mean, self.stddev, dtype)


class TruncatedNormal(random_normal_initializer):
    """Gives normally distributed numbers within two standard deviations of the mean.

    >>> bool(tf.reduce_all(tf.abs(tf.initializers.TruncatedNormal(stddev=0.1)([100])) <= 0.2001))
    True
    """

    def __call__(self, shape: Any, dtype: Any = np.float32, **kwargs: Any) -> Any:
        """Numbers of a shape and a floating dtype."""
        return random.stateless_truncated_normal(shape, self._drawn_from(), self.mean, self.stddev, dtype)


#: the standard deviation of the standard normal distribution cut at two
_TRUNCATED_STDDEV: Final = 0.87962566103423978


class VarianceScaling(_RandomInitializer):
    """Gives numbers whose variance is ``scale`` divided by the number of connections.

    Args:
        scale: positive.
        mode: ``"fan_in"``, ``"fan_out"`` or ``"fan_avg"``: connections into or out of a unit, or their average.
        distribution: ``"truncated_normal"``, ``"untruncated_normal"`` or ``"uniform"``.
        seed: makes each call give the same numbers.

    Raises:
        InvalidArgumentError: an unknown mode or distribution.

    >>> w = tf.initializers.VarianceScaling(scale=2.0, distribution="uniform")([100, 200])
    >>> abs(float(tf.math.reduce_variance(w)) - 0.02) < 0.002
    True
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ) -> None:
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise InvalidArgumentError(f'mode must be "fan_in", "fan_out" or "fan_avg", got {mode!r}')
        if distribution not in ("truncated_normal", "untruncated_normal", "uniform"):
            raise InvalidArgumentError(
                f'distribution must be "truncated_normal", "untruncated_normal" or "uniform", got {distribution!r}'
            )
        self.scale, self.mode, self.distribution, self.seed = scale, mode, distribution, seed

    def __call__(self, shape: Any, dtype: Any = np.float32, **kwargs: Any) -> Any:
        """Weights of shape ``(..., inputs, outputs)``; the axes before belong to both."""
        size = static_shape(shape)
        fan_in, fan_out = _fans(size)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "uniform":
            limit = math.sqrt(3 * variance)
            return random.stateless_uniform(size, self._drawn_from(), -limit, limit, dtype)
        if self.distribution == "untruncated_normal":
            return random.stateless_normal(size, self._drawn_from(), 0.0, math.sqrt(variance), dtype)
        stddev = math.sqrt(variance) / _TRUNCATED_STDDEV
        return random.stateless_truncated_normal(size, self._drawn_from(), 0.0, stddev, dtype)


def _fans(shape: tuple[int, ...]) -> tuple[float, float]:
    """The numbers of connections into and out of a unit of weights with that shape."""
    if len(shape) < 2:
        return (shape or (1,))[0], (shape or (1,))[0]
    field = math.prod(shape[:-2])
    return field * shape[-2], field * shape[-1]


class _Scaled(VarianceScaling):
    """VarianceScaling with everything fixed but the seed."""

    fixed: tuple[float, str, str]

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(*self.fixed, seed)

    def get_config(self) -> dict[str, Any]:
        """The seed."""
        return {"seed": self.seed}


class GlorotUniform(_Scaled):
    """Uniformly distributed numbers with variance ``2 / (inputs + outputs)``.

    Source: X. Glorot and Y. Bengio, "Understanding the difficulty of training deep feedforward networks" (2010).

    >>> tf.initializers.GlorotUniform()([3, 4]).shape
    TensorShape([3, 4])
    """

    fixed = (1.0, "fan_avg", "uniform")


class GlorotNormal(_Scaled):
    """Normally distributed numbers, cut at two standard deviations, with variance ``2 / (inputs + outputs)``.

    Source: X. Glorot and Y. Bengio, "Understanding the difficulty of training deep feedforward networks" (2010).

    >>> tf.initializers.GlorotNormal()([3, 4]).shape
    TensorShape([3, 4])
    """

    fixed = (1.0, "fan_avg", "truncated_normal")


class HeUniform(_Scaled):
    """Uniformly distributed numbers with variance ``2 / inputs``.

    Source: K. He et al., "Delving deep into rectifiers" (2015).

    >>> tf.initializers.HeUniform()([3, 4]).shape
    TensorShape([3, 4])
    """

    fixed = (2.0, "fan_in", "uniform")


class HeNormal(_Scaled):
    """Normally distributed numbers, cut at two standard deviations, with variance ``2 / inputs``.

    Source: K. He et al., "Delving deep into rectifiers" (2015).

    >>> tf.initializers.HeNormal()([3, 4]).shape
    TensorShape([3, 4])
    """

    fixed = (2.0, "fan_in", "truncated_normal")


class LecunUniform(_Scaled):
    """Uniformly distributed numbers with variance ``1 / inputs``.

    Source: Y. LeCun et al., "Efficient backprop" (1998), section 4.6.

    >>> tf.initializers.LecunUniform()([3, 4]).shape
    TensorShape([3, 4])
    """

    fixed = (1.0, "fan_in", "uniform")


class LecunNormal(_Scaled):
    """Normally distributed numbers, cut at two standard deviations, with variance ``1 / inputs``.

    Source: Y. LeCun et al., "Efficient backprop" (1998), section 4.6.

    >>> tf.initializers.LecunNormal()([3, 4]).shape
    TensorShape([3, 4])
    """

    fixed = (1.0, "fan_in", "truncated_normal")


class Orthogonal(_RandomInitializer):
    """Gives matrices with orthonormal rows or columns, whichever are fewer, times ``gain``.

    Source: A. Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep linear neural networks"
    (2013).

    >>> w = tf.initializers.Orthogonal()([3, 5], tf.float64)
    >>> bool(np.allclose(w @ tf.transpose(w), np.eye(3)))
    True
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        self.gain, self.seed = gain, seed

    def __call__(self, shape: Any, dtype: Any = np.float32, **kwargs: Any) -> Tensor:
        """A matrix of shape ``(..., columns)``, the other axes together being the rows.

        Raises:
            InvalidArgumentError: the shape has fewer than two axes.
        """
        size = static_shape(shape)
        if len(size) < 2:
            raise InvalidArgumentError(f"Orthogonal gives tensors with two or more axes, not of shape {size}")
        rows, columns = math.prod(size[:-1]), size[-1]
        tall = (max(rows, columns), min(rows, columns))
        numbers = random.stateless_normal(tall, self._drawn_from(), dtype=np.float64)._array
        q, r = np.linalg.qr(numbers)
        q = q * np.where(np.diag(r) < 0, -1.0, 1.0)  # makes the distribution uniform: Mezzadri (2007)
        return Tensor((self.gain * (q.T if rows < columns else q)).reshape(size).astype(as_numpy_dtype(dtype)))


class Identity(_Initializer):
    """Gives the identity matrix, times ``gain``.

    >>> tf.initializers.Identity(2.0)([2, 2]).numpy().tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = np.float32, **kwargs: Any) -> Tensor:
        """A matrix of a shape and dtype.

        Raises:
            InvalidArgumentError: the shape does not have two axes.
        """
        size = static_shape(shape)
        if len(size) != 2:
            raise InvalidArgumentError(f"Identity gives matrices, not tensors of shape {size}")
        return Tensor((self.gain * np.eye(*size)).astype(as_numpy_dtype(dtype)))


Zeros, Ones, Constant = zeros_initializer, ones_initializer, constant_initializer
RandomNormal, RandomUniform = random_normal_initializer, random_uniform_initializer
