"""Prints the results of a benchmark, and keeps them with a description of the machine."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table as RichTable

from wengert.benchmark.runner import LABELS, Contender, Plan, Results, measure

__all__ = ["run_benchmark"]

WENGERT: Final = Contender("wengert", "")

#: (task, contender) -> the largest ratio of Wengert's time to the contender's that Wengert means to keep
TARGETS: Final = {
    ("square", "PyTorch eager"): 0.5,
    ("square", "TensorFlow eager"): 0.06,
    ("small_perceptron", "PyTorch eager"): 0.8,
    ("small_perceptron", "TensorFlow eager"): 0.12,
    ("large_perceptron", "PyTorch eager"): 1.1,
}
#: seconds of ``import wengert``
IMPORT_TARGET: Final = 0.35
#: gradients that differ by more, relative to the largest entry, are wrong
TOLERANCE: Final = 1e-4

_TITLES: Final = {
    "elementwise": "One small element-wise operation: the product of two arrays of 4 float32",
    "square": "Gradient of x * x at one float32",
    "small_perceptron": "Gradient of a perceptron, 32 x 64-64-64-1, tanh, mean of squares, float32",
    "large_perceptron": "Gradient of a perceptron, 256 x 784-512-512-10, tanh, mean of squares, float32",
}


_SHORT_TITLES: Final = {
    "elementwise": "small product",
    "square": "gradient of x * x",
    "small_perceptron": "small perceptron",
    "large_perceptron": "large perceptron",
}


class Table(NamedTuple):
    """A title, the headings, and the rows."""

    title: str
    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def run_benchmark(
    console: Console, *, peers_python: Path, quick: bool = False, rounds: int | None = None, output: Path | None = None
) -> bool:
    """Measure, print, and write a Markdown file to ``output`` if that is given.

    Args:
        console: to print to.
        peers_python: of the environment where the peers are.
        quick: measure only as much as shows that everything works.
        rounds: repetitions of each measurement, instead of the usual number.
        output: the Markdown file.

    Returns:
        Whether all frameworks gave the same gradients.

    Raises:
        OSError: ``output`` cannot be written, or ``peers_python`` cannot be run.
        WorkerError: Wengert itself failed.
    """
    plan = Plan.quick() if quick else Plan()
    if rounds is not None:
        plan = Plan(rounds, plan.seconds, plan.import_rounds, plan.memory_steps)
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.touch()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("starting", total=None)
        results = measure(
            peers_python,
            plan,
            lambda what, done, of: progress.update(bar, description=what, completed=done, total=of),
        )
    facts = list(_facts(results, load))
    tables = list(_tables(results))
    for fact in facts:
        console.print(f"- {fact}", highlight=False)
    for table in tables:
        _print(console, table)
    if output is not None:
        output.write_text(_markdown(results, facts, tables), encoding="utf-8")
        console.print(f"Kept in {output}", highlight=False, soft_wrap=True)
    return max(results.deviations.values()) <= TOLERANCE


# --- tables ----------------------------------------------------------------------------------------------------------


def _tables(results: Results) -> Iterator[Table]:
    yield _summary(results)
    for task, times in results.times.items():
        yield _time_table(task, times)
    yield _import_table(results)
    yield _memory_table(results)
    rows = [(c.label, f"{d:.1e}", "yes" if d <= TOLERANCE else "NO") for c, d in results.deviations.items()]
    yield Table("Gradients against those written by hand", ("", "largest relative deviation", "same"), rows)


def _summary(results: Results) -> Table:
    """The ratios of all tasks, import times and memory: a row for each contender."""
    rows = []
    for contender in results.contenders:
        if contender == WENGERT:
            cells = [f"{_digits(float(np.median(times[WENGERT]) * 1e6))} us" for times in results.times.values()]
        else:
            cells = [_digits(_ratio(times, contender), 2) for times in results.times.values()]
        cells.append(f"{np.median(results.imports[contender.framework]):.2f} s")
        cells.append(f"{results.memory[contender.framework][1] / 2**20:.0f} MiB")
        rows.append((contender.label, *cells))
    return Table("Summary", ("Wengert's time / its", *_SHORT_TITLES.values(), "import", "memory"), rows)


def _digits(value: float, count: int = 3) -> str:
    """So many significant digits, without an exponent."""
    return f"{value:.{count}g}" if value < 10**count else f"{value:.0f}"


def _time_table(task: str, times: dict[Contender, list[float]]) -> Table:
    rows = []
    for contender, seconds in sorted(times.items(), key=lambda item: float(np.median(item[1]))):
        low, middle, high = (_digits(value * 1e6) for value in np.percentile(seconds, [25, 50, 75]))
        ratio = _ratio(times, contender)
        target = TARGETS.get((task, contender.label))
        rows.append(
            (
                contender.label,
                middle,
                f"{low} to {high}",
                "" if contender == WENGERT else _digits(ratio),
                "" if target is None else f"at most {target} {_verdict(ratio <= target)}",
            )
        )
    return Table(_TITLES[task], ("", "median us", "middle half us", "Wengert's / its", "target"), rows)


def _ratio(times: dict[Contender, list[float]], contender: Contender) -> float:
    """The median of the ratios of Wengert's time to the contender's in the same round."""
    return float(np.median(np.divide(times[WENGERT], times[contender])))


def _import_table(results: Results) -> Table:
    rows = []
    for name, seconds in results.imports.items():
        median = float(np.median(seconds))
        target = f"under {IMPORT_TARGET} s {_verdict(median < IMPORT_TARGET)}" if name == "wengert" else ""
        rows.append((LABELS[name], f"{median:.3f}", f"{min(seconds):.3f} to {max(seconds):.3f}", target))
    return Table("Import in a fresh process", ("", "median s", "range", "target"), rows)


def _memory_table(results: Results) -> Table:
    rows = [
        (LABELS[name], f"{imported / 2**20:.0f}", f"{after / 2**20:.0f}")
        for name, (imported, after) in results.memory.items()
    ]
    steps = results.plan.memory_steps
    return Table("Resident memory, MiB", ("", "after import", f"after {steps} steps of the small perceptron"), rows)


def _verdict(reached: bool) -> str:
    return "(reached)" if reached else "(MISSED)"


# --- the machine -----------------------------------------------------------------------------------------------------


def _facts(results: Results, load: float) -> Iterator[str]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield f"Processor: {_processor()}, {cores} cores; {platform.system()}"
    yield f"Versions: {', '.join(f'{name} {version}' for name, version in results.versions.items())}"
    if results.blas:
        yield f"BLAS of NumPy and Wengert: {results.blas}"
    for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        value = os.environ.get(variable)
        yield f"{variable}: {'unset' if value is None else f'set to {value}, which changes the BLAS kernel'}"
    yield f"Load average when it began: {load:.2f}"
    plan = results.plan
    yield (
        f"{plan.rounds} rounds; in each, every contender repeats its work for about {plan.seconds * 1000:.0f} ms while "
        "all others wait, in a new order each round"
    )
    for name, why in results.failures.items():
        yield f"{name} was left out: {why}"


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


# --- printing --------------------------------------------------------------------------------------------------------


def _print(console: Console, table: Table) -> None:
    printed = RichTable(title=table.title, title_justify="left", title_style="bold")
    for k, heading in enumerate(table.headings):
        printed.add_column(heading, justify="right" if k else "left")
    for row in table.rows:
        printed.add_row(*row, style="bold" if row[0] == WENGERT.label else "")
    console.print(printed)


def _markdown(results: Results, facts: list[str], tables: list[Table]) -> str:
    lines = [
        "# Results of the benchmark",
        "",
        f"Written by `wengert bench` on {datetime.datetime.now(tz=datetime.UTC).date()}; `make bench` does it again.",
        "A ratio is the median, over the rounds, of Wengert's time divided by the contender's in the same round:",
        "below 1, Wengert is faster. Every framework runs with its defaults, on as many threads as it likes.",
        "",
        *(f"- {fact}" for fact in facts),
    ]
    if results.plan == Plan.quick():
        lines += ["", "**This was a quick look (`--quick`): the numbers are rough.**"]
    for table in tables:
        lines += ["", f"## {table.title}", ""]
        lines.append(f"| {' | '.join(table.headings)} |")
        lines.append(f"|{'---|' * len(table.headings)}")
        lines += [f"| {' | '.join(row)} |" for row in table.rows]
    return "\n".join(lines) + "\n"
