"""Tensor, Variable and IndexedSlices, and the conversion of everything else to a Tensor.

A Tensor is an array plus an identity. Operators, and the methods that NumPy's arrays have, are attached where the
primitives are (:mod:`wengert.primitives.operators`, :mod:`wengert.numpy`); this file knows no operation.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from wengert.arrays.dtypes import DTYPES, DType, as_numpy_dtype
from wengert.arrays.shapes import TensorShape
from wengert.errors import DTypeError, InvalidArgumentError
from wengert.lineage import Place, note_event, note_origin, tick, user_place

__all__ = [
    "IndexedSlices",
    "Reference",
    "Tensor",
    "TensorLike",
    "Variable",
    "constant",
    "convert_to_tensor",
    "is_tensor",
]

#: the exact classes that a primitive takes without conversion
TENSOR_CLASSES: Final[set[Any]] = set()
#: those of them that are Variables
VARIABLE_CLASSES: Final[set[Any]] = set()


class Reference:
    """A hashable stand-in for a tensor, which compares by identity.

    >>> x = tf.constant([1.0, 2.0])
    >>> {x.ref(): "x"}[x.ref()], x.ref().deref() is x
    ('x', True)
    """

    __slots__ = ("_wrapped",)

    def __init__(self, wrapped: TensorLike) -> None:
        self._wrapped = wrapped

    def deref(self) -> TensorLike:
        """The tensor itself."""
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"


class TensorLike:
    """What Tensor and Variable share: an array with an identity."""

    __slots__ = ("__weakref__", "_array", "_id")

    _array: Any
    _id: int

    #: ask NumPy to leave ``array * tensor`` to us
    __array_priority__ = 100.0

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        TENSOR_CLASSES.add(cls)

    def numpy(self) -> Any:
        """The value as a NumPy array of its own (a NumPy scalar for shape ``()``). Gradients do not follow it.

        >>> tf.constant([1.0, 2.0]).numpy()
        array([1., 2.], dtype=float32)
        """
        note_event(".numpy()", self._id)
        array = self._array
        return array.copy() if array.ndim else array[()]

    @property
    def shape(self) -> TensorShape:
        """The size of each axis."""
        return TensorShape(self._array.shape)

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return DTYPES[self._array.dtype]

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return int(self._array.ndim)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self._array.size)

    @property
    def nbytes(self) -> int:
        """The number of bytes that the elements take."""
        return int(self._array.nbytes)

    @property
    def device(self) -> str:
        """Where the elements are: always the CPU."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    def get_shape(self) -> TensorShape:
        """The size of each axis."""
        return self.shape

    def ref(self) -> Reference:
        """A hashable reference to this very tensor, for sets and dictionaries."""
        return Reference(self)

    def __hash__(self) -> int:
        raise TypeError(
            f"{type(self).__name__} is unhashable, since == compares its elements. "
            "Use tensor.ref() as the key, and key.deref() to get the tensor back."
        )

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError("a tensor of shape () has no len()")
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        if not self._array.ndim:
            raise TypeError("cannot iterate over a tensor of shape ()")
        from wengert.primitives.join import unstack

        return iter(unstack(self))

    def __bool__(self) -> bool:
        if self._array.size != 1:
            raise InvalidArgumentError(
                f"the truth value of a tensor of shape {self._array.shape} is ambiguous: "
                "use tf.reduce_any or tf.reduce_all"
            )
        return bool(self._array)

    def __float__(self) -> float:
        return float(self._python_number("float()"))

    def __int__(self) -> int:
        return int(self._python_number("int()"))

    def __complex__(self) -> complex:
        return complex(self._python_number("complex()"))

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iu" or self._array.ndim:
            raise DTypeError(
                f"only an integer tensor of shape () can be an index, got {self._array.dtype} of shape "
                f"{self._array.shape}"
            )
        return int(self._array)

    def _python_number(self, how: str) -> Any:
        if self._array.size != 1:
            raise InvalidArgumentError(f"{how} takes a tensor with one element, got shape {self._array.shape}")
        note_event(how, self._id)
        return np.asarray(self._array).reshape(())[()]

    def __format__(self, spec: str) -> str:
        return format(self._array[()] if spec and not self._array.ndim else str(self), spec)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        note_event("np.asarray", self._id)
        array = np.array(self._array, dtype=dtype) if copy else np.asarray(self._array, dtype=dtype)
        if array is self._array or array.base is not None:
            array = array.view()
            array.setflags(write=False)
        return array

    def __dlpack__(self, **kwargs: Any) -> Any:
        note_event("DLPack", self._id)
        return np.array(self._array).__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            "a tensor cannot be changed in place. Use tf.tensor_scatter_nd_update(x, indices, updates), "
            "tf.where(mask, new, x), or a tf.Variable with v[key].assign(value)."
        )

    if TYPE_CHECKING:  # attached by wengert.primitives.operators and wengert.numpy
        T: Tensor
        mT: Tensor  # noqa: N815 - NumPy's name
        real: Tensor
        imag: Tensor

        def reshape(self, *shape: Any, order: str = "C", copy: Any = None) -> Tensor: ...
        def ravel(self, order: str = "C") -> Tensor: ...
        def flatten(self, order: str = "C") -> Tensor: ...
        def squeeze(self, axis: Any = None) -> Tensor: ...
        def transpose(self, *axes: Any) -> Tensor: ...
        def swapaxes(self, axis1: int, axis2: int) -> Tensor: ...
        def repeat(self, repeats: Any, axis: Any = None) -> Tensor: ...
        def copy(self, order: str = "C") -> Tensor: ...
        def item(self, *args: Any) -> Any: ...
        def tolist(self) -> Any: ...
        def __getitem__(self, key: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __pos__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __rfloordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __rmod__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __rmatmul__(self, other: Any) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __xor__(self, other: Any) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __eq__(self, other: Any) -> Tensor: ...  # type: ignore[override]
        def __ne__(self, other: Any) -> Tensor: ...  # type: ignore[override]


class Tensor(TensorLike):
    """An immutable array with an identity.

    Tensors come from :func:`constant`, :func:`convert_to_tensor` and from every operation.

    >>> tf.constant([[1.0, 2.0]]) * 3
    <tf.Tensor: shape=(1, 2), dtype=float32, numpy=array([[3., 6.]], dtype=float32)>
    """

    __slots__ = ()

    def __init__(self, array: Any) -> None:
        self._array = array
        self._id = tick()

    def __reduce__(self) -> tuple[Any, ...]:
        return Tensor, (np.asarray(self._array),)

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self._array.shape}, dtype={self.dtype.name}, numpy={_numpy_repr(self._array)}>"

    def __str__(self) -> str:
        return f"tf.Tensor({self._array}, shape={self._array.shape}, dtype={self.dtype.name})"


