"""Functions of matrices: exponential, logarithm, square root and powers.

The derivative of a function of a matrix is a corner of the function of a matrix twice as large::

    f([[a, e], [0, a]]) = [[f(a), df(a; e)], [0, f(a)]]

(R. Mathias, "A chain rule for matrix functions and applications", 1996; N. J. Higham, "Functions of Matrices", 2008,
theorem 3.6). It holds whatever the eigenvalues are, repeated ones included, and it is differentiable in turn. The
pull-back is the same at the transposed matrix, since ``sum(g * df(a; e)) = sum(df(a^T; g) * e)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from wengert.arrays.lazy import scipy_linalg
from wengert.errors import InvalidArgumentError
from wengert.primitives.contract import matmul
from wengert.primitives.linalg_solve import inv
from wengert.primitives.matrices import as_square
from wengert.primitives.primitive import Primitive, primitive
from wengert.tensor import Tensor

__all__ = ["expm", "logm", "matrix_power", "sqrtm"]

#: imaginary parts of this size, relative to the largest element, are rounding errors of real results
_ROUNDING: Final = 1e-10


def _matrix_function(forward: Callable[..., Any]) -> Primitive:
    """The primitive of an analytic function of matrices."""
    function = primitive()(forward)
    name = function.name

    def corner(xp: Any, at: Any, direction: Any) -> Any:
        n = at.shape[-1]
        above = xp.concatenate([at, direction], axis=-1)
        below = xp.concatenate([xp.zeros_like(at), at], axis=-1)
        return getattr(xp, name)(xp.concatenate([above, below], axis=-2))[..., :n, n:]

    function.vjp(lambda xp, g, x: corner(xp, x.mT, g))
    function.jvp(lambda xp, t, x: corner(xp, x, t))
    function.spec(lambda x: x)
    return function


def _of_each(function: Callable[[Any], Any], x: Any, operation: str) -> Any:
    """A function of one matrix, applied to each of a batch in double precision; the result has the dtype of ``x``."""
    result = np.empty(x.shape, x.dtype)
    wide = x.astype(np.result_type(x.dtype, np.float64))
    for k in np.ndindex(x.shape[:-2]):
        value = function(wide[k]) if wide[k].size else wide[k]
        if not np.all(np.isfinite(value)):
            raise InvalidArgumentError(f"{operation}: the matrix is singular, and has no such function")
        if x.dtype.kind != "c" and np.iscomplexobj(value):
            if np.any(np.abs(value.imag) > _ROUNDING * np.abs(value).max()):
                raise InvalidArgumentError(
                    f"{operation}: the result for this real matrix is complex, since it has an eigenvalue that is not "
                    "positive; cast the matrix to complex first"
                )
            value = value.real
        result[k] = value
    return result


@_matrix_function
def expm_(xp: Any, x: Any) -> Any:
    """The exponential of square matrices."""
    return scipy_linalg.expm(x).astype(x.dtype, copy=False)


@_matrix_function
def logm_(xp: Any, x: Any) -> Any:
    """The principal logarithm of square matrices."""
    return _of_each(lambda a: scipy_linalg.logm(a), x, "logm")


@_matrix_function
def sqrtm_(xp: Any, x: Any) -> Any:
    """The principal square root of square matrices."""
    return _of_each(lambda a: scipy_linalg.sqrtm(a), x, "sqrtm")


def expm(input: Any, name: str | None = None) -> Any:
    """The exponential of square matrices: the sum of ``A^k / k!``.

    Args:
        input: ``(..., n, n)``.

    Raises:
        InvalidArgumentError: a matrix is not square.

    Source: A. Al-Mohy and N. J. Higham, "A new scaling and squaring algorithm for the matrix exponential" (2009), as in
    SciPy.

    >>> tf.linalg.expm([[0.0, 1.0], [0.0, 0.0]]).numpy().tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    return expm_(as_square(input, "expm"))


def logm(input: Any, name: str | None = None) -> Any:
    """The principal logarithm of square matrices: the inverse of :func:`expm`.

    Args:
        input: ``(..., n, n)``, without eigenvalues that are zero; nor negative ones, unless it is complex.

    Raises:
        InvalidArgumentError: a matrix is not square, or has no logarithm of its dtype.

    Source: A. Al-Mohy and N. J. Higham, "Improved inverse scaling and squaring algorithms for the matrix logarithm"
    (2012), as in SciPy.

    >>> tf.linalg.logm([[1.0, 1.0], [0.0, 1.0]]).numpy().round(5).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    return logm_(as_square(input, "logm"))


def sqrtm(input: Any, name: str | None = None) -> Any:
    """The principal square root of square matrices: ``X`` with ``X X = A`` and eigenvalues in the right half-plane.

    Args:
        input: ``(..., n, n)``, without negative eigenvalues, unless it is complex; for a gradient, invertible.

    Raises:
        InvalidArgumentError: a matrix is not square, or has no square root of its dtype.

    Source: A. Bjorck and S. Hammarling, "A Schur method for the square root of a matrix" (1983), as in SciPy.

    >>> tf.linalg.sqrtm([[4.0, 0.0], [0.0, 9.0]]).numpy().tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    return sqrtm_(as_square(input, "sqrtm"))


def matrix_power(a: Any, n: int) -> Any:
    """The product of ``n`` times the same square matrix, by repeated squaring; for negative ``n``, that of its inverse.

    Raises:
        InvalidArgumentError: a matrix is not square; or ``n`` is negative, and it is singular.

    >>> np.linalg.matrix_power(tf.constant([[1.0, 1.0], [0.0, 1.0]]), 3).numpy().tolist()
    [[1.0, 3.0], [0.0, 1.0]]
    """
    a = as_square(a, "matrix_power")
    if n < 0:
        a, n = inv(a), -n
    result = None
    while n:
        if n % 2:
            result = a if result is None else matmul(result, a)
        n //= 2
        a = matmul(a, a) if n else a
    identity = np.broadcast_to(np.eye(a._array.shape[-1], dtype=a._array.dtype), a._array.shape)
    return Tensor(identity) if result is None else result
