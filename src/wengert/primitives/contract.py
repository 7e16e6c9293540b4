"""Contractions of two tensors: matrix products and everything that is one after rearranging axes."""

from __future__ import annotations

import math
import operator
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from wengert.arrays.shapes import Spec, broadcast_shapes, normalize_axis
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.arithmetic import cast, conj
from wengert.primitives.broadcasting import sum_to_shape
from wengert.primitives.join import concat_
from wengert.primitives.primitive import describe, primitive
from wengert.primitives.shape import broadcast_to_, reshape_, transpose_
from wengert.tensor import TENSOR_CLASSES, TensorLike

__all__ = ["cross", "kron", "matmul", "matvec", "outer", "tensordot"]

#: the axes of an array, each named by a number
Labels: TypeAlias = tuple[int, ...]


@primitive(linear=("x", "y"), same_dtype=("x", "y"), eager=operator.matmul)
def matmul_(xp: Any, x: Any, y: Any) -> Any:
    """Matrix product over the last two axes of arrays with the same batch axes."""
    return x @ y


matmul_.vjp(lambda xp, g, y: g @ y.mT, lambda xp, g, x: x.mT @ g)


@matmul_.spec
def _matmul_spec(x: Spec, y: Spec) -> Spec:
    return Spec((*x.shape[:-1], y.shape[-1]), x.dtype)


_product = matmul_.function


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Any:
    """The matrix product ``a b``, over the last two axes; the axes before them are a batch, which broadcasts.

    Args:
        a: ``(..., n, m)``; a vector ``(m,)`` counts as a row and loses that axis again, as in NumPy.
        b: ``(..., m, p)``; a vector ``(m,)`` counts as a column and loses that axis again.
        transpose_a: use the transpose of ``a``.
        transpose_b: likewise.
        adjoint_a: use the conjugate transpose of ``a``.
        adjoint_b: likewise.
        a_is_sparse: of no effect, as the others that follow but ``output_type``, the dtype of the result.

    Raises:
        InvalidArgumentError: the shapes do not fit, or both the transpose and the adjoint are asked for.

    >>> tf.matmul([[1.0, 2.0], [3.0, 4.0]], [[1.0], [1.0]]).numpy().tolist()
    [[3.0], [7.0]]
    >>> tf.matmul([[1.0, 2.0]], [[3.0, 4.0]], transpose_b=True).numpy().tolist()
    [[11.0]]
    """
    if a.__class__ not in TENSOR_CLASSES or b.__class__ not in TENSOR_CLASSES or a._array.dtype is not b._array.dtype:
        a, b = matmul_.align((a, b))
    if transpose_a or adjoint_a:
        a = _turned(a, transpose_a, adjoint_a, "a")
    if transpose_b or adjoint_b:
        b = _turned(b, transpose_b, adjoint_b, "b")
    m, n = a._array.ndim, b._array.ndim
    try:
        result = _product(a, b) if m == n == 2 else _general_product(a, b)
    except InvalidArgumentError as error:
        raise _mismatch(a, b) or error from error
    return result if output_type is None else cast(result, output_type)


def _turned(x: Any, transpose: bool, adjoint: bool, operand: str) -> Any:
    if transpose and adjoint:
        raise InvalidArgumentError(f"matmul: transpose_{operand} and adjoint_{operand} exclude each other")
    return matrix_transpose(x, conjugate=adjoint)


