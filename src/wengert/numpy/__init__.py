"""NumPy's functions on tensors.

``np.sin(x)``, ``np.concatenate([x, y])`` and ``x.sum()`` on a Tensor come here through NumPy's own protocols
(``__array_ufunc__``, ``__array_function__``), so code written with plain ``import numpy as np`` is differentiable. The
same functions are the namespace on which derivative rules run when derivatives of derivatives are wanted.
"""

from __future__ import annotations

from wengert.numpy import (
    basic,
    contract,
    convolve,
    creation,
    cumulative,
    dispatch,
    elementwise,
    fourier,
    index,
    join,
    linalg,
    reduce,
    shape,
    sort,
    statistics,
)

__all__: list[str] = []
del (
    basic,
    contract,
    convolve,
    creation,
    cumulative,
    dispatch,
    elementwise,
    fourier,
    index,
    join,
    linalg,
    reduce,
    shape,
    sort,
    statistics,
)
