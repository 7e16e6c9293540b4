"""Starts the workers, lets them take turns, and collects what they measured."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from wengert.benchmark import worker
from wengert.benchmark.worker import FRAMEWORKS, TASKS

__all__ = ["LABELS", "Contender", "Plan", "Results", "WorkerError", "find_peers_python", "measure"]

#: what Wengert's Python runs; the others run in the peers' Python
_OWN: Final = ("wengert", "numpy")

#: how tables call the frameworks
LABELS: Final = {
    "wengert": "Wengert",
    "numpy": "NumPy by hand",
    "torch": "PyTorch",
    "tensorflow": "TensorFlow",
    "jax": "JAX",
    "autograd": "autograd",
}

#: pause before each turn, for the threads of the one before to fall asleep
_SETTLE: Final = 0.005


@dataclass(frozen=True)
class Contender:
    """A framework, in one of the ways to use it."""

    framework: str
    variant: str

    @property
    def label(self) -> str:
        """Its name in the tables."""
        return f"{LABELS[self.framework]} {self.variant}".strip()


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    rounds: int = 41
    #: of one repetition
    seconds: float = 0.05
    import_rounds: int = 5
    memory_steps: int = 1000

    @classmethod
    def quick(cls) -> Plan:
        """Enough to see that everything works."""
        return cls(rounds=3, seconds=0.005, import_rounds=1, memory_steps=100)


@dataclass
class Results:
    """Everything that was measured; times in seconds, memory in bytes."""

    plan: Plan
    contenders: list[Contender] = field(default_factory=list)
    #: task -> contender -> seconds of one call in each round
    times: dict[str, dict[Contender, list[float]]] = field(default_factory=dict)
    #: framework -> seconds of each fresh import
    imports: dict[str, list[float]] = field(default_factory=dict)
    #: framework -> bytes after the import, bytes after the steps
    memory: dict[str, tuple[int, int]] = field(default_factory=dict)
    #: contender -> largest deviation of its gradients from those written by hand, relative to the largest entry
    deviations: dict[Contender, float] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    #: the BLAS that NumPy, and so Wengert, runs on
    blas: str = ""
    #: framework -> why it was left out
    failures: dict[str, str] = field(default_factory=dict)


class WorkerError(RuntimeError):
    """A worker could not do what it was asked."""


class _Process:
    """A worker process: asked one thing at a time."""

    def __init__(self, python: str | Path, framework: str, stderr: IO[bytes]) -> None:
        self._stderr = stderr
        self._process = subprocess.Popen(
            [str(python), "-P", worker.__file__, framework],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            print(json.dumps(request), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self._stderr.seek(0)
            last = (self._stderr.read().decode(errors="replace").strip().splitlines() or ["no message"])[-1]
            raise WorkerError(f"the process ended: {last}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise WorkerError(answer["error"])
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def find_peers_python() -> Path:
    """The Python of ``.venv-bench`` below the working directory, which ``make bench`` makes; else the running one."""
    python = Path(".venv-bench/bin/python")
    return python if python.exists() else Path(sys.executable)


def measure(peers_python: Path, plan: Plan, tell: Callable[[str, int, int], None]) -> Results:
    """Measure everything.

    Args:
        peers_python: of the environment where the peers are.
        plan: how much.
        tell: is called with ``(what, done, of)`` as it goes on.

    Raises:
        WorkerError: Wengert itself failed; a peer that fails is left out, and ``failures`` says why.
    """
    pythons = dict.fromkeys(_OWN, sys.executable)
    pythons.update({name: str(peers_python) for name in _installed(peers_python)})
    results = Results(plan)
    _measure_imports(results, pythons, tell)
    _measure_memory(results, pythons, tell)
    with ExitStack() as stack:
        processes = {}
        for name in [name for name in FRAMEWORKS if name in pythons and name not in results.failures]:
            process = _Process(pythons[name], name, stack.enter_context(tempfile.TemporaryFile()))
            stack.callback(process.close)
            try:
                said = process.ask(do="versions")
            except WorkerError as error:
                _leave_out(results, name, error)
                continue
            processes[name] = process
            results.versions.update({k: v for k, v in said["versions"].items() if name in ("wengert", k)})
            results.blas = said["blas"] if name == "numpy" else results.blas
        results.contenders = [Contender(name, v) for name in processes for v in FRAMEWORKS[name].variants]
        _compare_gradients(results, processes)
        for task in TASKS:
            results.times[task] = _take_turns(results, processes, task, tell)
    return results


def _installed(python: Path) -> list[str]:
    """The peers that this Python has."""
    peers = [name for name in FRAMEWORKS if name not in _OWN]
    program = f"import importlib.util as u; print(*[n for n in {peers!r} if u.find_spec(n)])"
    return _output([str(python), "-P", "-c", program]).split()


def _output(command: Sequence[str]) -> str:
    # byte code is cached, as it is after an installation: a checkout would be compiled anew by each process
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise WorkerError((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])
    return done.stdout


def _leave_out(results: Results, name: str, error: WorkerError) -> None:
    """A peer that fails is left out; the benchmark is about Wengert, so that must work."""
    if name in _OWN:
        raise WorkerError(f"{LABELS[name]}: {error}") from None
    results.failures[name] = str(error)
    results.contenders = [c for c in results.contenders if c.framework != name]


def _measure_imports(results: Results, pythons: dict[str, str], tell: Callable[[str, int, int], None]) -> None:
    """Seconds of ``import`` in fresh processes, in turns; the first, which fills the disk's cache, does not count."""
    for turn in range(results.plan.import_rounds + 1):
        tell("import time", turn, results.plan.import_rounds + 1)
        for name, python in pythons.items():
            if name in results.failures:
                continue
            module = FRAMEWORKS[name].module
            program = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
            try:
                seconds = float(_output([python, "-P", "-c", program]).split()[-1])
            except WorkerError as error:
                _leave_out(results, name, error)
                continue
            if turn:
                results.imports.setdefault(name, []).append(seconds)


