"""Why a gradient is missing: reads the lineage of tensors, which remembers operations that no tape recorded."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any, Final

from wengert.lineage import Event, Origin, Place, children_of_everything, origin_of, recent_events
from wengert.primitives.primitive import Primitive
from wengert.tape.explanation import Explanation, Finding, NoGradientError, NoGradientWarning, PathStep
from wengert.tape.gradient_tape import DIFFERENTIABLE_KINDS, GRADIENT_RULE, GradientTape, tensors_of
from wengert.tape.useless import judge_values
from wengert.tensor import TensorLike, Variable

__all__ = ["Explanation", "NoGradientError", "NoGradientWarning", "explain"]

#: one operation that used a tensor: its origin row, and which of its inputs the tensor was
_Edge = tuple[Origin, int]

_ROUNDING: Final = frozenset({"floor", "ceil", "round", "rint", "trunc", "floor_divide"})


def explain(tape: GradientTape, target: Any, sources: Any) -> Explanation:
    """One finding for each source; see :meth:`GradientTape.explain`."""
    targets = tensors_of(target, "target")
    return Explanation([_Search(tape, targets, s).finding() for s in tensors_of(sources, "source")])


class _Search:
    """The search for the place where the way from one source to the targets is cut."""

    def __init__(self, tape: GradientTape, targets: list[TensorLike], source: TensorLike) -> None:
        self.tape = tape
        self.targets = targets
        self.source = source
        self.origins = _ancestors(t._id for t in targets)
        #: id -> the operations among the ancestors that use it
        self.uses: dict[int, list[_Edge]] = {}
        for origin in self.origins.values():
            for k, i in enumerate(origin.inputs):
                self.uses.setdefault(i, []).append((origin, k))
        self.known = set(self.origins) | set(self.uses) | {t._id for t in targets}

    def finding(self) -> Finding:
        """The reason, the way, and the fix."""
        if all(t._array.dtype.kind not in DIFFERENTIABLE_KINDS for t in self.targets):
            return self._report(
                "integer or boolean",
                f"the target has dtype {self.targets[0].dtype.name}, which carries no derivative.",
                "Differentiate something of a floating dtype; a loss should not be cast, compared or rounded.",
                self._way_to_targets(self.source._id),
            )
        if self.source._array.dtype.kind not in DIFFERENTIABLE_KINDS:
            return self._report(
                "integer or boolean",
                f"the source has dtype {self.source.dtype.name}, which cannot carry a gradient.",
                "Make it a floating tensor: tf.constant(3.0) instead of tf.constant(3), or tf.cast(x, tf.float32).",
                self._way_to_targets(self.source._id),
            )
        if self.source._id not in self.known:
            return self._unconnected()
        closed = self._closed_way()
        if closed is None:
            return self._judged()
        return self._cut(*closed)

    # --- connected in the lineage ------------------------------------------------------------------------------------

    def _closed_way(self) -> _Edge | None:
        """The first operation through which no gradient passes; None if a target is reached."""
        reached, closed = {self.source._id}, []
        queue = deque(reached)
        goals = {t._id for t in self.targets}
        if not reached.isdisjoint(goals):
            return None
        while queue:
            i = queue.popleft()
            for origin, k in self.uses.get(i, ()):
                if self._obstacle(origin, k):
                    closed.append((origin, k))
                elif origin.id not in reached:
                    reached.add(origin.id)
                    queue.append(origin.id)
        if not reached.isdisjoint(goals):
            return None
        return min((c for c in closed if c[0].id not in reached), key=lambda c: c[0].id)

    def _obstacle(self, origin: Origin, k: int) -> str:
        """The reason why no gradient passes this operation to its input ``k``; empty if one does."""
        rule, time, used = origin.rule, origin.id, origin.inputs[k]
        if rule is GRADIENT_RULE:
            return "gradient of a gradient outside the recording"
        when = self._when(time)
        if used == self.source._id:
            unwatched = self._why_unwatched(time)
            if unwatched and not (when == "made before the tape began" and isinstance(self.source, Variable)):
                return unwatched
        if when:
            return when
        if rule.title == "stop_gradient":
            return "stop_gradient"
        if not rule.differentiable:
            return "integer or boolean"
        if not rule.has_derivative:
            return "no derivative"
        if isinstance(rule, Primitive) and rule.vjp_rule(k) is None:
            return "no derivative"
        if any(e.source == used and e.kind.startswith("the custom gradient") for e in recent_events()):
            return "custom gradient returned None"
        return ""

    def _when(self, time: int) -> str:
        """Why the tape did not hear what ran at ``time``; empty if it did."""
        stretches = self.tape._stretches
        if any(start is not None and start <= time and (end is None or time < end) for start, end in stretches):
            return ""
        if not stretches or time < (stretches[0][0] or 0):
            return "made before the tape began"
        last = stretches[-1][1]
        return "recording was stopped" if last is None or time < last else "made after the tape ended"

    def _why_unwatched(self, time: int) -> str:
        """Why the tape did not watch the source when it was used at ``time``; empty if it did."""
        watched = self.tape._watch_times.get(self.source._id)
        if isinstance(self.source, Variable):
            if watched is not None:
                return "" if watched < time or self.source.trainable else "watched too late"
            if not self.source.trainable:
                return "not trainable"
            return "" if self.tape._watches_variables else "automatic watching is off"
        if watched is not None:
            return "" if watched < time else "watched too late"
        origin = origin_of(self.source._id)
        if origin is None or origin.rule is None:
            return "never watched"
        if self._when(self.source._id):
            return "name rebound" if _roots(self.source._id) else "never watched"
        # computed while the tape listened, but not recorded: nothing it was made from is watched
        roots = _roots(self.source._id)
        return "" if any(r in self.tape._watch_times for r in roots) else "never watched"

    def _cut(self, origin: Origin, k: int) -> Finding:
        reason = self._obstacle(origin, k)
        remark = _REMARKS.get(reason, reason)
        name = origin.rule.title
        before = self._shortest(self.source._id, {origin.inputs[k]})
        after = self._shortest(origin.id, {t._id for t in self.targets})
        if name == "identity" and after and after[0][0].place == origin.place:
            # a Variable was read for the operation that the user wrote on that line
            origin, after = after[0][0], after[1:]
            name = origin.rule.title
        path = [_step(o) for o, _ in before]
        path.append(PathStep(name, origin.place, remark))
        path.extend(_step(o) for o, _ in after)
        if reason == "name rebound" and (made := origin_of(self.source._id)) is not None:
            name = made.rule.title
            path.insert(0, PathStep(name, made.place, "makes the new tensor that the name now stands for"))
        why, fix = _advice(reason, name, self.source)
        if self.tape.is_persistent and reason == "never watched":
            why += " Also: a gradient taken outside the recording has no derivative of its own."
            fix += " For a derivative of the gradient, compute it inside the block of an outer tape."
        return self._report(reason, why, fix, path)

    def _judged(self) -> Finding:
        verdict = judge_values(self.tape, self.targets, self.source)
        path = verdict.path or self._way_to_targets(self.source._id)
        return self._report(verdict.reason, verdict.why, verdict.fix, path)

    # --- not connected in the lineage --------------------------------------------------------------------------------

    def _unconnected(self) -> Finding:
        made_from_source = _descendants(self.source._id)
        events = recent_events()
        return (
            self._left_through_numpy(made_from_source, events)
            or self._assigned(made_from_source, events)
            or self._rebound()
            or self._strangers()
        )

    def _left_through_numpy(self, made_from_source: set[int], events: list[Event]) -> Finding | None:
        newest = max((t._id for t in self.targets), default=0)
        leaves = [i for i in self.known if i and (i not in self.origins or self.origins[i].rule is None)]
        exits = [
            e
            for e in events
            if e.source in made_from_source and not e.destination and any(e.time < leaf <= newest for leaf in leaves)
        ]
        if not exits:
            return None
        last = exits[-1]
        path = [_step(o) for o, _ in self._shortest(self.source._id, {last.source}, everywhere=True)]
        path.append(PathStep(last.kind, last.place, "the value leaves the tape here"))
        return self._report(
            "left through NumPy",
            f"the value left as plain numbers through {last.kind}, and what is computed from plain numbers is not "
            "recorded.",
            "Stay with tensors: NumPy's functions (np.sin(x), np.mean(x), x.sum()) record when they are given "
            "the tensor.",
            path,
        )

    def _assigned(self, made_from_source: set[int], events: list[Event]) -> Finding | None:
        hits = [e for e in events if e.destination in self.known and e.source in made_from_source]
        if not hits:
            return None
        last = hits[-1]
        path = [_step(o) for o, _ in self._shortest(self.source._id, {last.source}, everywhere=True)]
        path.append(PathStep(f"Variable.{last.kind}", last.place, "state: gradients do not follow an assignment"))
        path.extend(self._way_to_targets(last.destination))
        return self._report(
            "assigned in between",
            f"the value went into a Variable by {last.kind}; a Variable is state, and a tape follows values, not "
            "state.",
            "Compute with the tensor itself, and assign to the Variable afterwards.",
            path,
        )

    def _rebound(self) -> Finding | None:
        """The target depends on what the source was made from, not on the source."""
        origin = origin_of(self.source._id)
        if origin is None or origin.rule is None or not (_roots(self.source._id) & self.known):
            return None
        why, fix = _advice("name rebound", origin.rule.title, self.source)
        path = [PathStep(origin.rule.title, origin.place, "makes a new tensor, which the target does not use")]
        return self._report("name rebound", why, fix, path)

    def _strangers(self) -> Finding:
        depends = self._dependencies()
        if not depends and any(t._id not in self.origins for t in self.targets):
            forgotten = " (operations that ran very long ago are forgotten)"
        else:
            forgotten = ""
        listing = ", ".join(depends) or f"nothing that is remembered{forgotten}"
        return self._report(
            "not connected",
            f"the target does not depend on this source. It depends on: {listing}.",
            "Check that the source is really used on the way to the target, or pass unconnected_gradients='zero'.",
            (),
        )

    def _dependencies(self) -> list[str]:
        names = [v.name for v in self.tape.watched_variables() if v._id in self.known]
        for i in sorted(self.known):
            origin = self.origins.get(i)
            if origin is not None and origin.rule is None:
                names.append(f"the constant made at {origin.place}")
        return names

    # --- ways --------------------------------------------------------------------------------------------------------

    def _way_to_targets(self, start: int) -> list[PathStep]:
        return [_step(o) for o, _ in self._shortest(start, {t._id for t in self.targets})]

    def _shortest(self, start: int, goals: set[int], everywhere: bool = False) -> list[_Edge]:
        """The shortest chain of operations from ``start`` to one of ``goals``, among the targets' ancestors or all."""
        uses = children_of_everything() if everywhere else self.uses
        came: dict[int, _Edge | None] = {start: None}
        queue = deque([start])
        while queue:
            i = queue.popleft()
            if i in goals:
                chain = []
                while (edge := came[i]) is not None:
                    chain.append(edge)
                    i = edge[0].inputs[edge[1]]
                return chain[::-1]
            for origin, k in uses.get(i, ()):
                if origin.id not in came:
                    came[origin.id] = (origin, k)
                    queue.append(origin.id)
        return []

    def _report(self, reason: str, why: str, fix: str, path: Iterable[PathStep]) -> Finding:
        target = self.targets[0]
        also = f" and {len(self.targets) - 1} more" if len(self.targets) > 1 else ""
        return Finding(reason, _named(self.source), _named(target) + also, why, fix, tuple(path))