def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Any:
    """The last two axes exchanged.

    Args:
        a: ``(..., n, m)``.
        conjugate: take the complex conjugate as well.

    Raises:
        InvalidArgumentError: there are fewer than two axes.

    >>> tf.linalg.matrix_transpose([[1, 2], [3, 4]]).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    (a,) = matmul_.align((a,))
    ndim = a._array.ndim
    if ndim < 2:
        raise InvalidArgumentError(f"{name} takes tensors with two or more axes, got shape {a._array.shape}")
    result = transpose_(a, axes=(*range(ndim - 2), ndim - 1, ndim - 2))
    return conj(result) if conjugate and a._array.dtype.kind == "c" else result


def _general_product(a: Any, b: Any) -> Any:
    """The product of operands that are not both plain matrices."""
    shape_a, shape_b = a._array.shape, b._array.shape
    m, n = len(shape_a), len(shape_b)
    if not m or not n or shape_a[-1] != shape_b[max(n - 2, 0)]:
        raise InvalidArgumentError("matmul: sizes differ")
    if n <= 2 or m == 1:  # one large product instead of a batch of small ones
        return contraction(a, b, labels=_product_labels(m, n))
    if shape_a[:-2] != shape_b[:-2]:
        batch = broadcast_shapes(shape_a[:-2], shape_b[:-2])
        a, b = broadcast_batch(a, batch), broadcast_batch(b, batch)
    return _product(a, b)


@lru_cache(maxsize=64)
def _product_labels(m: int, n: int) -> tuple[Labels, Labels, Labels]:
    """The labels that make a contraction of arrays with ``m`` and ``n`` axes their matrix product."""
    contracted = m - 1
    of_b = tuple(contracted if k == max(n - 2, 0) else m + k for k in range(n))
    return tuple(range(m)), of_b, (*range(m - 1), *(k for k in of_b if k != contracted))


def broadcast_batch(x: Any, batch: tuple[int, ...]) -> Any:
    """Matrices repeated so that the axes before the last two are ``batch``."""
    shape = x._array.shape
    return x if shape[:-2] == batch else broadcast_to_(x, shape=(*batch, *shape[-2:]))


def _mismatch(a: Any, b: Any) -> InvalidArgumentError | None:
    """What is wrong with the operands of a product, in words."""
    shape_a, shape_b = a._array.shape, b._array.shape
    if not shape_a or not shape_b:
        return InvalidArgumentError(
            f"matmul: a tensor of shape () is no matrix ({describe((a, b))}); use * to multiply by a number"
        )
    axis = 0 if len(shape_b) == 1 else -2
    if shape_a[-1] == shape_b[axis]:
        return None
    return InvalidArgumentError(
        f"matmul: the last axis of a has size {shape_a[-1]}, but axis {axis} of b has size {shape_b[axis]}. "
        f"Operands: {describe((a, b))}."
    )


def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """The product of matrices and vectors.

    Args:
        a: ``(..., n, m)``.
        b: ``(..., m)``; the axes before the last broadcast with the batch of ``a``.
        transpose_a: use the transpose of ``a``.
        adjoint_a: use the conjugate transpose of ``a``.
        a_is_sparse: of no effect, as ``b_is_sparse``.

    Returns:
        Tensor ``(..., n)``.

    Raises:
        InvalidArgumentError: the shapes do not fit.

    >>> tf.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]).numpy().tolist()
    [3.0, 7.0]
    """
    a, b = align("matvec", a, b)
    if b._array.ndim <= 1:
        return matmul(a, b, transpose_a, adjoint_a=adjoint_a)
    product = matmul(a, reshape_(b, shape=(*b._array.shape, 1)), transpose_a, adjoint_a=adjoint_a)
    return reshape_(product, shape=product._array.shape[:-1])


# --- any contraction of two ------------------------------------------------------------------------------------------


class _Layout(NamedTuple):
    """How a contraction becomes a matrix product: the order of each array's axes, and how they are grouped."""

    x_order: Labels | None
    y_order: Labels | None
    out_order: Labels | None
    #: number of axes in each group: batch, free in x, free in y, contracted
    groups: tuple[int, int, int, int]
    #: x comes as (batch, contracted, free) and is transposed by the product
    x_turned: bool
    #: the groups are what a matrix product takes as they are
    is_product: bool


@primitive(linear=("x", "y"), same_dtype=("x", "y"))
def contraction(xp: Any, x: Any, y: Any, *, labels: tuple[Labels, Labels, Labels]) -> Any:
    """The sum of products over the labels that the result does not have.

    ``labels`` name the axes of ``x``, of ``y`` and of the result. No array has a label twice, and every label occurs in
    at least two of the three: then the pull-backs are contractions of the same kind.
    """
    layout = _layout(labels)
    if layout.x_order is not None:
        x = x.transpose(layout.x_order)
    if layout.y_order is not None:
        y = y.transpose(layout.y_order)
    if layout.is_product:
        result = (x.mT if layout.x_turned else x) @ y
    else:
        batch, free_x, _, contracted = layout.groups
        head, tail_y = x.shape[:batch], y.shape[batch + contracted :]
        if layout.x_turned:
            inner, tail_x = x.shape[batch : batch + contracted], x.shape[batch + contracted :]
            x = x.reshape((*head, math.prod(inner), math.prod(tail_x))).mT
        else:
            tail_x, inner = x.shape[batch : batch + free_x], x.shape[batch + free_x :]
            x = x.reshape((*head, math.prod(tail_x), math.prod(inner)))
        y = y.reshape((*head, math.prod(inner), math.prod(tail_y)))
        result = (x @ y if contracted else x * y).reshape((*head, *tail_x, *tail_y))
    return result if layout.out_order is None else result.transpose(layout.out_order)


