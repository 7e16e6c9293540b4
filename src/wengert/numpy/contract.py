"""Products and contractions under NumPy's names, as functions and methods of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.errors import InvalidArgumentError
from wengert.numpy.dispatch import implements, method, only_defaults
from wengert.numpy.shape import moveaxis
from wengert.primitives import contract
from wengert.primitives import einsum as einsum_module
from wengert.primitives.arithmetic import conj, multiply
from wengert.primitives.reduce import reduce_sum
from wengert.primitives.shape import reshape_
from wengert.tensor import as_operand

__all__: list[str] = []


implements(np.linalg.matmul)(contract.matmul)


@implements(np.dot)
@method("dot")
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """The sum of products over the last axis of ``a`` and the last but one of ``b``, which are not a batch."""
    only_defaults("dot", out=out)
    a, b = contract.align("dot", a, b)
    if not a._array.ndim or not b._array.ndim:
        return multiply(a, b)
    return contract.tensordot(a, b, (a._array.ndim - 1, max(b._array.ndim - 2, 0)))


@implements(np.vdot)
def vdot(a: Any, b: Any, /) -> Any:
    """The sum of products of all elements, those of ``a`` conjugated."""
    a, b = (reshape_(x, shape=(-1,)) for x in contract.align("vdot", a, b))
    return contract.tensordot(_conjugated(a), b, 1)


@implements(np.inner)
def inner(a: Any, b: Any, /) -> Any:
    """The sum of products over the last axes."""
    a, b = contract.align("inner", a, b)
    if not a._array.ndim or not b._array.ndim:
        return multiply(a, b)
    return contract.tensordot(a, b, (-1, -1))


def _conjugated(x: Any) -> Any:
    return conj(x) if x._array.dtype.kind == "c" else x


@implements(np.outer)
def outer(a: Any, b: Any, out: Any = None) -> Any:
    """The products of all elements of ``a`` with all elements of ``b``."""
    only_defaults("outer", out=out)
    return contract.outer(a, b)


@implements(np.linalg.outer)
def outer_of_vectors(x1: Any, x2: Any, /) -> Any:
    """The products of all elements of two vectors."""
    if np.ndim(x1) != 1 or np.ndim(x2) != 1:
        raise InvalidArgumentError(f"outer takes vectors, got shapes {np.shape(x1)} and {np.shape(x2)}")
    return contract.outer(x1, x2)


@implements(np.kron)
def kron(a: Any, b: Any) -> Any:
    """The Kronecker product."""
    return contract.kron(a, b)


@implements(np.tensordot, np.linalg.tensordot)
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """The sum of products over pairs of axes."""
    return contract.tensordot(a, b, axes)


@implements(np.vecdot, np.linalg.vecdot)
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The sum of products over one axis, ``x1`` conjugated; the other axes broadcast."""
    x1, x2 = (moveaxis(x, axis, -1) for x in contract.align("vecdot", x1, x2))
    if x1._array.shape[-1] != x2._array.shape[-1]:
        raise InvalidArgumentError(f"vecdot: the vectors have sizes {x1._array.shape[-1]} and {x2._array.shape[-1]}")
    return reduce_sum(multiply(_conjugated(x1), x2), -1)


@implements("matvec")
def matvec(x1: Any, x2: Any, /) -> Any:
    """The product of matrices and vectors."""
    return contract.matvec(x1, x2)


@implements("vecmat")
def vecmat(x1: Any, x2: Any, /) -> Any:
    """The product of conjugated vectors and matrices."""
    return contract.matvec(x2, _conjugated(as_operand(x1)), transpose_a=True)


@implements(np.einsum)
def einsum(*operands: Any, out: Any = None, optimize: Any = True, **kwargs: Any) -> Any:
    """Einstein's summation, by an equation or by lists of numbers for the axes."""
    only_defaults("einsum", out=out, **kwargs)
    if isinstance(operands[0], str):
        return einsum_module.einsum(*operands, optimize=_order_of(optimize))
    terms = [_letters(term) for term in operands[1::2]]
    equation = ",".join(terms) + (f"->{_letters(operands[-1])}" if len(operands) % 2 else "")
    return einsum_module.einsum(equation, *operands[: 2 * len(terms) : 2], optimize=_order_of(optimize))


def _order_of(optimize: Any) -> Any:
    """NumPy's spellings of how to look for the order, as Wengert's; a path of one's own is not followed."""
    return optimize if optimize in (False, "optimal") else "greedy"


def _letters(numbers: Any) -> str:
    """The letters of axes given by numbers, as NumPy counts them."""
    return "".join("..." if n is Ellipsis else chr(ord("A") + n if n < 26 else ord("a") + n - 26) for n in numbers)


@implements(np.cross)
def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    """The cross product of vectors in three dimensions."""
    if axis is not None:
        axisa = axisb = axisc = axis
    return moveaxis(contract.cross(moveaxis(as_operand(a), axisa, -1), moveaxis(as_operand(b), axisb, -1)), -1, axisc)


@implements(np.linalg.cross)
def cross_along(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross product of vectors in three dimensions."""
    return cross(x1, x2, axis=axis)


@implements(np.linalg.multi_dot)
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """The product of matrices (the first and the last may be vectors) in the cheapest order."""
    only_defaults("linalg.multi_dot", out=out)
    arrays = [as_operand(x) for x in arrays]
    terms: list[list[int]] = []
    for k, x in enumerate(arrays):
        if x._array.ndim != 2 and not (x._array.ndim == 1 and k in (0, len(arrays) - 1)):
            raise InvalidArgumentError(f"multi_dot: operand {k} must be a matrix, got shape {x._array.shape}")
        first = terms[-1][-1] if terms else 0
        terms.append(list(range(first, first + x._array.ndim)))
    open_axes = [n for term in terms for n in term if sum(other.count(n) for other in terms) == 1]
    operands = [part for pair in zip(arrays, terms) for part in pair]
    return einsum(*operands, open_axes, optimize="optimal" if len(arrays) < 6 else "greedy")
