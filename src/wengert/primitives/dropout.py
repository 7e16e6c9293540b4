"""Dropout: elements set to zero at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import cast, multiply, where_
from wengert.primitives.primitive import primitive
from wengert.primitives.random import random_uniform
from wengert.primitives.random_seeds import fresh_seed
from wengert.primitives.shape import static_shape
from wengert.tensor import TensorLike, convert_to_tensor

__all__ = ["dropout", "stateless_dropout"]


@primitive(elementwise=True, linear=("x",), same_dtype=("x",))
def dropout_(xp: Any, x: Any, noise: Any, *, rate: float) -> Any:
    """``x / (1 - rate)`` where the noise, uniform from 0 to 1, reaches the rate; else 0, even if ``x`` is infinite."""
    return xp.where(noise >= rate, x * (1 / (1 - rate)), 0)


dropout_.vjp(lambda xp, g, noise, rate: xp.dropout(g, noise, rate=rate), None)


def dropout(x: Any, rate: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None) -> Any:
    """Elements set to 0 with probability ``rate``, the others divided by ``1 - rate``, so that the mean stays.

    Args:
        x: real floating tensor.
        rate: from 0 (which returns ``x``) up to, not including, 1.
        noise_shape: the shape, which broadcasts with that of ``x``, of independent decisions; a size 1 keeps or
            drops all along an axis together, None stands for the size of ``x``.
        seed: an integer; see :func:`wengert.random.set_seed`.

    Raises:
        InvalidArgumentError: the rate is outside its range, or ``noise_shape`` does not broadcast.
        DTypeError: ``x`` is not floating.

    Source: N. Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting" (2014).

    >>> tf.random.set_seed(1)
    >>> sorted(set(tf.nn.dropout(tf.ones([100]), rate=0.5).numpy().tolist()))
    [0.0, 2.0]
    """
    return _dropped(x, rate, noise_shape, lambda: fresh_seed(seed=seed))


def stateless_dropout(
    x: Any, rate: Any, seed: Any, rng_alg: Any = None, noise_shape: Any = None, name: str | None = None
) -> Any:
    """:func:`dropout` whose choice depends on nothing but the seed.

    Args:
        x: real floating tensor.
        rate: from 0 up to, not including, 1.
        seed: two integers.
        rng_alg: accepted; there is one algorithm.
        noise_shape: as for :func:`dropout`.

    >>> a = tf.nn.experimental.stateless_dropout(tf.ones([8]), rate=0.5, seed=[1, 2])
    >>> b = tf.nn.experimental.stateless_dropout(tf.ones([8]), rate=0.5, seed=[1, 2])
    >>> bool(tf.reduce_all(a == b))
    True
    """
    return _dropped(x, rate, noise_shape, lambda: seed)


def _dropped(x: Any, rate: Any, noise_shape: Any, draw_seed: Any) -> Any:
    x = convert_to_tensor(x)
    if not x.dtype.is_floating:
        raise DTypeError(f"dropout scales what it keeps, so it takes a floating dtype, got {x.dtype.name}")
    if not isinstance(rate, TensorLike):
        if not 0 <= rate < 1:
            raise InvalidArgumentError(f"dropout: the rate must be at least 0 and less than 1, got {rate}")
        if rate == 0:
            return x
    shape = x._array.shape if noise_shape is None else _noise_shape(x._array.shape, noise_shape)
    noise = random_uniform(draw_seed(), shape=shape, dtype=np.dtype(np.float32))
    if not isinstance(rate, TensorLike):
        return dropout_(x, noise, rate=float(rate))
    return where_(noise >= cast(rate, np.float32), multiply(x, cast(1 / (1 - rate), x.dtype)), 0.0)


def _noise_shape(shape: tuple[int, ...], noise_shape: Any) -> tuple[int, ...]:
    if isinstance(noise_shape, (list, tuple)) and None in noise_shape:
        if len(noise_shape) != len(shape):
            raise InvalidArgumentError(f"dropout: noise_shape {tuple(noise_shape)} does not fit x of shape {shape}")
        noise_shape = [n if m is None else m for m, n in zip(noise_shape, shape)]
    wanted = static_shape(noise_shape)
    fits = len(wanted) <= len(shape) and all(m in (1, n) for m, n in zip(wanted[::-1], shape[::-1]))
    if not fits:
        raise InvalidArgumentError(f"dropout: noise_shape {wanted} does not broadcast to x of shape {shape}")
    return wanted