contraction.vjp(
    lambda xp, g, y, labels: xp.contraction(g, y, labels=(labels[2], labels[1], labels[0])),
    lambda xp, g, x, labels: xp.contraction(x, g, labels=(labels[0], labels[2], labels[1])),
)


@contraction.spec
def _contraction_spec(x: Spec, y: Spec, *, labels: tuple[Labels, Labels, Labels]) -> Spec:
    sizes = dict(zip((*labels[0], *labels[1]), (*x.shape, *y.shape)))
    return Spec(tuple(sizes[k] for k in labels[2]), x.dtype)


@lru_cache(maxsize=4096)
def _layout(labels: tuple[Labels, Labels, Labels]) -> _Layout:
    of_x, of_y, of_out = labels
    batch = tuple(k for k in of_out if k in of_x and k in of_y)
    free_x = tuple(k for k in of_out if k in of_x and k not in of_y)
    free_y = tuple(k for k in of_out if k in of_y and k not in of_x)
    contracted = tuple(k for k in of_x if k not in of_out)
    turned = bool(free_x) and of_x == (*batch, *contracted, *free_x)  # then the transpose is free, in BLAS
    counts = len(free_x), len(free_y)
    x_axes = of_x if turned else (*batch, *free_x, *contracted)
    return _Layout(
        _order(of_x, x_axes),
        _order(of_y, (*batch, *contracted, *free_y)),
        _order((*batch, *free_x, *free_y), of_out),
        (len(batch), len(free_x), len(free_y), len(contracted)),
        turned,
        len(contracted) == 1 and (counts == (1, 1) or (not batch and max(counts) <= 1)),
    )


def _order(present: Labels, wanted: Labels) -> Labels | None:
    """The permutation of axes from one order of labels to another; None for the identity."""
    return None if present == wanted else tuple(present.index(k) for k in wanted)


def align(operation: str, *inputs: Any) -> tuple[Any, ...]:
    """The inputs as tensors of one dtype; ``operation`` is named in the error if they have none."""
    if all(x.__class__ in TENSOR_CLASSES for x in inputs) and len({x._array.dtype for x in inputs}) == 1:
        return inputs
    try:
        return concat_.align(inputs)
    except DTypeError as error:
        raise DTypeError(f"{operation}: {error.message.partition(': ')[2]}") from None


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Any:
    """The sum of products over pairs of axes of ``a`` and ``b``; then come the other axes of ``a``, and those of ``b``.

    Args:
        a: tensor.
        b: tensor of the same dtype.
        axes: a number ``n`` of axes (the last of ``a`` with the first of ``b``; 0 is the outer product), or two axes or
            two lists of axes, for ``a`` and for ``b``.

    Raises:
        InvalidArgumentError: the axes do not exist, are named twice, or have different sizes.

    >>> tf.tensordot([[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0], axes=1).numpy().tolist()
    [21.0, 43.0]
    >>> tf.tensordot([1.0, 2.0], [3.0, 4.0], axes=0).shape
    TensorShape([2, 2])
    """
    a, b = align("tensordot", a, b)
    shape_a, shape_b = a._array.shape, b._array.shape
    of_a, of_b = _contracted_axes(axes, len(shape_a), len(shape_b))
    for i, j in zip(of_a, of_b):
        if shape_a[i] != shape_b[j]:
            raise InvalidArgumentError(
                f"tensordot: axis {i} of a has size {shape_a[i]}, but axis {j} of b has size {shape_b[j]}. "
                f"Operands: {describe((a, b))}; axes={axes!r}."
            )
    labels_a = tuple(range(len(shape_a)))
    labels_b = tuple(of_a[of_b.index(k)] if k in of_b else len(shape_a) + k for k in range(len(shape_b)))
    kept = (*(k for k in labels_a if k not in of_a), *(k for k in labels_b if k >= len(shape_a)))
    return contraction(a, b, labels=(labels_a, labels_b, kept))


