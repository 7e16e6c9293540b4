"""GradientTape: records what is computed, and pulls gradients back through it."""

from __future__ import annotations

import enum
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from wengert import nest
from wengert.arrays.namespace import numpy_namespace
from wengert.errors import InvalidArgumentError
from wengert.lineage import note_origin, tick
from wengert.primitives.primitive import tensor_namespace
from wengert.quiet import quietly
from wengert.recording import state
from wengert.tape.pull_back import Entry, MissingDerivativeError, pull_back
from wengert.tensor import (
    TENSOR_CLASSES,
    VARIABLE_CLASSES,
    IndexedSlices,
    Tensor,
    TensorLike,
    Variable,
    convert_to_tensor,
)

if TYPE_CHECKING:
    from wengert.tape.explanation import Explanation

__all__ = ["GradientTape", "UnconnectedGradients"]

#: kinds of dtype that carry a derivative (V is bfloat16)
DIFFERENTIABLE_KINDS: Final = frozenset("fcV")


class UnconnectedGradients(enum.Enum):
    """What ``gradient`` returns for a source that the target does not depend on."""

    NONE = "none"
    ZERO = "zero"


#: reading a member of an Enum costs as much as a small operation in Python 3.11, so it is done once
_ZERO: Final = UnconnectedGradients.ZERO


class _GradientRule:
    """Stands in a tensor's lineage for "this is a gradient", so that an explanation can say so."""

    title = "GradientTape.gradient"
    differentiable = False


GRADIENT_RULE: Final = _GradientRule()