class VariableSlice(Tensor):
    """What ``variable[key]`` gives: a Tensor that can also be assigned to.

    >>> v = tf.Variable([1.0, 2.0, 3.0])
    >>> _ = v[1].assign(9.0)
    >>> v.numpy()
    array([1., 9., 3.], dtype=float32)
    """

    __slots__ = ("_key", "_variable")

    _key: Any
    _variable: Variable

    def assign(self, value: Any, name: str | None = None) -> Variable:
        """Write ``value`` to this part of the Variable."""
        return self._variable._assign_part(self._key, value)

    def assign_add(self, value: Any, name: str | None = None) -> Variable:
        """Add ``value`` to this part of the Variable."""
        return self._variable._assign_part(self._key, self + value)

    def assign_sub(self, value: Any, name: str | None = None) -> Variable:
        """Subtract ``value`` from this part of the Variable."""
        return self._variable._assign_part(self._key, self - value)


class Variable(TensorLike):
    """A named, assignable tensor: the parameters of a model.

    A tape watches the trainable Variables that are used while it records. ``assign`` replaces the value as a whole, so
    values that a tape saved stay what they were.

    Args:
        initial_value: anything that converts to a tensor, or a function without arguments that returns it.
        trainable: whether tapes watch it without being asked.
        name: shown in messages; ``name:0`` is the Variable's ``name``.
        dtype: of the elements; by default that of the value.
        shape: the shape that values must have; ``tf.TensorShape(None)`` or ``None`` sizes leave it open.

    Raises:
        InvalidArgumentError: the value does not have that shape.

    >>> v = tf.Variable([1.0, 2.0], name="v")
    >>> _ = v.assign_add([1.0, 1.0])
    >>> v
    <tf.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([2., 3.], dtype=float32)>
    """

    __slots__ = ("_place", "_shape", "_snapshot", "constraint", "name", "trainable")

    #: the present value as a Tensor with the Variable's own identity: what a tape saves
    _snapshot: Tensor

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        VARIABLE_CLASSES.add(cls)

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool = True,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: Any = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = (),
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        if initial_value is None:
            raise InvalidArgumentError("a Variable needs an initial value: tf.Variable(tf.zeros(shape))")
        if callable(initial_value) and not isinstance(initial_value, TensorLike):
            initial_value = initial_value()
        value = convert_to_tensor(initial_value, dtype=dtype)
        self._array = value._array
        self._id = tick()
        self._place = user_place()
        self.name = f"{name or 'Variable'}:0"
        self.trainable = trainable
        self.constraint = constraint
        if shape == ():
            self._shape: tuple[int | None, ...] | None = self._array.shape
        else:
            wanted = TensorShape(shape)
            self._shape = None if wanted.rank is None else tuple(wanted)
        self._check("Variable", value)
        self._hold(self._array)

    def _hold(self, array: Any) -> None:
        snapshot = Tensor.__new__(Tensor)
        snapshot._array, snapshot._id = array, self._id
        self._array, self._snapshot = array, snapshot

    @property
    def handle(self) -> Variable:
        """The Variable itself."""
        return self

    @property
    def place(self) -> Place:
        """The line that made it."""
        return self._place

    def read_value(self) -> Tensor:
        """The present value as a Tensor; on a tape, the identity function of the Variable."""
        from wengert.primitives.shape import identity

        return cast("Tensor", identity(self))

    def value(self) -> Tensor:
        """The present value as a Tensor."""
        return self.read_value()

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Replace the value.

        Raises:
            InvalidArgumentError: shape or dtype do not fit; the Variable is unchanged.
        """
        return self._replace("assign", _like(value, self._array.dtype))

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Add ``delta``, which must have the Variable's shape."""
        return self._update("assign_add", np.add, delta)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Subtract ``delta``, which must have the Variable's shape."""
        return self._update("assign_sub", np.subtract, delta)

    def _update(self, operation: str, combine: Callable[..., Any], delta: Any) -> Variable:
        value = _like(delta, self._array.dtype)
        self._check(operation, value)
        moved = Tensor.__new__(Tensor)
        moved._array, moved._id = combine(self._array, value._array), value._id
        return self._replace(operation, moved)

    if TYPE_CHECKING:  # attached by wengert.primitives.variable_parts

        def scatter_update(self, sparse_delta: IndexedSlices) -> Variable: ...
        def scatter_add(self, sparse_delta: IndexedSlices) -> Variable: ...
        def scatter_sub(self, sparse_delta: IndexedSlices) -> Variable: ...
        def scatter_max(self, sparse_delta: IndexedSlices) -> Variable: ...
        def scatter_min(self, sparse_delta: IndexedSlices) -> Variable: ...
        def scatter_mul(self, sparse_delta: IndexedSlices) -> Variable: ...
        def scatter_div(self, sparse_delta: IndexedSlices) -> Variable: ...
        def scatter_nd_update(self, indices: Any, updates: Any) -> Variable: ...
        def scatter_nd_add(self, indices: Any, updates: Any) -> Variable: ...
        def scatter_nd_sub(self, indices: Any, updates: Any) -> Variable: ...
        def scatter_nd_max(self, indices: Any, updates: Any) -> Variable: ...
        def scatter_nd_min(self, indices: Any, updates: Any) -> Variable: ...
        def batch_scatter_update(self, sparse_delta: IndexedSlices) -> Variable: ...
        def sparse_read(self, indices: Any) -> Tensor: ...
        def gather_nd(self, indices: Any) -> Tensor: ...

    def _assign_part(self, key: Any, value: Any) -> Variable:
        part = _like(value, self._array.dtype)
        array = np.array(self._array)
        try:
            array[plain_key(key)] = part._array
        except (IndexError, ValueError) as error:
            raise InvalidArgumentError(
                f"cannot assign shape {part._array.shape} to that part of {self.name} "
                f"with shape {self._array.shape}: {error}"
            ) from error
        changed = Tensor.__new__(Tensor)
        changed._array, changed._id = array, part._id
        return self._replace("assign", changed)

    def _replace(self, operation: str, value: Tensor) -> Variable:
        self._check(operation, value)
        if self.constraint is not None:
            value = convert_to_tensor(self.constraint(value))
        note_event(operation, value._id, self._id)
        self._hold(value._array)
        return self

    def _check(self, operation: str, value: Tensor) -> None:
        shape, expected = value._array.shape, self._shape
        if expected is not None and not TensorShape(expected).is_compatible_with(shape):
            raise InvalidArgumentError(
                f"{operation} on {self.name}: the Variable has shape {expected}, the value has shape {shape}"
            )

    @property
    def shape(self) -> TensorShape:
        """The size of each axis."""
        return TensorShape(self._array.shape)

    def __deepcopy__(self, memo: Any) -> Variable:
        return Variable(self._array, trainable=self.trainable, name=self.name.removesuffix(":0"))

    def __repr__(self) -> str:
        return (
            f"<tf.Variable {self.name!r} shape={self._array.shape} dtype={self.dtype.name}, "
            f"numpy={_numpy_repr(self._array)}>"
        )