def _contracted_axes(axes: Any, ndim_a: int, ndim_b: int) -> tuple[Labels, Labels]:
    if isinstance(axes, TensorLike):
        axes = axes._array
    if not isinstance(axes, (list, tuple)) and np.ndim(axes) == 0:
        count = operator.index(axes)
        if not 0 <= count <= min(ndim_a, ndim_b):
            raise InvalidArgumentError(f"tensordot: axes={count}, but the tensors have {ndim_a} and {ndim_b} axes")
        return tuple(range(ndim_a - count, ndim_a)), tuple(range(count))
    if len(axes) != 2:
        raise InvalidArgumentError(f"tensordot: axes is a number or a pair, got {axes!r}")
    of_a, of_b = (
        tuple(normalize_axis(k, ndim) for k in np.atleast_1d(part)) for part, ndim in zip(axes, (ndim_a, ndim_b))
    )
    if len(of_a) != len(of_b) or len(set(of_a)) != len(of_a) or len(set(of_b)) != len(of_b):
        raise InvalidArgumentError(f"tensordot: axes={axes!r} must name as many axes of a as of b, none of them twice")
    return of_a, of_b


def outer(a: Any, b: Any, name: str | None = None) -> Any:
    """The products of each element of ``a`` with each element of ``b``: shape ``(a.size, b.size)``.

    >>> np.outer(tf.constant([1.0, 2.0]), [3.0, 4.0]).numpy().tolist()
    [[3.0, 4.0], [6.0, 8.0]]
    """
    a, b = align("outer", a, b)
    return contraction(reshape_(a, shape=(-1,)), reshape_(b, shape=(-1,)), labels=((0,), (1,), (0, 1)))


def kron(a: Any, b: Any) -> Any:
    """The Kronecker product: each element of ``a`` times the whole of ``b``, in a grid of blocks.

    >>> np.kron(tf.constant([1.0, 2.0]), [1.0, 1.0]).numpy().tolist()
    [1.0, 1.0, 2.0, 2.0]
    """
    a, b = align("kron", a, b)
    ndim = max(a._array.ndim, b._array.ndim)
    a, b = (reshape_(x, shape=(*(1,) * (ndim - x._array.ndim), *x._array.shape)) for x in (a, b))
    of_a, of_b = tuple(range(0, 2 * ndim, 2)), tuple(range(1, 2 * ndim, 2))
    grid = contraction(a, b, labels=(of_a, of_b, tuple(range(2 * ndim))))
    return reshape_(grid, shape=tuple(m * n for m, n in zip(a._array.shape, b._array.shape)))


@primitive(linear=("x", "y"), same_dtype=("x", "y"))
def cross_product(xp: Any, x: Any, y: Any) -> Any:
    """The cross product of vectors in three dimensions, along the last axis; the other axes broadcast."""
    x0, x1, x2 = x[..., 0], x[..., 1], x[..., 2]
    y0, y1, y2 = y[..., 0], y[..., 1], y[..., 2]
    return xp.stack([x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0], axis=-1)


cross_product.vjp(
    lambda xp, g, y, x_shape: sum_to_shape(xp, xp.cross_product(y, g), x_shape),
    lambda xp, g, x, y_shape: sum_to_shape(xp, xp.cross_product(g, x), y_shape),
)


@cross_product.spec
def _cross_spec(x: Spec, y: Spec) -> Spec:
    return Spec(broadcast_shapes(x.shape, y.shape), x.dtype)


def cross(a: Any, b: Any, name: str | None = None) -> Any:
    """The cross product of vectors in three dimensions, along the last axis; the other axes broadcast.

    Raises:
        InvalidArgumentError: the last axis has another size than 3.

    >>> tf.linalg.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).numpy().tolist()
    [0.0, 0.0, 1.0]
    """
    a, b = align("cross", a, b)
    if a._array.shape[-1:] != (3,) or b._array.shape[-1:] != (3,):
        raise InvalidArgumentError(f"cross takes vectors with 3 components, got {describe((a, b))}")
    return cross_product(a, b)
