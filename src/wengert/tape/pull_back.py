"""The backward pass: one walk over the tape's entries in reverse order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from wengert.arrays.namespace import numpy_namespace
from wengert.primitives.broadcasting import sum_to_shape
from wengert.primitives.primitive import Plan

__all__ = ["Entry", "MissingDerivativeError", "active_ids", "pull_back"]


class MissingDerivativeError(LookupError):
    """A derivative was asked through an operation that has none."""

    def __init__(self, rule: Any) -> None:
        super().__init__(
            f"the derivative passes through {rule.title}, which has none. Put tf.stop_gradient around it, or give "
            "it one with tf.custom_gradient."
        )


#: One operation on a tape: integers and the values that its rules named, nothing else. In order: the plan; the ids of
#: the inputs and of the outputs; the saved tensors; (shape, dtype) of each input and output, where a rule asks for them
#: or broadcasting has to be undone; the static parameters. A plain tuple, for this is the hot path.
Entry: TypeAlias = tuple[
    Plan,
    tuple[int, ...],
    tuple[int, ...],
    Sequence[Any],
    tuple[tuple[tuple[int, ...], np.dtype[Any]], ...] | None,
    dict[str, Any],
]


def active_ids(entries: Iterable[Entry], sources: Iterable[int]) -> set[int]:
    """The ids on the way from the sources: nothing else needs a cotangent."""
    active = set(sources)
    for entry in entries:
        if not active.isdisjoint(entry[1]):
            active.update(entry[2])
    return active


def pull_back(
    entries: Sequence[Entry],
    cotangents: dict[int, Any],
    sources: set[int],
    xp: Any,
    sparse: dict[int, list[tuple[Any, Any]]],
) -> dict[int, Any]:
    """Pull the cotangents of the targets back to the sources.

    Args:
        entries: the tape.
        cotangents: id of each target -> its cotangent; changed, and returned with those of the sources.
        sources: ids whose cotangents are wanted.
        xp: the namespace of the cotangents: NumPy's, or the one of recording Tensors.
        sparse: filled with id of a source -> rows ``(values, indices)`` that belong to its cotangent as well.

    Where an operation selects between branches (``where``, ``clip``), the cotangent of what was not selected is zero.
    It stays zero through the element-wise operations of that branch, even where their derivative is infinite or NaN.

    Raises:
        MissingDerivativeError: a cotangent arrives at an operation without a derivative.
    """
    active = active_ids(entries, sources)
    #: ids whose cotangent is zero where another branch was selected, and not because a derivative is
    masked: set[int] = set()
    on_arrays = xp is numpy_namespace
    leaves: set[int] | None = None
    for plan, inputs, outputs, saved, metadata, params in reversed(entries):
        if len(outputs) == 1:
            out = outputs[0]
            g = cotangents.get(out) if out in sources else cotangents.pop(out, None)
            if g is None:
                continue
        else:
            gs = [cotangents.get(o) if o in sources else cotangents.pop(o, None) for o in outputs]
            if all(g is None for g in gs):
                continue
            g = _with_zeros(xp, gs, metadata)
        if not plan.steps:
            raise MissingDerivativeError(plan.rule)
        if plan.sparse is not None and inputs[0] in sources:
            if leaves is None:
                leaves = sources - _derived(entries, sources, active)
            apply = plan.sparse.on_arrays if on_arrays else plan.sparse.on_tensors
            rows = apply(xp, g, saved, metadata, params) if inputs[0] in leaves else None
            if rows is not None:
                sparse.setdefault(inputs[0], []).append(rows)
                continue
        is_masked = plan.selects or (masked and not masked.isdisjoint(outputs))
        together = None
        for k, apply_to_arrays, apply_to_tensors in plan.steps:
            i = inputs[k]
            if i not in active:
                continue
            if together is None:
                gi = (apply_to_arrays if on_arrays else apply_to_tensors)(xp, g, saved, metadata, params)
                if plan.joint:
                    together = gi
            if together is not None:
                gi = together[k]
            if gi is None:
                continue
            if is_masked and (plan.rule.elementwise or not plan.kept):
                if plan.kept and not plan.selects:
                    gi = xp.where(g == 0, 0, gi)
                masked.add(i)
            if plan.elementwise and metadata is not None:
                gi = sum_to_shape(xp, gi, metadata[k][0])
            before = cotangents.get(i)
            cotangents[i] = gi if before is None else before + gi
    return cotangents


def _derived(entries: Iterable[Entry], sources: set[int], active: set[int]) -> set[int]:
    """The sources that were computed from others: all of their cotangent has to be there, to be pulled back further."""
    return {o for entry in entries if not active.isdisjoint(entry[1]) for o in entry[2] if o in sources}


def _with_zeros(xp: Any, cotangents: list[Any], metadata: Any) -> tuple[Any, ...]:
    specs = metadata[-len(cotangents) :]
    return tuple(
        xp.zeros(shape, dtype) if g is None and dtype.kind in "fcV" else g
        for g, (shape, dtype) in zip(cotangents, specs)
    )