class GradientTape:
    """Records operations, to compute gradients of what was recorded.

    Args:
        persistent: gradients can be asked more than once; otherwise the first call frees the tape.
        watch_accessed_variables: watch every trainable Variable that is used.
        on_none: what happens when a gradient is None: ``"ignore"``, ``"warn"`` or ``"raise"``, with the explanation.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> float(tape.gradient(y, x))
    6.0
    """

    def __init__(
        self,
        persistent: bool = False,
        watch_accessed_variables: bool = True,
        *,
        on_none: Literal["ignore", "warn", "raise"] = "ignore",
    ) -> None:
        if on_none not in ("ignore", "warn", "raise"):
            raise InvalidArgumentError(f'on_none must be "ignore", "warn" or "raise", got {on_none!r}')
        self._persistent = persistent
        self._watches_variables = watch_accessed_variables
        self._on_none = on_none
        self._entries: list[Entry] | None = []
        self._watched: set[int] = set()
        self._variables: dict[int, Variable] = {}
        self._recording = False
        #: id -> when it was watched; outlives the entries, for explanations
        self._watch_times: dict[int, int] = {}
        #: (start, end) of each stretch of recording, the last still open while it records
        self._stretches: list[list[int | None]] = []

    # --- recording ---------------------------------------------------------------------------------------------------

    def __enter__(self) -> GradientTape:
        if self._recording:
            raise ValueError("this tape is recording already")
        if self._entries is None:
            self._entries, self._watched = [], set()
        self._recording = True
        self._stretches.append([tick(), None])
        state.recorders += (self,)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._recording:
            self._pop()

    def _pop(self) -> None:
        """Stop listening; usually this is the innermost recorder, but tapes may end in any order."""
        self._recording = False
        self._stretches[-1][1] = tick()
        recorders = state.recorders
        if recorders and recorders[-1] is self:
            state.recorders = recorders[:-1]
        else:
            state.recorders = tuple([r for r in recorders if r is not self])

    def record(
        self, rule: Any, inputs: tuple[Any, ...], ids: tuple[int, ...], outputs: tuple[Any, ...], params: dict[str, Any]
    ) -> None:
        """Note an operation, if it depends on something watched. Primitives call this."""
        watched = self._watched
        mask, bit = 0, 1
        for x in inputs:
            if x._id in watched or (x.__class__ in VARIABLE_CLASSES and self._watches(x)):
                mask |= bit
            bit += bit
        if not mask or not rule.differentiable:
            return
        plan = rule.plan(mask, len(inputs), len(outputs))
        if not plan.steps and rule.has_derivative:
            return
        reached = False
        for out in outputs:
            if out._array.dtype.kind in DIFFERENTIABLE_KINDS:
                watched.add(out._id)
                reached = True
        if not reached:
            return
        values = inputs + outputs
        metadata = None
        if plan.needs_metadata or (plan.elementwise and _broadcasts(inputs, outputs[0]._array.shape)):
            metadata = tuple([(v._array.shape, v._array.dtype) for v in values])
        saved = []
        for k in plan.kept:
            value = values[k]
            saved.append(value._snapshot if value.__class__ in VARIABLE_CLASSES else value)
        out_ids = (outputs[0]._id,) if len(outputs) == 1 else tuple([o._id for o in outputs])
        self._entries.append((plan, ids, out_ids, saved, metadata, params))  # type: ignore[union-attr]

    def watch(self, tensor: Any) -> None:
        """Follow what is computed from ``tensor`` (or each tensor of a structure) from now on.

        Raises:
            InvalidArgumentError: something else than a tensor was given.

        >>> x = tf.constant(3.0)
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x ** 2
        >>> float(tape.gradient(y, x))
        6.0
        """
        for t in nest.flatten(tensor):
            if not isinstance(t, TensorLike):
                raise InvalidArgumentError(
                    f"a tape watches tensors and Variables, not {type(t).__name__}: convert it with tf.constant first"
                )
            if not self._watch(t):
                warnings.warn(
                    f"a tensor of dtype {t.dtype.name} cannot carry a gradient, so watching it has no effect: "
                    "use a floating dtype, as in tf.cast(x, tf.float32)",
                    stacklevel=2,
                )

    def _watches(self, variable: Variable) -> bool:
        """Whether a Variable that is used is watched without being asked; then it is, from now on."""
        return self._watches_variables and variable.trainable and self._watch(variable)

    def _watch(self, tensor: TensorLike) -> bool:
        if tensor._array.dtype.kind not in DIFFERENTIABLE_KINDS:
            return False
        identity = tensor._id
        self._watched.add(identity)
        self._watch_times.setdefault(identity, tick())
        if tensor.__class__ in VARIABLE_CLASSES:
            self._variables[identity] = tensor  # type: ignore[assignment]
        return True

    @property
    def is_persistent(self) -> bool:
        """Whether gradients can be asked more than once."""
        return self._persistent

    def watched_variables(self) -> tuple[Variable, ...]:
        """The Variables that the tape watches, in the order of their first use."""
        return tuple(self._variables.values())

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Within the context, nothing is recorded on this tape.

        Raises:
            ValueError: the tape is not recording.
        """
        if not self._recording:
            raise ValueError("stop_recording: the tape is not recording")
        before = state.recorders
        self._pop()
        try:
            yield
        finally:
            if not self._recording and self in before:
                self._recording = True
                self._stretches.append([tick(), None])
                state.recorders = before

    def reset(self) -> None:
        """Forget everything that was recorded and watched, as if the tape had just been made.

        Raises:
            ValueError: the tape was used up by ``gradient``.
        """
        self._entries, self._watched = [], set()
        self._variables, self._watch_times = {}, {}
        if self._recording:
            self._stretches = [[tick(), None]]
        else:
            self._stretches = []

    def __len__(self) -> int:
        """The number of operations that the tape holds."""
        return len(self._entries or ())

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays that the tape keeps alive, each counted once.

        >>> x = tf.Variable(tf.zeros([1000]))
        >>> with tf.GradientTape() as tape:
        ...     y = tf.tanh(x)
        >>> tape.nbytes, tape.gradient(y, x).shape, tape.nbytes
        (4000, TensorShape([1000]), 0)
        """
        arrays = {id(s._array): s._array.nbytes for entry in self._entries or () for s in entry[3] if s is not None}
        return sum(arrays.values())

    # --- gradients ---------------------------------------------------------------------------------------------------

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradient of the target (or of the sum of all targets' elements) with respect to the sources.

        Args:
            target: a tensor, or a structure of them.
            sources: tensors or Variables, watched, or computed on the tape; one, or a structure of them.
            output_gradients: cotangents of the targets, in the structure and shapes of the target; ones by default.
            unconnected_gradients: ``"none"`` or ``"zero"``, for sources that the target does not depend on.

        Returns:
            A Tensor, IndexedSlices (for a table whose rows were looked up) or None for each source, in the structure of
            the sources, each with its source's shape and dtype.

        Raises:
            RuntimeError: the tape is not persistent and was used before.
            TypeError: the target is None, or a source is not a tensor.
            ValueError: an unknown ``unconnected_gradients``.
            LookupError: an operation between them has no derivative.

        >>> w, b = tf.Variable([1.0, 2.0]), tf.Variable(0.5)
        >>> with tf.GradientTape() as tape:
        ...     loss = tf.reduce_sum(w * w) + b
        >>> grads = tape.gradient(loss, {"w": w, "b": b})
        >>> grads["w"].numpy(), float(grads["b"])
        (array([2., 4.], dtype=float32), 1.0)
        """
        if self._entries is None:
            self._check_unused()
        if unconnected_gradients.__class__ is not UnconnectedGradients:
            unconnected_gradients = UnconnectedGradients(unconnected_gradients)
        if self._recording and not self._persistent:
            self._pop()
        targets = [target] if target.__class__ in TENSOR_CLASSES else tensors_of(target, "target")
        single = sources.__class__ in TENSOR_CLASSES
        flat = [sources] if single else tensors_of(sources, "source")
        seeds = _seeds(target, targets, output_gradients)
        results = quietly(self._pull, targets, flat, seeds)
        gradients = []
        for source, result in zip(flat, results):
            gradients.append(None if result is None else _finished(result, target, source))
        if self._on_none != "ignore":
            self._report_none(target, sources, gradients)
        if not self._persistent:
            self._finish()
        if unconnected_gradients is _ZERO:
            gradients = [Tensor(np.zeros_like(s._array)) if g is None else g for g, s in zip(gradients, flat)]
        if single:
            return gradients[0]
        if sources.__class__ is list and len(sources) == len(gradients):
            return gradients
        return nest.pack_sequence_as(sources, gradients)

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The Jacobian of the target with respect to each source, of shape ``target.shape + source.shape``.

        Args:
            target: a tensor.
            sources: tensors or Variables; one, or a structure of them.
            unconnected_gradients: ``"none"`` or ``"zero"``.
            parallel_iterations: accepted and not needed.
            experimental_use_pfor: as in TensorFlow, False asks for a persistent tape.

        Raises:
            RuntimeError: the tape was used before, or is not persistent with ``experimental_use_pfor=False``.

        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        >>> tape.jacobian(y, x).numpy().tolist()
        [[2.0, 0.0], [0.0, 4.0]]
        """
        from wengert.derivatives.jacobian import jacobian

        self._begin_sweeps(experimental_use_pfor)
        zero = UnconnectedGradients(unconnected_gradients) is _ZERO
        (of,) = tensors_of(target, "target")
        flat = tensors_of(sources, "source")
        results = jacobian(self, of, flat)
        if zero:
            shape = of._array.shape
            results = [
                Tensor(np.zeros(shape + s._array.shape, s._array.dtype)) if r is None else r
                for r, s in zip(results, flat)
            ]
        self._finish()
        return results[0] if isinstance(sources, TensorLike) else nest.pack_sequence_as(sources, results)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The Jacobian of each example's target with respect to the same example's source.

        Args:
            target: a tensor of shape ``(batch, ...)``, each example of which depends on its own source only.
            source: a tensor of shape ``(batch, ...)``.

        Returns:
            A Tensor of shape ``(batch, *target.shape[1:], *source.shape[1:])``; None if unconnected.

        Raises:
            InvalidArgumentError: the first axes differ.
            RuntimeError: as for :meth:`jacobian`.

        >>> x = tf.Variable([[1.0, 2.0]])
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        >>> tape.batch_jacobian(y, x).numpy().tolist()
        [[[2.0, 0.0], [0.0, 4.0]]]
        """
        from wengert.derivatives.jacobian import batch_jacobian

        self._begin_sweeps(experimental_use_pfor)
        zero = UnconnectedGradients(unconnected_gradients) is _ZERO
        (of,), (by,) = tensors_of(target, "target"), tensors_of(source, "source")
        result = batch_jacobian(self, of, by)
        self._finish()
        if result is None and zero:
            return Tensor(np.zeros(of._array.shape + by._array.shape[1:], by._array.dtype))
        return result

    def sweep(self, target: TensorLike, sources: Sequence[TensorLike], seed: Tensor) -> list[Any]:
        """One backward sweep from ``target`` with the cotangent ``seed``, leaving the tape as it is."""
        pulled = quietly(self._pull, [target], sources, [conjugate(seed)])
        results = [None if r is None else _finished(r, target, s) for r, s in zip(pulled, sources)]
        return [r.dense() if isinstance(r, IndexedSlices) else r for r in results]

    def _begin_sweeps(self, vectorised: bool) -> None:
        self._check_unused()
        if not self._persistent:
            if not vectorised:
                raise RuntimeError("jacobian(experimental_use_pfor=False) needs a tape made with persistent=True")
            if self._recording:
                self._pop()

    def _check_unused(self) -> None:
        if self._entries is None:
            raise RuntimeError(
                "this tape has been used: a non-persistent GradientTape computes one set of gradients. Ask for all "
                "sources in one call, or make it with tf.GradientTape(persistent=True)."
            )

    def _finish(self) -> None:
        """Let go of everything, unless the tape is persistent."""
        if not self._persistent:
            self._entries, self._watched = None, set()

    def _pull(self, targets: Sequence[TensorLike], sources: Sequence[TensorLike], seeds: Sequence[Any]) -> list[Any]:
        """Cotangents of the sources, in the rules' convention: as arrays, or as Tensors if somebody records."""
        recorded = bool(state.recorders)
        cotangents: dict[int, Any] = {}
        for t, seed in zip(targets, seeds):
            if seed is not None:
                if not recorded:
                    seed = seed._array
                before = cotangents.get(t._id)
                cotangents[t._id] = seed if before is None else before + seed
        wanted = {s._id for s in sources}
        xp = tensor_namespace if recorded else numpy_namespace
        sparse: dict[int, list[tuple[Any, Any]]] = {}
        pull_back(self._entries, cotangents, wanted, xp, sparse)  # type: ignore[arg-type]
        if sparse:
            return [_combined(xp, cotangents.get(s._id), sparse.get(s._id)) for s in sources]
        return [cotangents.get(s._id) for s in sources]

    # --- explanations ------------------------------------------------------------------------------------------------

    def explain(self, target: Any, sources: Any) -> Explanation:
        """Why the gradient of ``target`` by ``sources`` is None, zero or not finite; print it.

        It does not use the tape up, and says as much as integers can after ``gradient`` did.

        >>> x = tf.constant(2.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        >>> tape.explain(y, x).reason
        'never watched'
        """
        from wengert.tape.explain import explain

        return explain(self, target, sources)

    def _report_none(self, target: Any, sources: Any, gradients: list[Any]) -> None:
        from wengert.tape.explanation import NoGradientError, NoGradientWarning

        if all(g is not None for g in gradients):
            return
        explanation = self.explain(target, sources)
        if self._on_none == "raise":
            raise NoGradientError(str(explanation))
        warnings.warn(str(explanation), NoGradientWarning, stacklevel=3)


def tensors_of(structure: Any, role: str) -> list[TensorLike]:
    """The tensors of a structure, checked."""
    if structure is None:
        raise TypeError(f"gradient: the {role} is None; it must be a tensor that the tape recorded")
    if structure.__class__ in TENSOR_CLASSES:
        return [structure]
    if structure.__class__ in (list, tuple):
        for leaf in structure:
            if leaf.__class__ not in TENSOR_CLASSES:
                break
        else:
            return list(structure)
    tensors = []
    for k, leaf in enumerate(nest.flatten(structure)):
        if isinstance(leaf, IndexedSlices):
            leaf = leaf.values
        if not isinstance(leaf, TensorLike):
            raise TypeError(
                f"gradient: {role} {k} is of type {type(leaf).__name__}, not a tensor. A tape differentiates with "
                "respect to Variables and to tensors that it watches: x = tf.constant(value); tape.watch(x), "
                "before using x."
            )
        tensors.append(leaf)
    return tensors


def _seeds(target: Any, targets: Sequence[TensorLike], output_gradients: Any) -> list[Any]:
    """The cotangent of each target as a Tensor; None for targets that carry no gradient."""
    if output_gradients is None:
        return [one_like(t._array) for t in targets]
    if isinstance(output_gradients, TensorLike) and len(targets) == 1:
        given = [output_gradients]
    else:
        given = nest.flatten_up_to(target, output_gradients)
    seeds = []
    for k, (t, g) in enumerate(zip(targets, given)):
        if g is not None and g.__class__ is not Tensor:
            g = convert_to_tensor(g, dtype=t.dtype) if not isinstance(g, TensorLike) else convert_to_tensor(g)
        if g is not None and g._array.shape != t._array.shape:
            raise InvalidArgumentError(
                f"output_gradients: part {k} has shape {g._array.shape}, its target has shape {t._array.shape}"
            )
        seeds.append(conjugate(g))
    return seeds


def one_like(array: Any) -> Tensor | None:
    """A seed of ones that no tape knows, or None where the dtype carries no derivative."""
    dtype = array.dtype
    if dtype.kind not in DIFFERENTIABLE_KINDS:
        return None
    seed = Tensor.__new__(Tensor)
    seed._array, seed._id = np.ones_like(array) if array.ndim else dtype.type(1), 0
    return seed


def conjugate(g: Any) -> Any:
    """From TensorFlow's convention for complex gradients to that of the rules, or back; None stays None."""
    return tensor_namespace.conj(g) if g is not None and g._array.dtype.kind == "c" else g


def _broadcasts(inputs: tuple[Any, ...], shape: tuple[int, ...]) -> bool:
    return any(x._array.shape != shape for x in inputs)


def _combined(xp: Any, dense: Any, rows: list[tuple[Any, Any]] | None) -> Any:
    """The dense cotangent and the sparse rows of one source, as one thing."""
    if rows is None:
        return dense
    values = xp.concatenate([v for v, _ in rows], axis=0) if len(rows) > 1 else rows[0][0]
    indices = xp.concatenate([i for _, i in rows], axis=0) if len(rows) > 1 else rows[0][1]
    if dense is None:
        return values, indices
    return dense + xp.scatter_rows(values, indices, rows=dense.shape[0])


def _finished(result: Any, target: Any, source: TensorLike) -> Any:
    """What the user gets for one source: its cotangent with the source's dtype, remembered as a gradient."""
    if isinstance(result, TensorLike):
        return conjugate(result)
    if result.__class__ is tuple:
        values, indices = (r if isinstance(r, Tensor) else Tensor(r) for r in result)
        return IndexedSlices(conjugate(values), indices, source.shape)
    dtype = source._array.dtype
    if result.dtype is not dtype and result.dtype != dtype:
        result = result.astype(dtype)  # 16-bit floats are pulled back in float32
    gradient = Tensor(result)
    note_origin(
        gradient._id, GRADIENT_RULE, (target._id, source._id) if isinstance(target, TensorLike) else (source._id,)
    )
    return conjugate(gradient) if dtype.kind == "c" else gradient


__all__ += ["MissingDerivativeError"]
