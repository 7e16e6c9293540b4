"""What the demo prints and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from wengert.demo.digits import History
from wengert.demo.lost import LOST_GRADIENTS
from wengert.demo.programs import PROGRAMS, agrees

__all__ = ["print_lost_gradients", "print_programs", "print_training", "save_picture", "training_progress"]


@contextmanager
def training_progress(console: Console) -> Iterator[Callable[[int, int, float], None]]:
    """A progress bar; yields the function to be told of every step."""
    columns = (
        TextColumn("training"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.4f}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("training", total=None, loss=float("nan"))
        yield lambda step, steps, loss: progress.update(task, completed=step, total=steps, loss=loss)


def print_training(console: Console, history: History) -> None:
    """The accuracies, and the norms of each layer's gradient."""
    table = Table("layer", title="Norm of the gradient")
    for heading in ("first step", "median", "largest", "last step"):
        table.add_column(heading, justify="right")
    for layer, norms in history.norms.items():
        table.add_row(layer, *(f"{value:.4f}" for value in (norms[0], np.median(norms), max(norms), norms[-1])))
    console.print(table)
    console.print(
        f"Accuracy: {history.train_accuracy:.1%} on the training digits, "
        f"[bold]{history.accuracy:.1%} on the held-out digits[/]"
    )


def save_picture(history: History, output: Path) -> None:
    """The loss and the gradient norms of each layer over the steps.

    Raises:
        OSError: the file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), layout="constrained")
    FigureCanvasAgg(figure)
    loss_axes, norm_axes = figure.subplots(1, 2)
    curves = [(loss_axes, "loss", history.losses), *((norm_axes, name, norms) for name, norms in history.norms.items())]
    for axes, label, values in curves:
        (line,) = axes.plot(values, alpha=0.25)
        axes.plot(_smoothed(values), color=line.get_color(), label=label)
        axes.set(xlabel="step", yscale="log")
        axes.legend()
    loss_axes.set_title("Cross-entropy of each batch")
    norm_axes.set_title("Norm of each layer's gradient")
    figure.savefig(output, dpi=120, format=output.suffix.lstrip(".") or "png")


def _smoothed(values: list[float], width: int = 25) -> Any:
    """The running geometric mean, for a logarithmic axis."""
    width = min(width, len(values))
    logs = np.convolve(np.log(np.maximum(values, 1e-12)), np.full(width, 1.0 / width), mode="valid")
    return np.concatenate([np.full(width - 1, np.nan), np.exp(logs)])


def print_programs(console: Console) -> bool:
    """Run every program and print what it gave beside what is right.

    Returns:
        Whether all agree.
    """
    table = Table("", "article", "program", "got", "expected", show_lines=False)
    right = True
    for program in PROGRAMS:
        try:
            got = program.run()
        except Exception as error:  # a program that breaks is a wrong row, and the rows after it still run
            got = f"{type(error).__name__}: {error}"
        fits = agrees(got, program.expected)
        right = right and fits
        mark = Text("✓", "bold green") if fits else Text("✗", "bold red")
        table.add_row(mark, program.article, Text(program.text), Text(_shown(got)), Text(_shown(program.expected)))
    console.print(table)
    return right


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, float):
        return str(round(value, 5))
    return str(value)


def print_lost_gradients(console: Console) -> None:
    """Three explanations."""
    for case in LOST_GRADIENTS:
        console.print(f"\n[bold]{case.__doc__}:[/]\n")
        console.print(Text(str(case())), soft_wrap=True)
