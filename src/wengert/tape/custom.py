"""Gradients that the user writes: custom_gradient, recompute_grad, and functions that leave the tape on purpose."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from wengert import nest
from wengert.errors import FailedPreconditionError, InvalidArgumentError
from wengert.lineage import note_event, note_origin
from wengert.primitives.primitive import Plan, Step, tensor_namespace
from wengert.primitives.random import random_state, replayed
from wengert.recording import recorders_are, state
from wengert.tape.gradient_tape import GradientTape, conjugate
from wengert.tensor import VARIABLE_CLASSES, IndexedSlices, Tensor, TensorLike, Variable, convert_to_tensor

__all__ = ["custom_gradient", "grad_pass_through", "numpy_function", "py_function", "recompute_grad"]


class GradientContractError(InvalidArgumentError, TypeError):
    """A custom gradient function does not return what its function's arguments need."""


class _VariableWatcher:
    """A recorder that only notes which trainable Variables are used."""

    def __init__(self) -> None:
        self._found: dict[int, Variable] = {}

    def record(
        self, rule: Any, inputs: tuple[Any, ...], ids: tuple[int, ...], outputs: tuple[Any, ...], params: dict[str, Any]
    ) -> None:
        """Note the Variables among the inputs."""
        for x in inputs:
            if x.__class__ in VARIABLE_CLASSES and x.trainable:
                self._found.setdefault(x._id, x)

    def besides(self, inputs: Sequence[Any]) -> list[Variable]:
        """The Variables that were used, without those among ``inputs``."""
        known = {x._id for x in inputs}
        return [v for i, v in self._found.items() if i not in known]


class _CustomRule:
    """What a tape records for one call of a function with a custom gradient: all inputs share one pull-back."""

    differentiable = True
    has_derivative = True
    elementwise = False

    def __init__(self, name: str, pull: Callable[[tuple[Tensor, ...]], Sequence[Any]]) -> None:
        self.title = name
        self._pull = pull

    def plan(self, mask: int, inputs: int, outputs: int) -> Plan:
        """The pull-back, which is the user's function whichever inputs are watched."""
        steps = tuple(
            Step(k, functools.partial(self._apply, True), functools.partial(self._apply, False))
            for k in range(inputs)
            if mask >> k & 1
        )
        return Plan(self, steps, joint=True, needs_metadata=True)

    def _apply(self, on_arrays: bool, xp: Any, g: Any, saved: Any, metadata: Any, params: dict[str, Any]) -> list[Any]:
        """Call the user's function with Tensors, in TensorFlow's convention for complex gradients."""
        cotangents = g if isinstance(g, tuple) else (g,)
        if on_arrays:
            cotangents = tuple(None if c is None else Tensor(c) for c in cotangents)
        results = [conjugate(r) for r in self._pull(tuple(map(conjugate, cotangents)))]
        return [None if r is None else r._array for r in results] if on_arrays else results


