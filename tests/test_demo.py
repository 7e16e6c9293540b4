"""The main job: it learns, draws, and every program of the articles gives what is right."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
import pytest
from rich.console import Console

from wengert.demo import run_demo
from wengert.demo.digits import Digits, History, load_digits, train
from wengert.demo.lost import LOST_GRADIENTS, accuracy_as_loss, left_through_numpy, rebound
from wengert.demo.programs import PROGRAMS, Program, agrees


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[bool, str, Path]:
    picture = tmp_path_factory.mktemp("demo") / "new" / "picture.png"
    written = io.StringIO()
    passed = run_demo(Console(file=written, width=160), picture)
    return passed, written.getvalue(), picture


def test_the_demo_passes(demo: tuple[bool, str, Path]) -> None:
    passed, text, _ = demo
    assert passed, text
    assert text.count("✓") == len(PROGRAMS)
    assert "✗" not in text


def test_the_demo_prints_the_gradient_norms_of_each_layer(demo: tuple[bool, str, Path]) -> None:
    _, text, _ = demo
    assert "Norm of the gradient" in text
    assert "hidden" in text
    assert "scores" in text


def test_the_demo_explains_three_lost_gradients(demo: tuple[bool, str, Path]) -> None:
    _, text, _ = demo
    assert text.count("No gradient: ") == len(LOST_GRADIENTS) == 3


def test_the_picture_is_not_blank(demo: tuple[bool, str, Path]) -> None:
    image = matplotlib.image.imread(demo[2])
    assert image.shape[:2] == (480, 1200)
    left, right = np.array_split(image[..., :3], 2, axis=1)
    for half in (left, right):
        assert len(np.unique(half.reshape(-1, 3), axis=0)) > 20


def test_the_classifier_reaches_95_percent_of_held_out_digits() -> None:
    digits = load_digits()
    assert len(digits.test_labels) == 360
    history = train(digits, epochs=15)
    assert history.accuracy >= 0.95
    assert np.mean(history.losses[-40:]) < 0.2 * np.mean(history.losses[:40])


def test_training_is_reproducible() -> None:
    whole = load_digits()
    digits = Digits(whole.train_images[:64], whole.train_labels[:64], whole.test_images, whole.test_labels)
    first, second = (train(digits, epochs=2) for _ in range(2))
    assert isinstance(first, History)
    assert first == second


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_program(program: Program) -> None:
    got = program.run()
    assert agrees(got, program.expected), (got, program.expected)


@pytest.mark.parametrize(
    ("case", "reason", "line"),
    [
        (left_through_numpy, "left through NumPy", "@ weights).numpy()"),
        (rebound, "name rebound", "weights = weights - 0.1 * gradient"),
        (accuracy_as_loss, "integer or boolean", "tf.argmax(scores, axis=1)"),
    ],
)
def test_lost_gradient_is_explained_with_its_line(case: Callable[[], Any], reason: str, line: str) -> None:
    explanation = case()
    assert explanation.reason == reason
    assert line in str(explanation)
    assert "Fix: " in str(explanation)
