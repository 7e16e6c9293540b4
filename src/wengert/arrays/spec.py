"""TensorSpec: what is known about a tensor that a function will be given."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.arrays.dtypes import DType, as_dtype
from wengert.arrays.shapes import TensorShape

__all__ = ["TensorSpec"]


class TensorSpec:
    """Shape and dtype that a tensor must have, for example as an argument of a function.

    Args:
        shape: sizes, None where any size will do; None for any shape at all.
        dtype: of the elements.
        name: shown in messages.

    >>> spec = tf.TensorSpec([None, 2], tf.float32, name="x")
    >>> spec
    TensorSpec(shape=(None, 2), dtype=tf.float32, name='x')
    >>> spec.is_compatible_with(tf.zeros([5, 2])), spec.is_compatible_with(tf.zeros([2, 5]))
    (True, False)
    """

    __slots__ = ("dtype", "name", "shape")

    shape: TensorShape
    dtype: DType
    name: str | None

    def __init__(self, shape: Any, dtype: Any = np.float32, name: str | None = None) -> None:
        object.__setattr__(self, "shape", TensorShape(shape))
        object.__setattr__(self, "dtype", as_dtype(dtype))
        object.__setattr__(self, "name", name)

    def __setattr__(self, attribute: str, value: Any) -> None:
        raise AttributeError(f"a TensorSpec cannot be changed, so {attribute} cannot be set")

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec that describes exactly this tensor.

        >>> tf.TensorSpec.from_tensor(tf.constant([1, 2]))
        TensorSpec(shape=(2,), dtype=tf.int32, name=None)
        """
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """The same spec, under another name if one is given."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether a tensor with this dtype and shape may be the one that is given, or described."""
        other = spec_or_tensor
        return bool(self.dtype == other.dtype) and self.shape.is_compatible_with(other.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorSpec):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (None if self.shape.rank is None else tuple(self.shape), self.dtype, self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorSpec, (self.shape, self.dtype, self.name)

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"
