"""Which of NumPy's functions are there for tensors: writes and checks ``docs/numpy.md``."""

from __future__ import annotations

import numpy as np

import wengert  # noqa: F401 - fills the registry
from wengert.numpy.dispatch import IMPLEMENTATIONS
from wengert.primitives.primitive import PRIMITIVES
from wengert.tensor import TensorLike

__all__ = ["coverage_page"]

_ROOMS = {"np": np, "np.linalg": np.linalg, "np.fft": np.fft}

_HEAD = """# NumPy's functions on tensors

These functions of NumPy take tensors and record on the tape, with plain `import numpy as np`. Everything else raises
`UnimplementedError` (a `NotImplementedError`) that names the nearest that are there. Arguments that cannot be honoured,
such as `out=`, raise as well; nothing is ignored silently. This page is compared with the code by a test.
"""


def coverage_page() -> str:
    """The page, from the registry of implementations.

    >>> from wengert.numpy.coverage import coverage_page
    >>> "`sinc`" in coverage_page()
    True
    """
    parts = [_HEAD]
    for room, module in _ROOMS.items():
        names = sorted({name for name, value in vars(module).items() if _is_there(name, value)})
        parts.append(f"## `{room}`\n\n{len(names)} functions: {', '.join(f'`{name}`' for name in names)}.\n")
    methods = sorted(n for n in dir(np.ndarray) if not n.startswith("_") and hasattr(TensorLike, n))
    parts.append(f"## Methods and attributes\n\n{', '.join(f'`{name}`' for name in methods)}.\n")
    return "\n".join(parts)


def _is_there(name: str, value: object) -> bool:
    if name.startswith("_") or not callable(value):
        return False
    try:
        known = value in IMPLEMENTATIONS
    except TypeError:
        return False
    return known or (isinstance(value, np.ufunc) and value.__name__ in PRIMITIVES)


if __name__ == "__main__":
    print(coverage_page(), end="")