def custom_gradient(f: Any = None) -> Any:
    """Decorator: give a function a gradient of your own.

    ``f`` returns its result and a function ``grad(*upstream)`` that maps the gradients of the results to those of the
    arguments, one for each (a nested argument has a nested gradient; None means no gradient). Arguments may be passed
    by position, keyword or default alike. If ``f`` uses trainable Variables that are not arguments, ``grad`` must take
    ``variables=`` and return a pair: the gradients of the arguments, and those of the Variables (a list in the order of
    ``variables``, or a mapping from ``variable.ref()``).

    What ``grad`` computes is recorded like anything else, so derivatives of any order exist. Forward mode uses the same
    rule, transposed. Steps inside ``f`` are kept only where some outer tape may need them.

    Raises (when the gradient is asked):
        TypeError: Variables were used, but ``grad`` does not take ``variables=``.
        ValueError: the number or a shape of the gradients is wrong; names the argument.

    >>> @tf.custom_gradient
    ... def log1pexp(x):
    ...     e = tf.exp(x)
    ...     return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))
    >>> x = tf.constant(100.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = log1pexp(x)
    >>> float(tape.gradient(y, x))
    1.0
    """
    if f is None:
        return custom_gradient
    signature = _signature(f)

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        arguments = _Arguments(signature, args, kwargs)
        watcher = _VariableWatcher()
        with recorders_are((*_differentiating_again(), watcher)):
            returned = f(*args, **kwargs)
        if not isinstance(returned, (tuple, list)) or len(returned) != 2 or not callable(returned[1]):
            raise GradientContractError(
                f"{_name(f)}: a function with a custom gradient returns its result and a gradient function"
            )
        result, grad = returned
        variables = watcher.besides(arguments.tensors)
        _check_takes_variables(f, grad, variables)

        def pull(cotangents: tuple[Tensor, ...]) -> list[Any]:
            if not variables:
                return arguments.matched(_name(f), grad(*cotangents))
            of_arguments, of_variables = _pair(f, grad(*cotangents, variables=list(variables)))
            return [
                *arguments.matched(_name(f), of_arguments),
                *_gradients_of_variables(_name(f), variables, of_variables),
            ]

        return _recorded(_CustomRule(_name(f), pull), (*arguments.tensors, *variables), result)

    return decorated


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: trade time for memory, by running ``f`` again in the backward pass instead of keeping its steps.

    Random numbers that ``f`` draws are the same in both runs.

    Raises (when the gradient is asked):
        FailedPreconditionError: a Variable that ``f`` uses was assigned in between, so that the run would differ.

    Source: T. Chen et al., "Training deep nets with sublinear memory cost" (2016).

    >>> w = tf.Variable(2.0)
    >>> f = tf.recompute_grad(lambda x: tf.exp(w * x))
    >>> with tf.GradientTape() as tape:
    ...     y = f(tf.constant(0.0))
    >>> len(tape), float(tape.gradient(y, w))
    (1, 0.0)
    """
    signature = _signature(f)

    @functools.wraps(f)
    def recomputed(*args: Any, **kwargs: Any) -> Any:
        arguments = _Arguments(signature, args, kwargs)
        watcher = _VariableWatcher()
        randomness = random_state()
        with recorders_are((watcher,)):
            result = f(*args, **kwargs)
        variables = watcher.besides(arguments.tensors)
        values = [v._snapshot for v in variables]

        def pull(cotangents: tuple[Tensor, ...]) -> list[Any]:
            for v, before in zip(variables, values):
                if v._snapshot is not before:
                    raise FailedPreconditionError(
                        f"recompute_grad: {v.name} was assigned after {_name(f)} ran, so running it again would give "
                        "another gradient; compute the gradient before the assignment"
                    )
            sources = [*arguments.tensors, *variables]
            with GradientTape() as tape, replayed(randomness):
                tape.watch([s for s in sources if s.dtype.is_floating or s.dtype.is_complex])
                again = [convert_to_tensor(r) for r in nest.flatten(f(*args, **kwargs))]
            gradients = tape.gradient(again, sources, output_gradients=list(cotangents))
            # an argument that was passed twice has one total derivative, which must count once
            first = {s._id: k for k, s in reversed(list(enumerate(sources)))}
            return [
                None if first[s._id] != k else g.dense() if isinstance(g, IndexedSlices) else g
                for k, (s, g) in enumerate(zip(sources, gradients))
            ]

        return _recorded(_CustomRule(_name(f), pull), (*arguments.tensors, *variables), result)

    return recomputed


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function with the value of ``f``, through which the gradient passes as if it were the identity.

    >>> x, z = tf.Variable(1.0), tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.grad_pass_through(x.assign)(z ** 2)
    >>> float(tape.gradient(y, z)), float(x)
    (6.0, 9.0)
    """

    @functools.wraps(f)
    def value_of(*args: Any, **kwargs: Any) -> Any:
        def grad(*upstream: Any, variables: list[Variable] | None = None) -> Any:
            return (upstream, [None] * len(variables)) if variables else upstream

        return f(*args, **kwargs), grad

    return custom_gradient(value_of)  # type: ignore[no-any-return]


