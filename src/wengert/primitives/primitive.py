"""What a primitive is: a forward function over an array namespace, and the rules of its derivatives.

A primitive is written like this, whole, in one place::

    @primitive(elementwise=True)
    def tanh(xp, x):
        \"\"\"Hyperbolic tangent.\"\"\"
        return xp.tanh(x)

    tanh.vjp(lambda xp, g, out: g * (1 - out * out))

The forward function's positional parameters after ``xp`` are the tensor inputs, its keyword-only parameters are static.
A rule asks for what it needs by naming it, and only what some rule names is kept alive by a tape:

    ==================  =============================================================================
    name                value
    ==================  =============================================================================
    an input's name     that input (for ``*xs``: the tuple of them)
    ``out``             the output (a tuple, if the primitive has several)
    ``x_shape``         the shape of the input ``x`` (for ``*xs``: a tuple of shapes); ``out_shape``
    ``x_dtype``         its dtype; ``out_dtype``
    ``position``        for ``*xs``: which of them the cotangent is for
    a parameter's name  that static parameter
    ==================  =============================================================================

``vjp`` rules get the cotangent ``g`` of the output (a tuple, if there are several) and return the cotangent of one
input; ``jvp`` rules get the tangent ``t`` of one input and return its share in the tangent of the output. Two marks
save writing: ``elementwise`` (a rule may leave broadcasting to the engine; the jvp is the vjp, the Jacobian being
diagonal) and ``linear`` (the jvp is the forward function itself). A jvp that nobody wrote is the transpose of the vjp.

Complex numbers: rules are written for the bilinear pairing ``sum(a * b)``, so a holomorphic function's rule has no
conjugates in it. The tape conjugates once on the way in and once on the way out, which gives TensorFlow's convention.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np

from wengert.arrays.dtypes import DTYPES, as_numpy_dtype
from wengert.arrays.namespace import numpy_namespace
from wengert.arrays.shapes import Spec, broadcast_shapes
from wengert.errors import DTypeError, IndexOutOfRangeError, InvalidArgumentError, NumericsError, OpError
from wengert.lineage import MASK, RING, is_library_file, tick
from wengert.recording import state
from wengert.tensor import TENSOR_CLASSES, IndexedSlices, Tensor, TensorLike, as_array, as_operand, convert_to_tensor

__all__ = ["PRIMITIVES", "Plan", "Primitive", "Rule", "primitive", "tensor_namespace"]

#: every primitive by name
PRIMITIVES: Final[dict[str, Primitive]] = {}
#: the namespace whose functions take Tensors and record: rules run on it when derivatives of derivatives are wanted
tensor_namespace: Final[Any] = SimpleNamespace()

_SHAPE, _DTYPE = "shape", "dtype"
#: dtypes in which results are stored, but not computed: the forward functions see float32
_HALF = np.dtype(np.float16)
_BRAIN = as_numpy_dtype("bfloat16")
_new = Tensor.__new__
#: an error of NumPy's -> the error that the user sees
_TRANSLATIONS: Final[dict[type[Exception], type[OpError]]] = {
    TypeError: DTypeError,
    IndexError: IndexOutOfRangeError,
    FloatingPointError: NumericsError,
    Exception: InvalidArgumentError,
}


class Rule(NamedTuple):
    """A derivative rule, with where to find each thing that its parameters name."""

    function: Callable[..., Any]
    #: indices (or, for variadic inputs and several outputs, slices) into inputs + outputs, for the positional values
    places: tuple[int | slice, ...]
    #: (keyword, index or slice into inputs + outputs, 0 for the shape or 1 for the dtype)
    metadata: tuple[tuple[str, int | slice, int], ...]
    params: tuple[str, ...]
    wants_position: bool

    def resolved(self, inputs: int) -> Rule:
        """The same rule for that number of inputs: variadic inputs end, and outputs begin, there."""

        def resolve(place: int | slice) -> int | slice:
            if isinstance(place, slice):
                return slice(inputs, None) if place.start is None else slice(place.start, inputs)
            return inputs if place == -1 else place

        return self._replace(
            places=tuple(map(resolve, self.places)),
            metadata=tuple((name, resolve(place), which) for name, place, which in self.metadata),
        )

    def applied_to(self, kept: Sequence[int], count: int, position: int, on_arrays: bool) -> Callable[..., Any]:
        """The rule as ``apply(xp, g, saved, metadata, params)``, for the resolved rule.

        Args:
            kept: which of the ``count`` inputs and outputs are in ``saved``.
            count: the number of inputs and outputs.
            position: of the input among the variadic ones.
            on_arrays: pass the arrays in the saved tensors, rather than the tensors.
        """
        function = self.function
        places = [
            kept.index(p) if isinstance(p, int) else [kept.index(k) for k in range(count)[p]] for p in self.places
        ]
        if not (self.metadata or self.params or self.wants_position) and all(isinstance(p, int) for p in places):
            direct = _direct(function, places, on_arrays)  # type: ignore[arg-type]
            if direct is not None:
                return direct

        def apply(xp: Any, g: Any, saved: tuple[Any, ...], metadata: Any, params: dict[str, Any]) -> Any:
            values = [s._array for s in saved] if on_arrays else saved
            arguments = [values[p] if isinstance(p, int) else tuple([values[k] for k in p]) for p in places]
            keywords = {name: params[name] for name in self.params}
            for name, place, which in self.metadata:
                found = metadata[place]
                keywords[name] = tuple([pair[which] for pair in found]) if isinstance(place, slice) else found[which]
            if self.wants_position:
                keywords["position"] = position
            return function(xp, g, *arguments, **keywords)

        return apply


def _direct(function: Callable[..., Any], places: list[int], on_arrays: bool) -> Callable[..., Any] | None:
    """The rule without the generality, for up to two values and nothing else: the backward pass's hot path."""
    if not places:
        return lambda xp, g, saved, metadata, params: function(xp, g)
    if len(places) == 1:
        (p,) = places
        if on_arrays:
            return lambda xp, g, saved, metadata, params: function(xp, g, saved[p]._array)
        return lambda xp, g, saved, metadata, params: function(xp, g, saved[p])
    if len(places) == 2:
        p, q = places
        if on_arrays:
            return lambda xp, g, saved, metadata, params: function(xp, g, saved[p]._array, saved[q]._array)
        return lambda xp, g, saved, metadata, params: function(xp, g, saved[p], saved[q])
    return None


