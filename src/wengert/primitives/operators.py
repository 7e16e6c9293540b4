"""Python's operators on tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from wengert.primitives import arithmetic
from wengert.primitives.bitwise import bitwise_and, bitwise_or, bitwise_xor
from wengert.primitives.contract import matmul
from wengert.primitives.index import getitem
from wengert.tensor import TensorLike, Variable, VariableSlice

__all__: list[str] = []


def _reflected(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: function(other, self)


def _pair(name: str, function: Callable[[Any, Any], Any]) -> None:
    setattr(TensorLike, f"__{name}__", function)
    setattr(TensorLike, f"__r{name}__", _reflected(function))


def _logical_or_bitwise(logical: Any, bitwise: Any) -> Callable[[Any, Any], Any]:
    def function(self: Any, other: Any) -> Any:
        boolean = getattr(self, "dtype", None) == np.bool_ or getattr(other, "dtype", None) == np.bool_
        return logical(self, other) if boolean else bitwise(self, other)

    return function


def _equality(function: Callable[[Any, Any], Any], otherwise: bool) -> Callable[[Any, Any], Any]:
    """Comparison with None, a string or another stranger is not an error, but a plain answer."""

    def compare(self: Any, other: Any) -> Any:
        return otherwise if other is None or isinstance(other, (str, type)) else function(self, other)

    return compare


def _getitem(self: Variable, key: Any) -> Any:
    part = getitem(self, key)
    assignable = VariableSlice.__new__(VariableSlice)
    assignable._array, assignable._id = part._array, part._id
    assignable._variable, assignable._key = self, key
    return assignable


_pair("add", arithmetic.add.function)
_pair("sub", arithmetic.subtract.function)
_pair("mul", arithmetic.multiply.function)
_pair("truediv", arithmetic.divide)
_pair("floordiv", arithmetic.floordiv)
_pair("mod", arithmetic.floormod.function)
_pair("pow", arithmetic.pow_)
_pair("matmul", matmul)
_pair("and", _logical_or_bitwise(arithmetic.logical_and, bitwise_and))
_pair("or", _logical_or_bitwise(arithmetic.logical_or, bitwise_or))
_pair("xor", _logical_or_bitwise(arithmetic.logical_xor, bitwise_xor))
for _name, _function in {
    "neg": arithmetic.negative.function,
    "pos": arithmetic.positive.function,
    "abs": arithmetic.absolute.function,
    "invert": arithmetic.invert.function,
    "lt": arithmetic.less.function,
    "le": arithmetic.less_equal.function,
    "gt": arithmetic.greater.function,
    "ge": arithmetic.greater_equal.function,
    "eq": _equality(arithmetic.equal.function, False),
    "ne": _equality(arithmetic.not_equal.function, True),
    "getitem": getitem,
}.items():
    setattr(TensorLike, f"__{_name}__", _function)
setattr(Variable, "__getitem__", _getitem)
