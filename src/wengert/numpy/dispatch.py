"""NumPy's dispatch protocols: from a NumPy function called with tensors to Wengert's function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from wengert.errors import UnimplementedError
from wengert.primitives.primitive import PRIMITIVES, tensor_namespace
from wengert.tensor import TensorLike

__all__ = ["IMPLEMENTATIONS", "implements", "method", "only_defaults"]

#: NumPy function or ufunc -> what runs in its place when an argument is a tensor
IMPLEMENTATIONS: Final[dict[Any, Callable[..., Any]]] = {}


def implements(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: the function below takes NumPy's arguments and stands for these NumPy functions.

    It becomes part of the namespace of rules under the functions' names as well (``xp.linalg.inv`` for
    ``np.linalg.inv``). A function that is younger than NumPy 2.0 is given by its name.
    """

    def decorate(implementation: Callable[..., Any]) -> Callable[..., Any]:
        for function in functions:
            found = getattr(np, function, None) if isinstance(function, str) else function
            if found is not None:
                IMPLEMENTATIONS[found] = implementation
                setattr(_room(found), found.__name__, implementation)
        return implementation

    return decorate


def method(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: the function below is also a method of tensors, as it is one of NumPy's arrays."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        setattr(TensorLike, name, function)
        return function

    return decorate


def only_defaults(function: str, **arguments: Any) -> None:
    """Raise unless each of NumPy's arguments that are not available for tensors was left at its default.

    Raises:
        UnimplementedError: naming the function and the argument.
    """
    for name, value in arguments.items():
        if value is None or value is True or value is np._NoValue:
            continue
        if name == "out":
            raise UnimplementedError(
                f"np.{function}(..., out=): a tensor cannot be written to, and what is written into an array is not "
                "recorded; use the returned tensor"
            )
        raise UnimplementedError(f"np.{function}(..., {name}=) is not available for tensors")


def _room(function: Any) -> Any:
    """The namespace that a function belongs to: ``linalg`` for ``np.linalg.inv``, the outermost for ``np.sin``."""
    room = tensor_namespace
    for part in (getattr(function, "__module__", None) or "numpy").split(".")[1:]:
        if not part.startswith("_"):
            if not hasattr(room, part):
                setattr(room, part, SimpleNamespace())
            room = getattr(room, part)
    return room


def _array_ufunc(self: Any, ufunc: np.ufunc, how: str, *inputs: Any, out: Any = None, **kwargs: Any) -> Any:
    if out is not None:
        raise UnimplementedError(
            f"np.{ufunc.__name__}(..., out=): a tensor cannot be written to, and what is written into an array is not "
            "recorded; use the returned tensor"
        )
    if how == "reduce" and ufunc in _REDUCTIONS:
        return _REDUCTIONS[ufunc](inputs[0], **{"axis": 0, **kwargs})
    if how != "__call__":
        raise UnimplementedError(f"np.{ufunc.__name__}.{how} is not available for tensors")
    implementation = IMPLEMENTATIONS.get(ufunc) or _primitive_of(ufunc)
    kwargs = {k: v for k, v in kwargs.items() if k not in ("casting", "order", "subok")}
    dtype = kwargs.pop("dtype", None)
    if kwargs.get("where", True) is not True or set(kwargs) - {"where"}:
        raise UnimplementedError(f"np.{ufunc.__name__} with {', '.join(kwargs)} is not available for tensors")
    if dtype is not None:
        inputs = tuple(tensor_namespace.asarray(x, dtype) for x in inputs)
    return implementation(*inputs)


def _array_function(self: Any, func: Any, types: Sequence[type], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    implementation = IMPLEMENTATIONS.get(func)
    if implementation is None:
        raise UnimplementedError(_unavailable(func))
    return implementation(*args, **kwargs)


def _primitive_of(ufunc: np.ufunc) -> Callable[..., Any]:
    primitive = PRIMITIVES.get(ufunc.__name__)
    if primitive is None:
        raise UnimplementedError(_unavailable(ufunc))
    IMPLEMENTATIONS[ufunc] = primitive.function
    return primitive.function


def _unavailable(function: Any) -> str:
    names = {f.__name__ for f in IMPLEMENTATIONS} | set(PRIMITIVES)
    nearest = get_close_matches(function.__name__, names, n=3)
    module = (getattr(function, "__module__", None) or "numpy").replace("numpy", "np", 1)
    hint = f" The nearest that are: {', '.join(nearest)}." if nearest else ""
    return (
        f"{module}.{function.__name__} is not available for tensors.{hint} To leave the tape on purpose, "
        "pass x.numpy()."
    )


#: ufuncs whose ``reduce`` is a function of its own
_REDUCTIONS: Final[dict[np.ufunc, Callable[..., Any]]] = {
    np.add: lambda x, **kwargs: tensor_namespace.sum(x, **kwargs),
    np.multiply: lambda x, **kwargs: tensor_namespace.prod(x, **kwargs),
    np.maximum: lambda x, **kwargs: tensor_namespace.max(x, **kwargs),
    np.minimum: lambda x, **kwargs: tensor_namespace.min(x, **kwargs),
    np.logical_and: lambda x, **kwargs: tensor_namespace.all(x, **kwargs),
    np.logical_or: lambda x, **kwargs: tensor_namespace.any(x, **kwargs),
}

TensorLike.__array_ufunc__ = _array_ufunc  # type: ignore[attr-defined]
TensorLike.__array_function__ = _array_function  # type: ignore[attr-defined]
