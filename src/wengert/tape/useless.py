"""Gradients that exist but are useless: zero everywhere, or not finite. Finds the operation that made them so."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wengert.arrays.namespace import numpy_namespace
from wengert.lineage import origin_of
from wengert.quiet import quietly
from wengert.tape.explanation import PathStep
from wengert.tape.gradient_tape import GradientTape, one_like
from wengert.tape.pull_back import Entry, active_ids, pull_back
from wengert.tensor import TensorLike

__all__ = ["Verdict", "judge_values"]


class Verdict(NamedTuple):
    """What is to be said of the values of a gradient."""

    reason: str
    why: str
    fix: str
    path: tuple[PathStep, ...] = ()


def judge_values(tape: GradientTape, targets: list[TensorLike], source: TensorLike) -> Verdict:
    """Sweep backwards one operation at a time, and stop at the one that made the gradient zero or not finite."""
    if tape._entries is None:
        return Verdict(
            "connected",
            "the target depends on the source through recorded operations. The tape has been used, so the values "
            "on the way are gone.",
            "To look at zeros or NaN, call explain before gradient, or use tf.GradientTape(persistent=True).",
        )
    return quietly(_swept, tape._entries, targets, source)  # type: ignore[no-any-return]


def _swept(entries: list[Entry], targets: list[TensorLike], source: TensorLike) -> Verdict:
    active = active_ids(entries, [source._id])
    cotangents: dict[int, Any] = {}
    for t in targets:
        seed = one_like(t._array)
        if seed is not None:
            cotangents[t._id] = seed._array
    died: Entry | None = None
    for entry in reversed(entries):
        incoming = [cotangents[o] for o in entry[2] if o in cotangents]
        if not incoming or not any(o in active for o in entry[2]):
            continue
        before = {i: cotangents.get(i) for i in entry[1]}
        sparse: dict[int, list[tuple[Any, Any]]] = {}
        pull_back([entry], cotangents, active, numpy_namespace, sparse)
        outgoing = [cotangents[i] for i in entry[1] if i in active and cotangents.get(i) is not before[i]]
        outgoing += [values for rows in sparse.values() for values, _ in rows]
        if _finite(incoming) and not _finite(outgoing):
            return _not_finite(entry, outgoing)
        if outgoing and not any(map(np.any, outgoing)) and any(map(np.any, incoming)):
            died = died or entry
    gradient = cotangents.get(source._id)
    if gradient is None or np.any(gradient):
        return Verdict("connected", "the gradient is finite and not zero.", "")
    if died is None:
        return Verdict("zero", "the gradients of several ways add up to exactly zero.", "")
    return _zero(died)


def _not_finite(entry: Entry, outgoing: list[Any]) -> Verdict:
    bad = next(a for a in outgoing if not np.all(np.isfinite(a)))
    index = tuple(int(k) for k in np.argwhere(~np.isfinite(np.asarray(bad)))[0])
    name, value = entry[0].rule.title, np.asarray(bad)[index]
    return Verdict(
        "not finite",
        f"in the backward pass, {name} is the first operation that turns a finite gradient into {value!s} "
        f"(at index {list(index)}). Its values in the forward pass: {_values(entry, index)}.",
        "Keep its operand away from the singular point (tf.maximum(x, eps), tf.math.divide_no_nan, a stable function "
        "such as tf.nn.softplus), or choose with tf.where.",
        (_place(entry, "the first value that is not finite"),),
    )


def _zero(entry: Entry) -> Verdict:
    name = entry[0].rule.title
    return Verdict(
        "zero",
        f"{name} multiplies the gradient by exactly zero for every element. Its values in the forward pass: "
        f"{_values(entry, None)}.",
        _ZERO_FIXES.get(name, "Check the operands: all elements lie where the function is flat."),
        (_place(entry, "the gradient becomes zero here"),),
    )


_ZERO_FIXES = {
    "relu": "All units are dead (inputs below zero): lower the learning rate or the bias, or use tf.nn.leaky_relu.",
    "maximum": "The other operand is larger everywhere, as in a dead relu: use tf.nn.leaky_relu, or shift the input.",
    "sigmoid": "The sigmoid is saturated: scale its input down, or use a loss that takes logits.",
    "tanh": "The tanh is saturated: scale its input down.",
    "sign": "The sign is flat everywhere: use tf.tanh, or a custom gradient straight through.",
    "clip": "All elements lie outside the bounds, where clipping is flat.",
}


def _finite(arrays: list[Any]) -> bool:
    return all(bool(np.all(np.isfinite(a))) for a in arrays)


def _place(entry: Entry, remark: str) -> PathStep:
    origin = origin_of(entry[2][0])
    return PathStep(entry[0].rule.title, origin.place if origin else None, remark)


def _values(entry: Entry, index: tuple[int, ...] | None) -> str:
    parts = []
    for saved in entry[3]:
        array = np.asarray(saved._array)
        if not array.size or array.dtype.kind not in "fciu":
            continue
        if index is not None and len(index) == array.ndim and all(i < n for i, n in zip(index, array.shape)):
            parts.append(f"{array[index]!s}")
        else:
            parts.append(f"from {array.min()!s} to {array.max()!s}" if array.size > 1 else f"{array.reshape(-1)[0]!s}")
    return ", ".join(parts) or "not kept"