def _measure_memory(results: Results, pythons: dict[str, str], tell: Callable[[str, int, int], None]) -> None:
    """Each framework in a process that has done nothing else."""
    names = [name for name in pythons if name not in results.failures]
    for k, name in enumerate(names):
        tell("memory", k, len(names))
        with tempfile.TemporaryFile() as stderr:
            process = _Process(pythons[name], name, stderr)
            try:
                said = process.ask(do="memory", steps=results.plan.memory_steps)
                results.memory[name] = (said["imported"], said["after"])
            except WorkerError as error:
                _leave_out(results, name, error)
            finally:
                process.close()


def _compare_gradients(results: Results, processes: dict[str, _Process]) -> None:
    """The largest deviation of each contender from the gradients written by hand."""
    with tempfile.TemporaryDirectory() as directory:
        path = str(Path(directory, "gradients.npz"))

        def gradients(contender: Contender, task: str) -> list[Any]:
            processes[contender.framework].ask(do="gradients", task=task, variant=contender.variant, path=path)
            with np.load(path) as arrays:
                return [arrays[name] for name in arrays.files]

        by_hand = {task: gradients(Contender("numpy", ""), task) for task in TASKS[1:]}
        for contender in results.contenders:
            try:
                results.deviations[contender] = max(
                    float(np.max(np.abs(g - right)) / np.max(np.abs(right)))
                    for task in TASKS[1:]
                    for g, right in zip(gradients(contender, task), by_hand[task], strict=True)
                )
            except WorkerError as error:
                _leave_out(results, contender.framework, error)


def _take_turns(
    results: Results, processes: dict[str, _Process], task: str, tell: Callable[[str, int, int], None]
) -> dict[Contender, list[float]]:
    """In each round every contender repeats the task for a moment, in a new order, while all others wait."""
    tell(task, 0, results.plan.rounds)
    counts = {}
    for contender in results.contenders:
        said = processes[contender.framework].ask(
            do="calibrate", task=task, variant=contender.variant, seconds=results.plan.seconds
        )
        counts[contender] = said["count"]
    times: dict[Contender, list[float]] = {contender: [] for contender in results.contenders}
    shuffle = random.Random(0).shuffle
    order = list(results.contenders)
    for turn in range(results.plan.rounds):
        shuffle(order)
        for contender in order:
            time.sleep(_SETTLE)
            said = processes[contender.framework].ask(
                do="time", task=task, variant=contender.variant, count=counts[contender]
            )
            times[contender].append(said["seconds"])
        tell(task, turn + 1, results.plan.rounds)
    return times