VARIABLE_CLASSES.add(Variable)


class IndexedSlices:
    """A gradient that is zero except in some rows: what the gradient of a lookup in a table looks like.

    Args:
        values: Tensor of shape ``(n, ...)``, the rows.
        indices: integer Tensor of shape ``(n,)``; a row named twice counts twice (the rows are summed).
        dense_shape: the shape of the whole.

    >>> s = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([0, 0]), (3, 1))
    >>> tf.convert_to_tensor(s).numpy().tolist()
    [[3.0], [0.0], [0.0]]
    """

    __slots__ = ("dense_shape", "indices", "values")

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self.values = convert_to_tensor(values)
        self.indices = convert_to_tensor(indices)
        self.dense_shape = None if dense_shape is None else TensorShape(np.asarray(dense_shape).tolist())

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self.values.dtype

    @property
    def shape(self) -> TensorShape | None:
        """The shape of the whole."""
        return self.dense_shape

    def dense(self) -> Tensor:
        """The whole as a Tensor, rows named twice summed."""
        from wengert.primitives.index import scatter_rows

        if self.dense_shape is None:
            raise InvalidArgumentError("these IndexedSlices have no dense_shape; give it when making them")
        return cast("Tensor", scatter_rows(self.values, self.indices, rows=self.dense_shape[0]))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self.dense().__array__(dtype, copy)

    def numpy(self) -> Any:
        """The whole as a NumPy array, rows named twice summed."""
        return self.dense().numpy()

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)

    def __repr__(self) -> str:
        return f"IndexedSlices(values={self.values!r}, indices={self.indices!r}, dense_shape={self.dense_shape})"


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Tensor:
    """A Tensor with the given elements.

    Args:
        value: a number, array, (nested) list of these, or tensor.
        dtype: of the result. By default Python's floats give float32 and ints int32; arrays keep theirs.
        shape: of the result; a single element fills it.

    Raises:
        DTypeError: the value is not numeric, or does not fit the dtype.
        InvalidArgumentError: ragged lists, or a shape that does not fit.

    >>> tf.constant([1, 2, 3], dtype=tf.float64).dtype
    tf.float64
    >>> tf.constant(0.5, shape=(2, 2)).numpy().tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    if isinstance(value, TensorLike):
        value = value._array
    tensor = convert_to_tensor(value, dtype=dtype)
    if shape is not None:
        array, shape = tensor._array, tuple(shape)
        if array.size == 1:
            tensor._array = np.full(shape, array.reshape(()), array.dtype)
        elif array.size == int(np.prod(shape)):
            tensor._array = array.reshape(shape)
        else:
            raise InvalidArgumentError(f"constant: {array.size} elements do not fill shape {shape}")
    note_origin(tensor._id, None, ())
    return tensor


def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Tensor:
    """``value`` as a Tensor; tensors in (nested) lists are stacked, differentiably.

    Args:
        value: Tensor, Variable, IndexedSlices, number, array, or (nested) list of these.
        dtype: that the result must have.
        dtype_hint: that the result has if the value allows it.

    Raises:
        DTypeError: the value is not numeric, or cannot have the dtype without loss.
        InvalidArgumentError: the lists are ragged.

    >>> a = tf.constant(1.0)
    >>> tf.convert_to_tensor([a, 2 * a]).numpy()
    array([1., 2.], dtype=float32)
    """
    wanted = None if dtype is None else as_numpy_dtype(dtype)
    if isinstance(value, Variable):
        value = value.read_value()
    elif isinstance(value, IndexedSlices):
        value = value.dense()
    if isinstance(value, Tensor):
        if wanted is not None and value._array.dtype != wanted:
            raise DTypeError(
                f"the tensor has dtype {value._array.dtype}, but {wanted} was asked for: use tf.cast(x, tf.{wanted})"
            )
        return value
    if isinstance(value, (list, tuple)) and _contains_tensor(value):
        return _stacked(value, wanted)
    if wanted is None and dtype_hint is not None:
        try:
            return Tensor(as_array(value, as_numpy_dtype(dtype_hint)))
        except DTypeError:
            pass
    return Tensor(as_array(value, wanted))


def as_operand(value: Any) -> Any:
    """``value`` as something that a primitive takes: a tensor or Variable as it is, anything else converted."""
    return value if value.__class__ in TENSOR_CLASSES else convert_to_tensor(value)


def as_array(value: Any, dtype: np.dtype[Any] | None = None) -> Any:
    """``value``, which holds no tensor, as a NumPy array that nobody else can change.

    Python's floats become float32 and ints int32 unless a dtype is asked for; NumPy's own keep their dtype.
    """
    numpy_born = isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__array__")
    try:
        array = np.array(value)
    except (ValueError, TypeError) as error:
        raise InvalidArgumentError(
            f"cannot convert {_brief(value)} to a tensor: {error}. Nested lists must have equal lengths."
        ) from error
    if array.dtype not in DTYPES:
        if array.dtype.newbyteorder("=") in DTYPES:
            array = array.astype(array.dtype.newbyteorder("="))
        else:
            raise DTypeError(
                f"cannot convert {_brief(value)} to a tensor: its elements have type {array.dtype}, "
                "and tensors hold numbers only"
            )
    if dtype is None:
        dtype = array.dtype if numpy_born or _holds_numpy(value) else _default_dtype(array)
    if dtype is not array.dtype:
        array = _converted(array, dtype, value, numpy_born)
    return (
        array if array.ndim else array[()]
    )  # arithmetic on NumPy's scalars is several times faster than on 0-d arrays


def _converted(array: np.ndarray[Any, Any], dtype: np.dtype[Any], value: Any, numpy_born: bool) -> np.ndarray[Any, Any]:
    order = "biufc"
    kind, wanted = _kind(array.dtype), _kind(dtype)
    if array.size and order.index(kind) > order.index(wanted) and {kind, wanted} != {"i", "u"}:
        raise DTypeError(
            f"cannot convert {_brief(value)} to dtype {dtype}: {array.dtype} values would lose information. "
            "Use tf.cast to convert on purpose."
        )
    if kind == "b" and wanted != "b" and not numpy_born:
        raise DTypeError(f"cannot convert {_brief(value)} to dtype {dtype}: boolean values; use tf.cast")
    if wanted in "iu" and array.size and kind != "b":
        limits = np.iinfo(dtype)
        if array.min() < limits.min or array.max() > limits.max:
            raise DTypeError(f"cannot convert {_brief(value)} to dtype {dtype}: out of its range")
    return array.astype(dtype)


def _kind(dtype: np.dtype[Any]) -> str:
    return "f" if dtype.kind == "V" else dtype.kind


def _default_dtype(array: np.ndarray[Any, Any]) -> np.dtype[Any]:
    if array.dtype.kind == "f":
        return np.dtype(np.float32)
    if array.dtype.kind in "iu" and array.size:
        limits = np.iinfo(np.int32)
        fits = limits.min <= array.min() and array.max() <= limits.max
        return np.dtype(np.int32) if fits else array.dtype
    return np.dtype(np.float32) if not array.size else array.dtype


def _holds_numpy(value: Any) -> bool:
    """Whether the first leaf of nested lists is NumPy's, whose dtype then counts."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return isinstance(value, (np.ndarray, np.generic))


