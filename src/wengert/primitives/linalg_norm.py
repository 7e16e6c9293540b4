"""Norms, and what is scaled by them. A norm at the origin has the subgradient 0."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from wengert.arrays.shapes import Spec, normalize_axis, reduced_shape
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import absolute, cast, maximum, multiply, square, true_divide
from wengert.primitives.exponential import sqrt
from wengert.primitives.extremes import reduce_max, reduce_min
from wengert.primitives.linalg_spectral import real_dtype, svd
from wengert.primitives.primitive import describe, primitive
from wengert.primitives.reduce import euclidean_norm, reduce_sum, spread
from wengert.primitives.shape import reshape_, transpose_
from wengert.tensor import IndexedSlices, Tensor, as_operand

__all__ = ["global_norm", "l2_normalize", "matrix_rank", "norm", "normalize"]


@primitive()
def power_norm(xp: Any, x: Any, *, order: float, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The sum of absolute values to a power, to the reciprocal of that power, over axes."""
    return xp.sum(xp.absolute(x) ** order, axis=axis, keepdims=keepdims) ** (1 / order)


@power_norm.vjp
def _power_norm_vjp(xp: Any, g: Any, x: Any, out: Any, order: Any, axis: Any, keepdims: Any) -> Any:
    return spread(xp, g, x.shape, axis, keepdims) * _power_slope(xp, x, out, order, axis, keepdims)


@power_norm.jvp
def _power_norm_jvp(xp: Any, t: Any, x: Any, out: Any, order: Any, axis: Any, keepdims: Any) -> Any:
    slope = _power_slope(xp, x, out, order, axis, keepdims)
    return xp.sum(xp.real(slope * t), axis=axis, keepdims=keepdims)


