"""Forward mode: tangents carried along while operations run."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import numpy as np

from wengert import nest
from wengert.errors import InvalidArgumentError
from wengert.primitives.primitive import Primitive, tensor_namespace
from wengert.recording import recorders_are, state
from wengert.tape.gradient_tape import DIFFERENTIABLE_KINDS, GradientTape, UnconnectedGradients
from wengert.tape.pull_back import MissingDerivativeError
from wengert.tensor import VARIABLE_CLASSES, Tensor, TensorLike, convert_to_tensor

__all__ = ["ForwardAccumulator", "push_forward"]


class ForwardAccumulator:
    """Computes Jacobian-vector products while the function runs, without a tape.

    Args:
        primals: a tensor or structure of tensors to differentiate by.
        tangents: their directions, with the same structure, shapes and dtypes.

    Raises:
        InvalidArgumentError: structure, shapes or dtypes differ.

    Source: R. E. Wengert, "A simple automatic derivative evaluation program" (1964).

    >>> x = tf.constant(3.0)
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    ...     y = x * x
    >>> float(acc.jvp(y))
    6.0
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        nest.assert_same_structure(primals, tangents, check_types=False)
        self._tangents: dict[int, Any] = {}
        self._recording = False
        for primal, tangent in zip(nest.flatten(primals), nest.flatten(tangents)):
            if not isinstance(primal, TensorLike):
                raise InvalidArgumentError(f"ForwardAccumulator: a primal is {type(primal).__name__}, not a tensor")
            self._add(primal, convert_to_tensor(tangent, dtype_hint=primal.dtype))

    def _add(self, primal: TensorLike, tangent: Tensor) -> None:
        if tangent._array.shape != primal._array.shape or tangent._array.dtype != primal._array.dtype:
            raise InvalidArgumentError(
                f"ForwardAccumulator: a primal is {primal.dtype.name}{list(primal.shape)}, "
                f"its tangent {tangent.dtype.name}{list(tangent.shape)}"
            )
        before = self._tangents.get(primal._id)
        self._tangents[primal._id] = tangent if before is None else before + tangent

    def __enter__(self) -> ForwardAccumulator:
        if self._recording:
            raise ValueError("this accumulator is recording already")
        self._recording = True
        state.recorders = (*state.recorders, self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._recording = False
        state.recorders = tuple([r for r in state.recorders if r is not self])

    def record(
        self, rule: Any, inputs: tuple[Any, ...], ids: tuple[int, ...], outputs: tuple[Any, ...], params: dict[str, Any]
    ) -> None:
        """Push the tangents through an operation. Primitives call this."""
        known = self._tangents
        if not rule.differentiable or known.keys().isdisjoint(ids):
            return
        outer = state.recorders[: state.recorders.index(self)]
        with recorders_are(outer):
            results = push_forward(rule, [known.get(i) for i in ids], inputs, outputs, params)
        for out, tangent in zip(outputs, results):
            if tangent is not None and out._array.dtype.kind in DIFFERENTIABLE_KINDS:
                known[out._id] = tangent

    def jvp(self, primals: Any, unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE) -> Any:
        """The tangents of ``primals``: the Jacobian of the recorded function times the given tangents.

        Returns:
            A Tensor for each primal, None (or zeros) where it does not depend on what is differentiated by.
        """
        zero = UnconnectedGradients(unconnected_gradients) is UnconnectedGradients.ZERO

        def tangent(primal: Any) -> Any:
            found = self._tangents.get(primal._id)
            return Tensor(np.zeros_like(primal._array)) if found is None and zero else found

        return nest.map_structure(tangent, primals)


def push_forward(
    rule: Any,
    tangents: list[Any],
    inputs: tuple[Any, ...],
    outputs: tuple[Any, ...],
    params: dict[str, Any],
) -> tuple[Any, ...]:
    """The tangents of an operation's outputs from those of its inputs (None where there is none)."""
    total: tuple[Any, ...] = (None,) * len(outputs)
    inputs = tuple(x._snapshot if x.__class__ in VARIABLE_CLASSES else x for x in inputs)
    transposed = 0
    if isinstance(rule, Primitive) and rule.variadic in rule.linear:
        first = len(rule.inputs)
        if any(t is not None for t in tangents[first:]):
            zeros = [Tensor(np.zeros_like(x._array)) if t is None else t for t, x in zip(tangents, inputs)]
            total = (rule.function(*inputs[:first], *zeros[first:], **params),)
            tangents = [*tangents[:first], *[None] * len(zeros[first:])]
    for k, t in enumerate(tangents):
        if t is None:
            continue
        share = _share(rule, k, t, inputs, outputs, params) if isinstance(rule, Primitive) else NotImplemented
        if share is NotImplemented:
            transposed |= 1 << k
        elif share is not None:
            total = _sum(total, share if isinstance(share, tuple) else (share,))
    if transposed:
        total = _sum(total, _transposed(rule, transposed, tangents, inputs, outputs, params))
    return total


def _share(
    primitive: Primitive, k: int, t: Any, inputs: tuple[Any, ...], outputs: tuple[Any, ...], params: dict[str, Any]
) -> Any:
    """The share of input ``k``'s tangent by the rule that was written; NotImplemented where none was."""
    xp = tensor_namespace
    rule = primitive.jvp_rule(k)
    if rule is None and primitive.is_linear_in(k):
        replaced = tuple(t if i == k else x for i, x in enumerate(inputs))
        return primitive.function(*replaced, **params)
    spread = primitive.elementwise and t._array.shape != outputs[0]._array.shape
    if rule is None and primitive.elementwise:
        rule = primitive.vjp_rule(k)
        if rule is None:
            return None if primitive.has_derivative else NotImplemented
        t = xp.broadcast_to(t, outputs[0]._array.shape) if spread else t
    if rule is None:
        return NotImplemented
    values = inputs + outputs
    apply = rule.resolved(len(inputs)).applied_to(range(len(values)), len(values), k - len(primitive.inputs), False)
    share = apply(xp, t, values, tuple((v._array.shape, v._array.dtype) for v in values), params)
    if spread and share._array.shape != outputs[0]._array.shape:
        share = xp.broadcast_to(share, outputs[0]._array.shape)
    return share


def _transposed(
    rule: Any,
    mask: int,
    tangents: list[Any],
    inputs: tuple[Any, ...],
    outputs: tuple[Any, ...],
    params: dict[str, Any],
) -> tuple[Any, ...]:
    """The push-forward as the transpose of the pull-back, which is linear in the cotangents.

    Source: J. Townsend, "A new trick for calculating Jacobian vector products" (2017).
    """
    plan = rule.plan(mask, len(inputs), len(outputs))
    if not plan.steps:
        if rule.has_derivative:
            return (None,) * len(outputs)
        raise MissingDerivativeError(rule)
    seeds = [Tensor(np.zeros_like(o._array)) for o in outputs]
    values = inputs + outputs
    metadata = tuple((v._array.shape, v._array.dtype) for v in values)
    saved = [values[k] for k in plan.kept]
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch([s for s in seeds if s._array.dtype.kind in DIFFERENTIABLE_KINDS])
        g = seeds[0] if len(seeds) == 1 else tuple(seeds)
        pulled: dict[int, Any] = {}
        for step in plan.steps:
            result = step.on_tensors(tensor_namespace, g, saved, metadata, params)
            if plan.joint:
                pulled = {k: c for k, c in enumerate(result) if mask >> k & 1}
                break
            pulled[step.position] = result
    pairs = [(c, tangents[k]) for k, c in pulled.items() if c is not None]
    results = tape._pull([c for c, _ in pairs], seeds, [t for _, t in pairs])
    return tuple([r if r is None or isinstance(r, TensorLike) else Tensor(r) for r in results])


def _sum(first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(b if a is None else a if b is None else a + b for a, b in zip(first, second))