_REMARKS: Final = {
    "made before the tape began": "ran before the tape began",
    "made after the tape ended": "ran after the tape ended",
    "recording was stopped": "ran inside stop_recording()",
    "never watched": "used here, but not watched",
    "watched too late": "used here, before it was watched",
    "not trainable": "used here, but not watched",
    "automatic watching is off": "used here, but not watched",
    "name rebound": "uses the new tensor, which is not watched",
    "stop_gradient": "stops the gradient",
    "integer or boolean": "its result carries no derivative",
    "no derivative": "has no derivative",
    "custom gradient returned None": "its own gradient function returned None",
    "gradient of a gradient outside the recording": "computed by a tape while no other tape was recording",
}


def _advice(reason: str, operation: str, source: TensorLike) -> tuple[str, str]:
    """Why, and what to do."""
    variable = source.name if isinstance(source, Variable) else "x"
    table = {
        "made before the tape began": (
            f"{operation} ran before the recording, so the tape knows its result only as a new, unrelated tensor.",
            f"Move the {operation} into the `with tf.GradientTape()` block, or watch its result and differentiate "
            "by that.",
        ),
        "made after the tape ended": (
            f"{operation} ran after the `with` block of the tape had ended, so it was not recorded.",
            f"Move the {operation} into the block.",
        ),
        "recording was stopped": (
            f"{operation} ran inside tape.stop_recording(), so it was not recorded.",
            "Move it out of stop_recording() if the gradient should pass.",
        ),
        "never watched": (
            "the source is a tensor that was never watched; a tape follows trainable Variables by itself, other "
            "tensors only on request.",
            "Call tape.watch(x) inside the tape before the first use, or make x a tf.Variable.",
        ),
        "watched too late": (
            "tape.watch was called after the tensor had been used; what ran before was not recorded.",
            "Call tape.watch before the first use.",
        ),
        "not trainable": (
            f"{variable} was made with trainable=False, and a tape watches only trainable Variables by itself.",
            f"Call tape.watch({variable.removesuffix(':0')}) inside the tape, or make the Variable trainable.",
        ),
        "automatic watching is off": (
            f"the tape was made with watch_accessed_variables=False and {variable} was not watched by hand.",
            f"Call tape.watch({variable.removesuffix(':0')}), or leave watch_accessed_variables at its default.",
        ),
        "name rebound": (
            f"the source is a new tensor, made by {operation}; its name was rebound, and it is not what the tape "
            "watched.",
            "Keep the Variable under its own name: v.assign_add(1.0) instead of v = v + 1.0. Or watch the new tensor.",
        ),
        "stop_gradient": ("tf.stop_gradient stands on the way.", "Remove it if the gradient should pass."),
        "integer or boolean": (
            f"{operation} gives {'rounded' if operation in _ROUNDING else 'integer or boolean'} values, which have no "
            "useful derivative.",
            "Stay with floating values on the way: no cast to integers, comparison, argmax or rounding. For a gradient "
            "straight through, use tf.custom_gradient.",
        ),
        "no derivative": (
            f"{operation} has no derivative by that operand.",
            "Give it one with tf.custom_gradient, or put tf.stop_gradient around it on purpose.",
        ),
        "custom gradient returned None": (
            f"the gradient function of {operation} returned None for this argument.",
            "Return a gradient for the argument, zeros if it has no influence.",
        ),
        "gradient of a gradient outside the recording": (
            "the target is made from a gradient that was computed while no other tape was recording: it is a "
            "plain value without a derivative of its own.",
            "Compute the first gradient inside the `with` block of an outer tape (or of the same persistent tape).",
        ),
    }
    return table[reason]