def numpy_function(
    func: Callable[..., Any], inp: Any, Tout: Any = None, stateful: bool = True, name: str | None = None
) -> Any:
    """Run a function of NumPy arrays; gradients do not pass through it.

    Args:
        func: takes an array for each tensor, returns one or several arrays.
        inp: list of tensors.
        Tout: the dtype, or list of dtypes, of what it returns.

    >>> tf.numpy_function(np.sort, [tf.constant([2.0, 1.0])], tf.float32).numpy().tolist()
    [1.0, 2.0]
    """
    tensors = [convert_to_tensor(x) for x in inp]
    for x in tensors:
        note_event("tf.numpy_function", x._id)
    return _typed(func(*[np.array(x._array) for x in tensors]), Tout)


def py_function(func: Callable[..., Any], inp: Any, Tout: Any = None, name: str | None = None) -> Any:
    """Run a Python function of tensors; what it computes is recorded as usual.

    >>> tf.py_function(lambda x: x + 1, [tf.constant(1.0)], tf.float32).numpy().tolist()
    2.0
    """
    return _typed(func(*[convert_to_tensor(x) for x in inp]), Tout)


def _typed(result: Any, dtypes: Any) -> Any:
    if isinstance(dtypes, (list, tuple)):
        parts = result if isinstance(result, (list, tuple)) else [result]
        return [convert_to_tensor(r, dtype=d) for r, d in zip(parts, dtypes, strict=True)]
    return None if result is None else convert_to_tensor(result, dtype=dtypes)


# --- arguments -------------------------------------------------------------------------------------------------------


