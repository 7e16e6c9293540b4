"""Element types under TensorFlow's names, each an envelope around one NumPy dtype."""

from __future__ import annotations

from typing import Any, Final

import ml_dtypes
import numpy as np

from wengert.errors import DTypeError

__all__ = ["DTYPES", "DType", "as_dtype", "as_numpy_dtype"]

_BFLOAT16: Final = np.dtype(ml_dtypes.bfloat16)


class DType:
    """The type of the elements of a tensor.

    NumPy takes a ``DType`` wherever it takes a dtype, and ``==`` accepts NumPy's spellings.

    >>> tf.float32.is_floating, tf.float32 == np.float32, np.zeros(2, tf.float32).dtype.name
    (True, True, 'float32')
    """

    __slots__ = ("dtype", "name")

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self.dtype = dtype
        self.name = dtype.name

    @property
    def as_numpy_dtype(self) -> type:
        """NumPy's scalar type, such as ``np.float32``."""
        return self.dtype.type

    @property
    def type(self) -> Any:
        """NumPy's scalar type, under NumPy's name for it."""
        return self.dtype.type

    @property
    def kind(self) -> str:
        """NumPy's letter for the kind of type: ``f`` for floats (``V`` for bfloat16), ``c``, ``i``, ``u`` or ``b``."""
        return self.dtype.kind

    @property
    def itemsize(self) -> int:
        """Bytes an element takes, under NumPy's name for it."""
        return self.dtype.itemsize

    @property
    def base_dtype(self) -> DType:
        """The dtype itself; Wengert has no reference types."""
        return self

    @property
    def real_dtype(self) -> DType:
        """The dtype of the real part: float32 for complex64, itself for a real dtype."""
        return as_dtype(self.as_numpy_dtype(0).real.dtype)

    @property
    def is_floating(self) -> bool:
        """Whether this is a real floating-point type."""
        return self.dtype.kind == "f" or self.dtype == _BFLOAT16

    @property
    def is_complex(self) -> bool:
        """Whether this is a complex type."""
        return self.dtype.kind == "c"

    @property
    def is_integer(self) -> bool:
        """Whether this is a signed or unsigned integer type."""
        return self.dtype.kind in "iu"

    @property
    def is_unsigned(self) -> bool:
        """Whether this is an unsigned integer type."""
        return self.dtype.kind == "u"

    @property
    def is_bool(self) -> bool:
        """Whether this is the boolean type."""
        return self.dtype.kind == "b"

    @property
    def size(self) -> int:
        """Bytes an element takes."""
        return self.dtype.itemsize

    @property
    def max(self) -> Any:
        """The largest finite value."""
        return self._limit("max")

    @property
    def min(self) -> Any:
        """The smallest finite value."""
        return self._limit("min")

    def _limit(self, which: str) -> Any:
        if self.is_bool:
            return which == "max"
        if self.is_integer:
            return getattr(np.iinfo(self.dtype), which)
        return getattr(ml_dtypes.finfo(self.dtype), which)  # type: ignore[no-untyped-call]

    def is_compatible_with(self, other: Any) -> bool:
        """Whether ``other`` names the same dtype."""
        return bool(self == other)

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, DType):
            return self.dtype == other.dtype
        try:
            return bool(self.dtype == np.dtype(other))
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __repr__(self) -> str:
        return f"tf.{self.name}"


_NAMES: Final = (
    *("float16", "float32", "float64", "complex64", "complex128", "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)
DTYPES: Final[dict[np.dtype[Any], DType]] = {np.dtype(name): DType(np.dtype(name)) for name in _NAMES}
DTYPES[_BFLOAT16] = DType(_BFLOAT16)

_SPELLINGS: Final[dict[Any, DType]] = {
    "bfloat16": DTYPES[_BFLOAT16],
    "half": DTYPES[np.dtype("float16")],
    "double": DTYPES[np.dtype("float64")],
    float: DTYPES[np.dtype("float32")],
    int: DTYPES[np.dtype("int32")],
}


def as_dtype(value: Any) -> DType:
    """The :class:`DType` of any spelling: a ``DType``, a name, a NumPy dtype or a Python type.

    Python's ``float`` means float32 and ``int`` means int32, as in TensorFlow.

    Raises:
        DTypeError: the value names no numeric dtype.

    >>> tf.as_dtype("float64")
    tf.float64
    """
    if value.__class__ is DType:
        return value
    try:
        return _SPELLINGS[value]
    except (KeyError, TypeError):
        pass
    try:
        return DTYPES[np.dtype(value)]
    except (KeyError, TypeError):
        names = ", ".join(dtype.name for dtype in DTYPES.values())
        raise DTypeError(f"{value!r} is not a dtype that a tensor can have; use one of {names}") from None


def as_numpy_dtype(value: Any) -> np.dtype[Any]:
    """The NumPy dtype of any spelling that :func:`as_dtype` takes."""
    return as_dtype(value).dtype
