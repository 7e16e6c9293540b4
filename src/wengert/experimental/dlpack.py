"""Exchange of arrays with other libraries through DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np

from wengert.tensor import Tensor, constant, convert_to_tensor

__all__ = ["from_dlpack", "to_dlpack"]


class _Capsule:
    """Carries a DLPack capsule together with the device that NumPy asks for."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def to_dlpack(tf_tensor: Any) -> Any:
    """A DLPack capsule with a copy of the tensor's elements.

    >>> capsule = tf.experimental.dlpack.to_dlpack(tf.constant([1.0, 2.0]))
    >>> tf.experimental.dlpack.from_dlpack(capsule).numpy().tolist()
    [1.0, 2.0]
    """
    return convert_to_tensor(tf_tensor).__dlpack__()


def from_dlpack(dlcapsule: Any) -> Tensor:
    """A Tensor with the elements of a DLPack capsule, or of any object with ``__dlpack__`` in main memory.

    >>> tf.experimental.dlpack.from_dlpack(np.arange(3.0)).numpy().tolist()
    [0.0, 1.0, 2.0]
    """
    source = dlcapsule if hasattr(dlcapsule, "__dlpack__") else _Capsule(dlcapsule)
    return constant(np.from_dlpack(source))
