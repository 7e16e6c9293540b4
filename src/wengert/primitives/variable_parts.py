"""Assignment to rows and elements of Variables: the ``scatter_*`` methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from wengert.errors import DTypeError, InvalidArgumentError
from wengert.primitives.gather import columns_of, gather, gather_nd
from wengert.primitives.index import check_range, fold_at, index_tensor
from wengert.tensor import IndexedSlices, Tensor, Variable, convert_to_tensor

__all__: list[str] = []


def _write(
    variable: Variable, operation: str, combine: np.ufunc | None, indices: tuple[Any, ...], updates: Any
) -> Variable:
    """Fold updates into a copy of the value, or write them over it, and make it the value."""
    shape = np.broadcast_shapes(*(np.shape(i) for i in indices)) + variable._array.shape[len(indices) :]
    if updates._array.shape not in (shape, ()):
        raise InvalidArgumentError(
            f"{operation} on {variable.name} of shape {variable._array.shape}: the updates must have shape {shape} "
            f"or (), got {updates._array.shape}"
        )
    array = np.array(variable._array, order="C")
    if combine is None:
        array[indices] = updates._array
    else:
        fold_at(combine, array, indices, updates._array)
    changed = Tensor.__new__(Tensor)
    changed._array, changed._id = array, updates._id
    return variable._replace(operation, changed)


def _updates(variable: Variable, operation: str, values: Any) -> Tensor:
    converted: Tensor = convert_to_tensor(values, dtype_hint=variable.dtype)
    if converted._array.dtype != variable._array.dtype:
        raise DTypeError(
            f"{operation} on {variable.name} of dtype {variable._array.dtype}: the updates have dtype "
            f"{converted._array.dtype}; convert them with tf.cast"
        )
    return converted


def _rows_method(operation: str, combine: np.ufunc | None, summary: str) -> None:
    def method(
        self: Variable, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        if not isinstance(sparse_delta, IndexedSlices):
            raise DTypeError(f"{operation} takes IndexedSlices, got {type(sparse_delta).__name__}")
        rows = np.asarray(index_tensor(operation, sparse_delta.indices)._array, np.intp)
        if not self._array.ndim:
            raise InvalidArgumentError(f"{operation} on {self.name}: a Variable of shape () has no rows")
        check_range(operation, rows, self._array.shape[0], f"the rows of {self.name}")
        return _write(self, operation, combine, (rows,), _updates(self, operation, sparse_delta.values))

    _attach(operation, method, summary + " the rows that ``sparse_delta.indices`` names.")


def _elements_method(operation: str, combine: np.ufunc | None, summary: str) -> None:
    def method(self: Variable, indices: Any, updates: Any, name: str | None = None) -> Variable:
        places = index_tensor(operation, indices)._array
        columns = tuple(c._array for c in columns_of(operation, places, self._array.shape))
        if not columns:
            raise InvalidArgumentError(f"{operation} on {self.name}: the rows of indices are empty, and name no place")
        return _write(self, operation, combine, columns, _updates(self, operation, updates))

    _attach(operation, method, summary + " the places that the rows of ``indices`` name.")


def _attach(name: str, method: Callable[..., Any], summary: str) -> None:
    method.__name__ = method.__qualname__ = name
    method.__doc__ = summary
    setattr(Variable, name, method)


def _batch_scatter_update(
    self: Variable, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
) -> Variable:
    rows = np.asarray(index_tensor("batch_scatter_update", sparse_delta.indices)._array, np.intp)
    batch = rows.ndim - 1
    if not 0 <= batch < self._array.ndim or self._array.shape[:batch] != rows.shape[:batch]:
        raise InvalidArgumentError(
            f"batch_scatter_update on {self.name} of shape {self._array.shape}: indices of shape {rows.shape} must "
            "begin with the same batch"
        )
    check_range("batch_scatter_update", rows, self._array.shape[batch], f"axis {batch} of {self.name}")
    lead = np.indices((*rows.shape[:batch], 1), sparse=True)[:batch]
    return _write(
        self, "batch_scatter_update", None, (*lead, rows), _updates(self, "batch_scatter_update", sparse_delta.values)
    )


for _name, _combine, _summary in (
    ("update", None, "Overwrite (where one is named twice, the last update stays)"),
    ("add", np.add, "Add to (repeated ones repeatedly)"),
    ("sub", np.subtract, "Subtract from (repeated ones repeatedly)"),
    ("max", np.maximum, "Raise to the updates, where they are larger,"),
    ("min", np.minimum, "Lower to the updates, where they are smaller,"),
    ("mul", np.multiply, "Multiply (repeated ones repeatedly)"),
    ("div", np.divide, "Divide (repeated ones repeatedly)"),
):
    _rows_method(f"scatter_{_name}", _combine, _summary)
    if _name not in ("mul", "div"):
        _elements_method(f"scatter_nd_{_name}", _combine, _summary)

_attach(
    "batch_scatter_update",
    _batch_scatter_update,
    "Overwrite rows in each batch: the last axis of ``sparse_delta.indices`` names them.",
)
_attach(
    "sparse_read",
    lambda self, indices, name=None: gather(self, indices),
    "The rows that ``indices`` names, as :func:`tf.gather` gives them.",
)
_attach(
    "gather_nd",
    lambda self, indices, name=None: gather_nd(self, indices),
    "The places that the rows of ``indices`` name, as :func:`tf.gather_nd` gives them.",
)