def _power_slope(xp: Any, x: Any, out: Any, order: float, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The derivative by each element; 0 where the element is 0."""
    size, whole = xp.absolute(x), spread(xp, out, x.shape, axis, keepdims)
    away = size > 0
    ratio = xp.where(away, size, 1) / xp.where(away, whole, 1)
    return xp.where(away, ratio ** (order - 1), 0) * xp.conj(xp.sign(x))


@power_norm.spec
def _power_norm_spec(x: Spec, *, order: float, axis: tuple[int, ...], keepdims: bool) -> Spec:
    return Spec(reduced_shape(x.shape, axis, keepdims), real_dtype(x.dtype))


# --- TensorFlow's norm -----------------------------------------------------------------------------------------------


def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool | None = None, name: str | None = None
) -> Any:
    """The norm of vectors, matrices, or a whole tensor; always real. At the origin its gradient is 0.

    Args:
        tensor: floating or complex tensor.
        ord: "euclidean"; for vectors any positive number or ``np.inf``; for matrices "fro", 1 (largest column sum), 2
            (largest singular value) or ``np.inf`` (largest row sum).
        axis: an axis for norms of vectors, a pair of axes for norms of matrices, None for the tensor as one vector.
        keepdims: keep the reduced axes, with size 1.

    Raises:
        InvalidArgumentError: there is no such norm or axis.
        DTypeError: the tensor holds integers.

    >>> float(tf.norm([3.0, 4.0])), float(tf.norm([3.0, -4.0], ord=1))
    (5.0, 7.0)
    >>> tf.norm([[3.0, 4.0], [0.0, 0.0]], axis=1).numpy().tolist()
    [5.0, 0.0]
    """
    x = floating(tensor, "norm")
    pair = isinstance(axis, Iterable) and getattr(axis, "ndim", 1) != 0
    axes = tuple(axis) if pair else axis
    if pair and len(axes) == 1:
        pair, axes = False, axes[0]
    if pair:
        if ord not in ("euclidean", "fro", 1, 2, np.inf):
            raise InvalidArgumentError(f"norm: matrices have the orders 'euclidean', 'fro', 1, 2 and inf, not {ord!r}")
        return matrix_norm(x, axes, ord, bool(keepdims))
    if ord != "euclidean" and (isinstance(ord, str) or not ord > 0):
        raise InvalidArgumentError(f"norm: vectors have the order 'euclidean' and positive numbers, not {ord!r}")
    return vector_norm(x, axes, ord, bool(keepdims))


def floating(tensor: Any, operation: str) -> Any:
    """``tensor`` as a tensor of floating or complex numbers; anything else is a DTypeError."""
    x = as_operand(tensor)
    if x._array.dtype.kind not in "fcV":
        raise DTypeError(f"{operation} takes floating or complex numbers, got {describe((x,))}: use tf.cast")
    return x


def vector_norm(x: Any, axis: Any, order: Any, keepdims: bool) -> Any:
    """The norm over the given axes as one vector (all axes, for None); 0 counts the elements that are not 0."""
    ndim = x._array.ndim
    named = range(ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(sorted(normalize_axis(k, ndim) for k in named))
    if order in ("euclidean", "fro", 2):
        return euclidean_norm(x, axis=axes, keepdims=keepdims)
    if order == 1:
        return reduce_sum(absolute(x), axes, keepdims)
    if order == 0:
        return reduce_sum(cast(x != 0, real_dtype(x._array.dtype)), axes, keepdims)
    if math.isinf(order):
        return (reduce_max if order > 0 else reduce_min)(absolute(x), axes, keepdims)
    return power_norm(x, order=float(order), axis=axes, keepdims=keepdims)


def matrix_norm(x: Any, axes: tuple[Any, ...], order: Any, keepdims: bool) -> Any:
    """The norm of matrices in two axes: "fro", "nuc", or 1, 2, inf and their negatives."""
    ndim = x._array.ndim
    if len(axes) != 2:
        raise InvalidArgumentError(f"norm: axis names one axis, or the two of matrices, got {axes}")
    rows, columns = (normalize_axis(k, ndim) for k in axes)
    if rows == columns:
        raise InvalidArgumentError(f"norm: axis {axes} names an axis twice")
    if order in ("euclidean", "fro"):
        return euclidean_norm(x, axis=tuple(sorted((rows, columns))), keepdims=keepdims)
    others = tuple(k for k in range(ndim) if k not in (rows, columns))
    x = transpose_(x, axes=(*others, rows, columns))
    extreme = reduce_sum if order == "nuc" else reduce_max if order > 0 else reduce_min
    if order in (2, -2, "nuc"):
        sizes = svd(x, compute_uv=False)
    elif order in (1, -1, np.inf, -np.inf):
        sizes = reduce_sum(absolute(x), -2 if abs(order) == 1 else -1)
    else:
        raise InvalidArgumentError(f"norm: matrices have no norm of order {order!r}")
    result = extreme(sizes, -1)
    if keepdims:
        result = reshape_(result, shape=reduced_shape(_shape_before(x, rows, columns), (rows, columns), True))
    return result


def _shape_before(x: Any, rows: int, columns: int) -> tuple[int, ...]:
    """The shape of a tensor before the axes ``rows`` and ``columns`` were moved to the end."""
    *others, m, n = x._array.shape
    sizes = iter(others)
    return tuple(m if k == rows else n if k == columns else next(sizes) for k in range(len(others) + 2))


def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """A tensor divided by its norm, and the norm; see :func:`norm` for the arguments. At the origin the result is NaN.

    Returns:
        Pair of the normalized tensor and the norm, with the reduced axes kept.

    >>> unit, length = tf.linalg.normalize([3.0, 4.0])
    >>> unit.numpy(), length.numpy().tolist()
    (array([0.6, 0.8], dtype=float32), [5.0])
    """
    x = floating(tensor, "normalize")
    length = norm(x, ord, axis, keepdims=True)
    return true_divide(x, length), length


def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None) -> Any:
    """A tensor divided by its Euclidean norm over the axes, or by the root of ``epsilon`` if that is larger.

    Args:
        x: floating or complex tensor.
        axis: an axis, or several; all by default.
        epsilon: keeps the result, and the gradient, finite at the origin.
        dim: the old name of ``axis``.

    >>> tf.math.l2_normalize([3.0, 4.0]).numpy()
    array([0.6, 0.8], dtype=float32)
    >>> tf.math.l2_normalize([0.0, 0.0]).numpy().tolist()
    [0.0, 0.0]
    """
    x = floating(x, "l2_normalize")
    squares = square(absolute(x)) if x._array.dtype.kind == "c" else square(x)
    total = reduce_sum(squares, axis if dim is None else dim, keepdims=True)
    return true_divide(x, sqrt(maximum(total, epsilon)))


def global_norm(t_list: Any, name: str | None = None) -> Any:
    """The Euclidean norm of several tensors as one vector; None counts nothing, of IndexedSlices the values count.

    Args:
        t_list: list or tuple of tensors, IndexedSlices and None.

    Raises:
        DTypeError: ``t_list`` is no list or tuple.

    >>> float(tf.linalg.global_norm([[3.0, 0.0], None, [0.0, 4.0]]))
    5.0
    """
    if not isinstance(t_list, (list, tuple)):
        raise DTypeError(f"global_norm takes a list or tuple of tensors, got {type(t_list).__name__}")
    parts = [t.values if isinstance(t, IndexedSlices) else t for t in t_list if t is not None]
    if not parts:
        return Tensor(np.zeros((), np.float32))
    norms = [norm(part) for part in parts]
    return norm(norms) if len(norms) > 1 else norms[0]


def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None) -> Any:
    """The number of singular values above a tolerance, as int32; it has no gradient.

    Args:
        a: ``(..., m, n)``.
        tol: the tolerance; by default ``max(m, n)`` times the spacing of the dtype, times the largest singular value.

    >>> int(tf.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]))
    1
    """
    sizes = svd(a, compute_uv=False)
    if tol is None:
        rows, columns = np.shape(a._array if isinstance(a, Tensor) else a)[-2:]
        spacing = float(np.finfo(sizes._array.dtype).eps)
        tol = multiply(reduce_max(sizes, -1, keepdims=True), max(rows, columns) * spacing)
    return reduce_sum(cast(sizes > tol, np.int32), -1)