class _Arguments:
    """The numeric arguments of one call, in the order of the signature, whichever way they were passed."""

    def __init__(self, signature: inspect.Signature | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._names: list[str] = []
        self.tensors: list[TensorLike] = []
        self._given: list[bool] = []
        self._born_tensor: list[bool] = []
        for name, value, given in _bound(signature, args, kwargs):
            for path, leaf in nest.flatten_with_paths(value):
                if not _is_numeric(leaf):
                    continue
                self._names.append(name + "".join(f"[{key!r}]" for key in path))
                self._born_tensor.append(isinstance(leaf, TensorLike))
                self.tensors.append(leaf if isinstance(leaf, TensorLike) else convert_to_tensor(leaf))
                self._given.append(given)

    def matched(self, function: str, gradients: Any) -> list[Any]:
        """The gradients that the user's function returned, one for each argument, checked.

        They may be given for all arguments, for those that were passed, or for the tensors among them.
        """
        flat = nest.flatten(list(gradients) if isinstance(gradients, (list, tuple)) else [gradients])
        everything = list(range(len(self.tensors)))
        passed = [k for k in everything if self._given[k]]
        tensors = [k for k in everything if self._born_tensor[k]]
        chosen = next((c for c in (everything, passed, tensors) if len(c) == len(flat)), None)
        if chosen is None:
            expected = ", ".join(self._names)
            raise GradientContractError(
                f"{function}: the gradient function must return {len(everything)} gradient"
                f"{'' if len(everything) == 1 else 's'} ({expected}), but returned {len(flat)}"
            )
        result: list[Any] = [None] * len(everything)
        for k, g in zip(chosen, flat):
            if self._born_tensor[k]:
                result[k] = _checked(function, f"argument {self._names[k]}", self.tensors[k], g)
        return result


def _checked(function: str, what: str, source: TensorLike, g: Any) -> Any:
    """A gradient as a dense Tensor with its source's shape and dtype."""
    if g is None:
        note_event(f"the custom gradient of {function} returned None", source._id)
        return None
    g = convert_to_tensor(g, dtype_hint=source.dtype)
    if g._array.shape != source._array.shape:
        raise GradientContractError(
            f"{function}: the gradient of {what} has shape {g._array.shape}, but the argument has shape "
            f"{source._array.shape}"
        )
    return tensor_namespace.cast(g, dtype=source._array.dtype) if g._array.dtype != source._array.dtype else g


def _gradients_of_variables(function: str, variables: list[Variable], gradients: Any) -> list[Any]:
    if isinstance(gradients, Mapping):
        gradients = [gradients.get(v.ref()) for v in variables]
    gradients = list(gradients) if isinstance(gradients, (list, tuple)) else [gradients]
    if len(gradients) != len(variables):
        names = ", ".join(v.name for v in variables)
        raise GradientContractError(
            f"{function}: the gradient function must return {len(variables)} gradients of Variables ({names}), "
            f"but returned {len(gradients)}"
        )
    return [_checked(function, f"Variable {v.name}", v, g) for v, g in zip(variables, gradients)]


def _pair(f: Any, returned: Any) -> Any:
    if not isinstance(returned, tuple) or len(returned) != 2:
        raise GradientContractError(
            f"{_name(f)} uses Variables, so its gradient function must return a pair: the gradients of the "
            "arguments and those of the variables"
        )
    return returned


def _check_takes_variables(f: Any, grad: Any, variables: list[Variable]) -> None:
    if not variables:
        return
    parameters = inspect.signature(grad).parameters
    if "variables" not in parameters and not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        names = ", ".join(v.name for v in variables)
        raise TypeError(
            f"{_name(f)} uses the Variables {names}, so its gradient function must take an argument `variables` and "
            "return the gradients of the arguments and of the variables. Or pass them as arguments."
        )


def _bound(
    signature: inspect.Signature | None, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[tuple[str, Any, bool]]:
    """(name, value, whether it was passed) of each argument, defaults included."""
    if signature is None:
        yield from ((f"argument {k}", a, True) for k, a in enumerate(args))
        yield from ((k, a, True) for k, a in kwargs.items())
        return
    call = signature.bind(*args, **kwargs)
    passed = set(call.arguments)
    call.apply_defaults()
    for name, value in call.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            yield from ((f"{name}[{k}]", v, True) for k, v in enumerate(value))
        elif kind is inspect.Parameter.VAR_KEYWORD:
            yield from ((k, v, True) for k, v in value.items())
        else:
            yield name, value, name in passed


def _is_numeric(leaf: Any) -> bool:
    if isinstance(leaf, np.ndarray):
        return leaf.dtype.kind in "biufcV"
    return isinstance(leaf, (TensorLike, np.generic, int, float, complex)) and not isinstance(leaf, (bool, np.bool_))


def _signature(f: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(f)
    except (TypeError, ValueError):
        return None


def _name(f: Any) -> str:
    return getattr(f, "__name__", type(f).__name__)


# --- recording -------------------------------------------------------------------------------------------------------


def _differentiating_again() -> tuple[Any, ...]:
    """The recorders that may differentiate what the gradient function computes.

    The innermost tape, if it gives one gradient only, cannot: for it the steps inside the function are dead weight.
    """
    recorders = state.recorders
    if recorders and isinstance(recorders[-1], GradientTape) and not recorders[-1].is_persistent:
        return recorders[:-1]
    return recorders


def _recorded(rule: _CustomRule, inputs: tuple[Any, ...], result: Any) -> Any:
    """The result as new tensors that come from ``inputs`` by ``rule``, in the same structure."""
    outputs = tuple(
        Tensor((r if isinstance(r, TensorLike) else convert_to_tensor(r))._array) for r in nest.flatten(result)
    )
    ids = tuple([x._id for x in inputs])
    for out in outputs:
        note_origin(out._id, rule, ids)
    for recorder in state.recorders:
        recorder.record(rule, inputs, ids, outputs, {})
    return nest.pack_sequence_as(result, list(outputs))