def _step(origin: Origin) -> PathStep:
    return PathStep(getattr(origin.rule, "title", "constant"), origin.place)


def _named(tensor: TensorLike) -> str:
    kind = f"{tensor.dtype.name}{list(tensor.shape)}"
    if isinstance(tensor, Variable):
        return f"Variable {tensor.name} ({kind}), made at {_short(tensor.place)}"
    origin = origin_of(tensor._id)
    if origin is None:
        return f"a tensor ({kind})"
    made = "a constant" if origin.rule is None else f"the result of {origin.rule.title}"
    return f"{made} ({kind}), made at {_short(origin.place)}"


def _short(place: Place) -> str:
    return f"{place.filename.rsplit('/', 1)[-1]}:{place.lineno}"


def _ancestors(ids: Iterable[int]) -> dict[int, Origin]:
    found: dict[int, Origin] = {}
    queue = deque(ids)
    while queue:
        i = queue.popleft()
        if i in found:
            continue
        origin = origin_of(i)
        if origin is not None:
            found[i] = origin
            queue.extend(origin.inputs)
    return found


def _roots(identity: int) -> set[int]:
    """The ids from which a tensor was made, through any number of operations, without itself."""
    origins = _ancestors([identity])
    return {i for origin in origins.values() for i in origin.inputs if i}


def _descendants(identity: int) -> set[int]:
    """The ids of all remembered tensors that were made from ``identity``, and itself."""
    uses = children_of_everything()
    found = {identity}
    queue = deque(found)
    while queue:
        for origin, _ in uses.get(queue.popleft(), ()):
            if origin.id not in found:
                found.add(origin.id)
                queue.append(origin.id)
    return found
