"""Linear algebra, under TensorFlow's name ``tf.linalg``."""

from __future__ import annotations

# one block a family; every name is explicit
from wengert.primitives.contract import cross, matmul, matrix_transpose, matvec, tensordot
from wengert.primitives.creation import eye
from wengert.primitives.einsum import einsum
from wengert.primitives.linalg_band import tridiagonal_matmul, tridiagonal_solve
from wengert.primitives.linalg_factorize import cholesky, lu, qr
from wengert.primitives.linalg_function import expm, logm, sqrtm
from wengert.primitives.linalg_norm import global_norm, l2_normalize, matrix_rank, norm, normalize
from wengert.primitives.linalg_solve import (
    cholesky_solve,
    det,
    inv,
    logdet,
    lstsq,
    lu_matrix_inverse,
    lu_reconstruct,
    lu_solve,
    pinv,
    slogdet,
    solve,
    triangular_solve,
)
from wengert.primitives.linalg_spectral import eig, eigh, eigvals, eigvalsh, svd
from wengert.primitives.linalg_structure import (
    adjoint,
    band_part,
    diag,
    diag_part,
    set_diag,
    tensor_diag,
    tensor_diag_part,
    trace,
)
from wengert.public import plain_functions

__all__ = [
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "einsum",
    "expm",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "logm",
    "lstsq",
    "lu",
    "lu_matrix_inverse",
    "lu_reconstruct",
    "lu_solve",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "sqrtm",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
    "tridiagonal_matmul",
    "tridiagonal_solve",
]

plain_functions(globals())
