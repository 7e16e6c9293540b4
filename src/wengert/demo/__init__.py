"""The main job: train on scanned digits, check the articles' programs, explain lost gradients."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from wengert.demo.digits import load_digits, train
from wengert.demo.report import print_lost_gradients, print_programs, print_training, save_picture, training_progress

__all__ = ["run_demo"]

#: the accuracy on held-out digits that the classifier has to reach
WANTED_ACCURACY = 0.95


def run_demo(console: Console, output: Path) -> bool:
    """Run the whole demo, print to ``console`` and save the picture to ``output``.

    Returns:
        Whether the accuracy was reached and every program gave the expected result.

    Raises:
        OSError: the picture cannot be written.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    console.rule("1. Training on handwritten digits")
    digits = load_digits()
    with training_progress(console) as watcher:
        history = train(digits, watcher=watcher)
    print_training(console, history)
    save_picture(history, output)
    console.print(f"Picture of the loss and the gradient norms: {output}", highlight=False, soft_wrap=True)
    console.rule("2. The articles' programs")
    right = print_programs(console)
    console.rule("3. Where a gradient was lost")
    print_lost_gradients(console)
    learned = history.accuracy >= WANTED_ACCURACY
    if not learned:
        console.print(f"[bold red]The classifier reached {history.accuracy:.1%}, less than {WANTED_ACCURACY:.0%}.[/]")
    return learned and right
