"""The benchmark runs from an installed package, measures fairly, and notices wrong gradients."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from wengert.benchmark import WorkerError, find_peers_python, report, run_benchmark, runner, worker
from wengert.benchmark.runner import Contender, Plan, Results, measure

TINY = Plan(rounds=2, seconds=0.001, import_rounds=1, memory_steps=5)
WENGERT, NUMPY, TORCH = Contender("wengert", ""), Contender("numpy", ""), Contender("torch", "eager")


@pytest.fixture
def no_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_installed", lambda python: [])


@pytest.mark.usefixtures("no_peers")
def test_it_measures_everything() -> None:
    told: list[str] = []
    results = measure(Path(sys.executable), TINY, lambda what, done, of: told.append(what))
    assert results.contenders == [WENGERT, NUMPY]
    assert set(results.times) == set(worker.TASKS) <= set(told)
    for times in results.times.values():
        assert all(len(seconds) == 2 and min(seconds) > 0 for seconds in times.values())
    assert set(results.imports) == set(results.memory) == {"wengert", "numpy"}
    assert max(results.deviations.values()) < 1e-5
    assert {"Python", "numpy", "wengert"} <= set(results.versions)


@pytest.mark.usefixtures("no_peers")
def test_it_writes_the_results_with_the_machine_and_without_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Plan, "quick", classmethod(lambda cls: TINY))
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    monkeypatch.setenv("OPENBLAS_L2_SIZE", "1024")
    written = io.StringIO()
    output = tmp_path / "new" / "RESULTS.md"
    console = Console(file=written, width=200)
    assert run_benchmark(console, peers_python=Path(sys.executable), quick=True, output=output)
    text = output.read_text(encoding="utf-8")
    for part in ("## Summary", "Processor: ", "OPENBLAS_CORETYPE: unset", "OPENBLAS_L2_SIZE: set to 1024", "rough"):
        assert part in text
    assert sys.prefix not in text
    assert str(tmp_path) not in text
    assert "Gradient of x * x at one float32" in written.getvalue()


@pytest.mark.usefixtures("no_peers")
def test_it_fails_if_a_gradient_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    right = runner._compare_gradients

    def wrong(results: Results, processes: dict[str, Any]) -> None:
        right(results, processes)
        results.deviations[WENGERT] = 0.01

    monkeypatch.setattr(runner, "_compare_gradients", wrong)
    monkeypatch.setattr(Plan, "quick", classmethod(lambda cls: TINY))
    written = io.StringIO()
    assert not run_benchmark(Console(file=written, width=200), peers_python=Path(sys.executable), quick=True)
    assert "NO" in written.getvalue()


def test_a_peer_that_does_not_start_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_installed", lambda python: ["torch"])
    monkeypatch.setattr(worker.FRAMEWORKS["torch"], "module", "a_module_that_is_not_there", raising=False)
    results = measure(Path(sys.executable), TINY, lambda what, done, of: None)
    assert results.contenders == [WENGERT, NUMPY]
    assert "a_module_that_is_not_there" in results.failures["torch"]


def test_wengert_itself_must_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_installed", lambda python: [])
    monkeypatch.setattr(worker.FRAMEWORKS["wengert"], "module", "a_module_that_is_not_there")
    with pytest.raises(WorkerError, match=r"Wengert: .*a_module_that_is_not_there"):
        measure(Path(sys.executable), TINY, lambda what, done, of: None)


def test_the_peers_are_found_in_the_environment_of_make_bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_peers_python() == Path(sys.executable)
    python = tmp_path / ".venv-bench" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    assert find_peers_python().samefile(python)


def test_a_ratio_is_the_median_of_neighbouring_rounds() -> None:
    times = {WENGERT: [1.0, 10.0, 2.0], TORCH: [2.0, 20.0, 1.0]}
    assert report._ratio(times, TORCH) == 0.5


@pytest.mark.parametrize(("ratio", "verdict"), [(0.49, "(reached)"), (0.51, "(MISSED)")])
def test_the_target_stands_beside_the_ratio(ratio: float, verdict: str) -> None:
    table = report._time_table("square", {WENGERT: [ratio], TORCH: [1.0]})
    assert next(row for row in table.rows if row[0] == "PyTorch eager")[-1] == f"at most 0.5 {verdict}"


@pytest.mark.parametrize("name", ["wengert", "numpy"])
def test_a_worker_answers(name: str, tmp_path: Path) -> None:
    answer: Callable[..., Any] = worker.Worker(name).answer
    assert answer({"do": "calibrate", "task": "square", "seconds": 0.001})["count"] >= 1
    assert answer({"do": "time", "task": "square", "count": 3})["seconds"] > 0
    answer({"do": "gradients", "task": "square", "path": str(tmp_path / "g.npz")})
    assert (tmp_path / "g.npz").exists()
    assert worker.resident_memory() > 10 * 2**20