class Step(NamedTuple):
    """How to pull back to one input of an operation (to all of them, where a plan is joint)."""

    position: int
    on_arrays: Callable[..., Any]
    on_tensors: Callable[..., Any]


class Plan:
    """How to pull back through an operation when some of its inputs are watched."""

    __slots__ = ("elementwise", "joint", "kept", "needs_metadata", "rule", "selects", "sparse", "steps")

    def __init__(
        self,
        rule: Any,
        steps: tuple[Step, ...],
        *,
        kept: tuple[int, ...] = (),
        joint: bool = False,
        sparse: Step | None = None,
        elementwise: bool = False,
        needs_metadata: bool = False,
        selects: bool = False,
    ) -> None:
        #: the primitive or custom gradient
        self.rule = rule
        self.steps = steps
        #: which inputs and outputs a tape keeps
        self.kept = kept
        #: the first step's result is the tuple of the cotangents of all inputs
        self.joint = joint
        #: gives the first input's cotangent as rows
        self.sparse = sparse
        #: element-wise with several inputs, so that broadcasting may have to be undone
        self.elementwise = elementwise
        self.needs_metadata = needs_metadata
        self.selects = selects


class Primitive:
    """An operation with its derivatives; called with tensors, it runs and records itself. Made by :func:`primitive`."""

    def __init__(
        self,
        forward: Callable[..., Any],
        *,
        elementwise: bool = False,
        linear: Iterable[str] = (),
        differentiable: bool = True,
        outputs: int = 1,
        same_dtype: Iterable[str] | None = None,
        result_dtype: Any = None,
        eager: Callable[..., Any] | None = None,
        title: str | None = None,
        selects: bool = False,
        moves: bool = False,
    ) -> None:
        self.name = forward.__name__.strip("_")
        self.title = title or self.name
        self.forward = forward
        self.elementwise = elementwise
        self.linear = tuple(linear)
        self.differentiable = differentiable
        self.selects = selects
        self.moves = moves
        self.outputs = outputs
        self.result_dtype = None if result_dtype is None else np.dtype(result_dtype)
        positional, self.variadic, self.params = _parameters(forward)
        self.inputs = positional[1:]
        names = self.inputs + ((self.variadic,) if self.variadic else ())
        self.same_dtype = tuple(names if elementwise and same_dtype is None else same_dtype or ())
        self._vjp: dict[str, Rule | None] = {}
        self._jvp: dict[str, Rule | None] = {}
        self._joint_vjp: Rule | None = None
        self._sparse_vjp: Rule | None = None
        self._spec: Callable[..., Any] | None = None
        self._plans: dict[tuple[int, int, int], Plan] = {}
        self.eager = eager or self._eager_function()
        self.__name__ = self.__qualname__ = forward.__name__
        self.__doc__ = forward.__doc__
        self.__module__ = forward.__module__
        self.__wrapped__ = forward
        self.function = _call_function(self)
        if PRIMITIVES.setdefault(self.name, self) is not self:
            raise ValueError(f"two primitives are called {self.name}")
        if not hasattr(numpy_namespace, self.name):
            setattr(numpy_namespace, self.name, self.eager)
        setattr(tensor_namespace, self.name, self.function)

    def __call__(self, *inputs: Any, **params: Any) -> Any:
        return self.function(*inputs, **params)

    def __repr__(self) -> str:
        return f"<primitive {self.name}>"

    # --- rules -------------------------------------------------------------------------------------------------------

    def vjp(self, *rules: Callable[..., Any] | None) -> Callable[..., Any] | None:
        """Give the pull-back rules, one for each input in order; None where an input has no derivative.

        With variadic inputs the last rule serves each of them. Usable as a decorator for a single rule.
        """
        self._store(self._vjp, rules)
        return rules[0]

    def jvp(self, *rules: Callable[..., Any] | None) -> Callable[..., Any] | None:
        """Give the push-forward rules, one for each input in order."""
        self._store(self._jvp, rules)
        return rules[0]

    def vjp_of(self, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator: the pull-back rule of the input called ``name``."""
        return self._one(self._vjp, name)

    def jvp_of(self, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator: the push-forward rule of the input called ``name``."""
        return self._one(self._jvp, name)

    def vjp_joint(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: one rule that returns the cotangents of all inputs as a tuple (None where there is none)."""
        self._joint_vjp = self._rule(function)
        return function

    def sparse_vjp(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: the cotangent of the first input as ``(values, indices)`` of its rows, or None if it is not
        sparse.

        The rule may name what the ordinary rule of the first input names.
        """
        self._sparse_vjp = self._rule(function)
        return function

    def spec(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: the shape rule, from the inputs' :class:`Spec` and the parameters to the output's."""
        self._spec = function
        return function

    @property
    def has_derivative(self) -> bool:
        """Whether some input has a pull-back rule."""
        return self._joint_vjp is not None or any(rule is not None for rule in self._vjp.values())

    def vjp_rule(self, position: int) -> Rule | None:
        """The pull-back rule of the input at ``position``."""
        return self._joint_vjp or self._vjp.get(self._input_name(position))

    def jvp_rule(self, position: int) -> Rule | None:
        """The push-forward rule that was written for the input at ``position``."""
        return self._jvp.get(self._input_name(position))

    def is_linear_in(self, position: int) -> bool:
        """Whether the primitive is marked linear in the input at ``position``."""
        return self._input_name(position) in self.linear

    def infer(self, *specs: Spec, **params: Any) -> Any:
        """Shape and dtype of the output (a tuple, if there are several) from those of the inputs.

        Raises:
            InvalidArgumentError: the primitive's output shape depends on the values of its inputs.
        """
        if self._spec is not None:
            return self._spec(*specs, **params)
        if self.elementwise:
            same = [s for k, s in enumerate(specs) if self._input_name(k) in self.same_dtype]
            dtype = self.result_dtype or (same or list(specs))[0].dtype
            return Spec(broadcast_shapes(*(s.shape for s in specs)), dtype)
        raise InvalidArgumentError(f"the shape of the result of {self.title} depends on the values of its operands")

    def plan(self, mask: int, inputs: int, outputs: int) -> Plan:
        """How to pull back when the inputs whose bits are set in ``mask`` are watched."""
        key = (mask, inputs, outputs)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._make_plan(mask, inputs, outputs)
        return plan

    def _make_plan(self, mask: int, inputs: int, outputs: int) -> Plan:
        rules = [(k, self.vjp_rule(k)) for k in range(inputs) if mask >> k & 1]
        present = [(k, rule.resolved(inputs)) for k, rule in rules if rule is not None]
        count = inputs + outputs
        kept = tuple(sorted({k for _, rule in present for p in rule.places for k in _indices(p, count)}))

        def step(k: int, rule: Rule) -> Step:
            position = k - len(self.inputs)
            return Step(k, *(rule.applied_to(kept, count, position, on_arrays) for on_arrays in (True, False)))

        sparse = self._sparse_vjp
        return Plan(
            self,
            tuple(step(k, rule) for k, rule in present),
            kept=kept,
            joint=self._joint_vjp is not None,
            sparse=None if sparse is None or not mask & 1 else step(0, sparse.resolved(inputs)),
            elementwise=self.elementwise and inputs > 1,
            needs_metadata=outputs > 1 or any(rule.metadata for _, rule in present),
            selects=self.selects,
        )

    def _input_name(self, position: int) -> str:
        if position < len(self.inputs):
            return self.inputs[position]
        assert self.variadic is not None
        return self.variadic

    def _one(self, table: dict[str, Rule | None], name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        if name not in (*self.inputs, self.variadic):
            raise ValueError(f"{self.name} has no input {name}")

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            table[name] = self._rule(function)
            return function

        return decorate

    def _store(self, table: dict[str, Rule | None], rules: tuple[Callable[..., Any] | None, ...]) -> None:
        names = (*self.inputs, *((self.variadic,) if self.variadic else ()))
        if len(rules) != len(names):
            raise ValueError(f"{self.name} has inputs {names}, but {len(rules)} rules were given")
        for name, rule in zip(names, rules):
            table[name] = None if rule is None else self._rule(rule)

    def _rule(self, function: Callable[..., Any]) -> Rule:
        names = _parameters(function)[0][2:]
        places: list[int | slice] = []
        metadata: list[tuple[str, int | slice, int]] = []
        params: list[str] = []
        wants_position = False
        for name in names:
            base, _, kind = name.rpartition("_")
            if self._place_of(name) is not None:
                if metadata or params or wants_position:
                    raise ValueError(f"{self.name}: a rule names values before shapes and parameters ({names})")
                places.append(self._place_of(name))  # type: ignore[arg-type]
            elif name in self.params:
                params.append(name)
            elif name == "position":
                wants_position = True
            elif kind in (_SHAPE, _DTYPE) and self._place_of(base) is not None:
                metadata.append((name, self._place_of(base), int(kind == _DTYPE)))  # type: ignore[arg-type]
            else:
                raise ValueError(f"{self.name}: a rule names {name!r}, which is no input, output or parameter")
        return Rule(function, tuple(places), tuple(metadata), tuple(params), wants_position)

    def _place_of(self, name: str) -> int | slice | None:
        if name == "out":
            return -1 if self.outputs == 1 else slice(None)
        if name == self.variadic:
            return slice(len(self.inputs), None)
        return self.inputs.index(name) if name in self.inputs else None

    # --- running -----------------------------------------------------------------------------------------------------

    def _eager_function(self) -> Callable[..., Any]:
        same_name = getattr(np, self.name, None)
        if self.elementwise and isinstance(same_name, np.ufunc) and not self.params:
            return same_name
        forward = self.forward

        def eager(*arrays: Any, **params: Any) -> Any:
            return forward(numpy_namespace, *arrays, **params)

        return eager

    def align(self, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """The inputs as tensors, those that must share a dtype promoted to one."""
        aligned = list(inputs)
        together = [k for k in range(len(inputs)) if self._input_name(k) in self.same_dtype]
        if together:
            for k, x in zip(together, self._promoted([inputs[k] for k in together])):
                aligned[k] = x
        return tuple(as_operand(x) for x in aligned)

    def _promoted(self, values: list[Any]) -> list[Any]:
        reference = next((v for v in values if isinstance(v, TensorLike)), None)
        if reference is None:
            reference = next((convert_to_tensor(v) for v in values if _is_array_like(v)), None)
        dtype = _widest_python(values) if reference is None else reference._array.dtype
        try:
            tensors = [self._adopt(v, dtype) for v in values]
        except DTypeError as error:
            raise DTypeError(f"{self.title}: {error.message}") from None
        dtypes = [t._array.dtype for t in tensors]
        if all(d is dtypes[0] or d == dtypes[0] for d in dtypes):
            return tensors
        kinds = {_category(d) for d in dtypes}
        if len(kinds) > 1 and kinds != {"floating", "complex"}:
            raise DTypeError(
                f"{self.title}: {describe(tensors)}. Tensors of {' and '.join(sorted(kinds))} type are not mixed "
                "implicitly; convert one with tf.cast."
            )
        common = np.result_type(*dtypes)
        return [
            t
            if t._array.dtype == common
            else PRIMITIVES["cast" if common.kind in "fcV" else "cast_discrete"](t, dtype=common)
            for t in tensors
        ]

    def _adopt(self, value: Any, dtype: np.dtype[Any]) -> Any:
        """A Python number or list takes the dtype of the other operand; a NumPy array promotes as in NumPy."""
        if isinstance(value, TensorLike):
            return value
        if isinstance(value, (bool, int, float)) and dtype.kind in "fc":
            tensor = _new(Tensor)
            tensor._array, tensor._id = dtype.type(value), 0
            return tensor
        if isinstance(value, complex):
            return Tensor(np.asarray(value, np.result_type(dtype, np.complex64)))
        if isinstance(value, (np.ndarray, np.generic)):
            array = as_array(value)
            mixed = _category(array.dtype) != _category(dtype)
            return Tensor(array.astype(np.result_type(array.dtype, dtype)) if mixed else array)
        return convert_to_tensor(value, dtype=dtype)

    def failure(self, inputs: Iterable[Any], params: dict[str, Any], error: Exception) -> Exception:
        """The error that the user sees: the operation, its operands, and what NumPy said."""
        if isinstance(error, OpError):
            kind: type[OpError] = type(error)
            text = error.message
            if text.startswith(f"{self.title}:"):
                return error
        else:
            kind = next(ours for numpys, ours in _TRANSLATIONS.items() if isinstance(error, numpys))
            text = str(error)
        settings = ", ".join(f"{k}={v!r}" for k, v in params.items())
        return kind(f"{self.title}: {text}. Operands: {describe(inputs)}{'; ' + settings if settings else ''}.")


def primitive(**marks: Any) -> Callable[[Callable[..., Any]], Primitive]:
    """Decorator: the forward function below is a primitive. See :class:`Primitive` for the marks.

    Args:
        elementwise: each element of the output depends on the elements of the inputs at the same (broadcast) place.
        linear: names of the inputs in which the primitive is linear, one at a time (variadic ones: all together).
        differentiable: False for operations with integer or boolean results, which no tape records.
        outputs: the number of outputs; 0 if it depends on the parameters.
        same_dtype: names of inputs that are promoted to one dtype (all, if elementwise).
        result_dtype: the dtype of the result of an element-wise primitive, if it is not that of the inputs.
        eager: a function of arrays that computes what forward does on NumPy, but sooner. NumPy's ufunc of the same name
            is found without being named.
        moves: elements are only copied or moved, so that 16-bit floats need no detour through float32.
        selects: the output is, element by element, one of the inputs; the others get no cotangent there, whatever their
            derivatives are.
        title: what messages call it, if that is not its name.
    """

    def decorate(forward: Callable[..., Any]) -> Primitive:
        return Primitive(forward, **marks)

    return decorate


def emit(
    primitive: Primitive, inputs: tuple[Any, ...], ids: tuple[int, ...], result: Any, params: dict[str, Any]
) -> Any:
    """Wrap the result (or tuple of results), remember where it came from, and tell the tapes."""
    frame = sys._getframe(2)
    while is_library_file[frame.f_code.co_filename] and frame.f_back is not None:
        frame = frame.f_back
    if primitive.outputs == 1:
        out = _new(Tensor)
        out._array = result
        out._id = identity = tick()
        RING[identity & MASK] = (identity, primitive, ids, frame.f_code, frame.f_lasti)
        recorders = state.recorders
        if recorders:
            outputs: tuple[Any, ...] = (out,)
            for recorder in recorders:
                recorder.record(primitive, inputs, ids, outputs, params)
        return out
    outputs = tuple(map(Tensor, result))
    for out in outputs:
        RING[out._id & MASK] = (out._id, primitive, ids, frame.f_code, frame.f_lasti)
    for recorder in state.recorders:
        recorder.record(primitive, inputs, ids, outputs, params)
    return outputs


def _call_function(primitive: Primitive) -> Callable[..., Any]:
    """The function that runs a primitive: specialised by arity, for this is the hot path."""
    eager, align = primitive.eager, primitive.align
    no_params: dict[str, Any] = {}
    #: dtypes that take the detour through float32
    brain, half = (None, None) if primitive.moves else (_BRAIN, _HALF)
    fixed = len(primitive.inputs)
    together = frozenset(k for k, name in enumerate(primitive.inputs) if name in primitive.same_dtype)
    variadic_together = primitive.variadic in primitive.same_dtype

    def unary(x: Any, name: str | None = None) -> Any:
        if x.__class__ not in TENSOR_CLASSES:
            x = convert_to_tensor(x)
        a = x._array
        try:
            result = eager(a) if a.dtype is not brain and a.dtype is not half else in_float32(eager, (a,), no_params)
        except Exception as error:
            raise primitive.failure((x,), no_params, error) from error
        return emit(primitive, (x,), (x._id,), result, no_params)

    def binary(x: Any, y: Any, name: str | None = None) -> Any:
        if (
            x.__class__ not in TENSOR_CLASSES
            or y.__class__ not in TENSOR_CLASSES
            or x._array.dtype is not y._array.dtype
        ):
            x, y = align((x, y))
        a, b = x._array, y._array
        try:
            if a.dtype is not brain and a.dtype is not half:
                result = eager(a, b)
            else:
                result = in_float32(eager, (a, b), no_params)
        except Exception as error:
            raise primitive.failure((x, y), no_params, error) from error
        return emit(primitive, (x, y), (x._id, y._id), result, no_params)

    def unary_with_params(x: Any, **params: Any) -> Any:
        if x.__class__ not in TENSOR_CLASSES:
            x = convert_to_tensor(x)
        a = x._array
        try:
            if a.dtype is not brain and a.dtype is not half:
                result = eager(a, **params)
            else:
                result = in_float32(eager, (a,), params)
        except Exception as error:
            raise primitive.failure((x,), params, error) from error
        return emit(primitive, (x,), (x._id,), result, params)

    def general(*inputs: Any, **params: Any) -> Any:
        dtype = None
        for k, x in enumerate(inputs):
            if x.__class__ not in TENSOR_CLASSES:
                break
            if k in together or (k >= fixed and variadic_together):
                if dtype is not None and x._array.dtype is not dtype:
                    break
                dtype = x._array.dtype
        else:
            return run(inputs, params)
        return run(align(inputs), params)

    def run(inputs: tuple[Any, ...], params: dict[str, Any]) -> Any:
        arrays = [x._array for x in inputs]
        try:
            if any(a.dtype is brain or a.dtype is half for a in arrays):
                result = in_float32(eager, arrays, params)
            else:
                result = eager(*arrays, **params)
        except Exception as error:
            raise primitive.failure(inputs, params, error) from error
        return emit(primitive, inputs, tuple([x._id for x in inputs]), result, params)

    arity = 0 if primitive.variadic else len(primitive.inputs)
    if arity == 1:
        call: Callable[..., Any] = unary_with_params if primitive.params else unary
    elif arity == 2 and len(primitive.same_dtype) == 2 and not primitive.params:
        call = binary
    else:
        call = general
    call.__name__ = call.__qualname__ = primitive.name
    call.__doc__ = primitive.__doc__
    call.__module__ = primitive.__module__
    return call


def in_float32(function: Callable[..., Any], arrays: Sequence[Any], params: dict[str, Any]) -> Any:
    """``function`` computed in float32 on arrays of 16-bit floats, and rounded back."""
    narrow = next(a.dtype for a in arrays if a.dtype is _BRAIN or a.dtype is _HALF)
    wide = [a.astype(np.float32) if a.dtype is _BRAIN or a.dtype is _HALF else a for a in arrays]
    keeps_float32 = params.get("dtype") == np.float32

    def rounded(result: Any) -> Any:
        return result.astype(narrow) if result.dtype == np.float32 and not keeps_float32 else result

    results = function(*wide, **params)
    return tuple(map(rounded, results)) if isinstance(results, (tuple, list)) else rounded(results)


def _parameters(function: Any) -> tuple[tuple[str, ...], str | None, tuple[str, ...]]:
    """Positional parameters, the variadic one, keyword-only ones: what ``inspect.signature`` tells, but sooner."""
    code = function.__code__
    positional, keyword = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames
    variadic = names[keyword] if code.co_flags & inspect.CO_VARARGS else None
    return names[:positional], variadic, names[positional:keyword]


def describe(tensors: Iterable[Any]) -> str:
    """The operands as text: dtype and shape of each."""
    return ", ".join(f"{t._array.dtype}{list(t._array.shape)}" for t in tensors) or "none"


def _indices(place: int | slice, count: int) -> Iterable[int]:
    return range(count)[place] if isinstance(place, slice) else (place,)


def _is_array_like(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic, IndexedSlices)) or (
        isinstance(value, (list, tuple)) and any(map(_is_leaf_array, value))
    )


def _is_leaf_array(value: Any) -> bool:
    return isinstance(value, TensorLike) or _is_array_like(value)


def _widest_python(values: list[Any]) -> np.dtype[Any]:
    return np.result_type(*(as_array(v).dtype for v in values)) if len(values) > 1 else as_array(values[0]).dtype


def _category(dtype: np.dtype[Any]) -> str:
    if DTYPES[dtype].is_floating:
        return "floating"
    return {"c": "complex", "b": "boolean"}.get(dtype.kind, "integer")