def _contains_tensor(value: Any) -> bool:
    return any(
        isinstance(v, (TensorLike, IndexedSlices)) or (isinstance(v, (list, tuple)) and _contains_tensor(v))
        for v in value
    )


def _stacked(value: Sequence[Any], dtype: np.dtype[Any] | None) -> Tensor:
    from wengert.primitives.join import stack

    if dtype is None:
        dtype = next(t for t in _leaves(value) if isinstance(t, (TensorLike, IndexedSlices))).dtype.dtype
    return cast(Tensor, stack([convert_to_tensor(v, dtype=dtype) for v in value], axis=0))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        yield from itertools.chain.from_iterable(map(_leaves, value))
    else:
        yield value


def _like(value: Any, dtype: np.dtype[Any]) -> Tensor:
    """``value`` as a Tensor of exactly this dtype, off every tape."""
    if isinstance(value, Variable):
        return value._snapshot
    return convert_to_tensor(value, dtype=dtype)


def plain_key(key: Any) -> Any:
    """An indexing key with the tensors in it replaced by their arrays."""
    if isinstance(key, tuple):
        return tuple(map(plain_key, key))
    if isinstance(key, slice):
        return slice(*map(plain_key, (key.start, key.stop, key.step)))
    return key._array if isinstance(key, TensorLike) else key


def is_tensor(x: Any) -> bool:
    """Whether ``x`` is a Tensor, a Variable or IndexedSlices.

    >>> tf.is_tensor(tf.constant(1)), tf.is_tensor(1)
    (True, False)
    """
    return isinstance(x, (TensorLike, IndexedSlices))


def _numpy_repr(array: Any) -> str:
    return repr(array) if array.ndim else str(array)


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
