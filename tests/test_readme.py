"""Everything that the README and the documents show is run: programs and commands, and their results compared."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import wengert as tf

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


class Block(NamedTuple):
    """A fenced block of a page, and what the ``text`` block right after it says is printed."""

    language: str
    code: str
    printed: str | None
    page: str
    line: int


def blocks() -> list[Block]:
    found = []
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        fences = list(re.finditer(r"^```(\w+)\n(.*?)^```$", text, flags=re.M | re.S))
        for fence, after in zip(fences, [*fences[1:], None]):
            if fence[1] != "text":
                printed = after[2] if after is not None and after[1] == "text" else None
                found.append(Block(fence[1], fence[2], printed, path.stem, text.count("\n", 0, fence.start()) + 1))
    return found


PROGRAMS = [block for block in blocks() if block.language == "python"]
COMMANDS = [
    block._replace(code=line) for block in blocks() if block.language == "sh" for line in block.code.splitlines()
]


def test_every_block_is_of_a_kind_that_runs() -> None:
    assert {block.language for block in blocks()} == {"python", "sh"}
    assert len(PROGRAMS) >= 3
    assert COMMANDS


@pytest.mark.parametrize("block", PROGRAMS, ids=lambda block: f"{block.page}-line{block.line}")
def test_program(block: Block, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(block.code, encoding="utf-8")
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert block.printed is not None, "the page does not say what this program prints"
    assert done.stdout == block.printed


@pytest.mark.parametrize(
    "block", [block for block in COMMANDS if block.code.startswith("wengert ")], ids=lambda block: block.code
)
def test_command(block: Block, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    command = [sys.executable, "-c", "from wengert.commands import main; main()", *shlex.split(block.code)[1:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    if block.printed is not None:
        assert done.stdout == block.printed


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    "block", [block for block in COMMANDS if block.code.startswith("make ")], ids=lambda block: block.code
)
def test_make_target_makes_its_environment(block: Block, tmp_path: Path) -> None:
    """A dry run in a directory without environments; ``test_make_demo_in_a_clean_copy`` is the real one."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    done = subprocess.run(
        [*shlex.split(block.code), "--dry-run"], cwd=tmp_path, env=_outer_environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    made = next(k for k, line in enumerate(lines) if "-m venv" in line)
    assert "-m pip install" in lines[made + 1]
    assert len(lines) > made + 3


@pytest.mark.parametrize("block", COMMANDS, ids=lambda block: block.code)
def test_every_command_is_one_of_ours(block: Block) -> None:
    assert block.code.split()[0] in ("make", "wengert")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_demo_in_a_clean_copy(tmp_path: Path) -> None:
    """The real thing, from nothing but Python: needs the package index."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tmp_path / name)
    first = subprocess.run(["make", "demo"], cwd=tmp_path, env=_outer_environment(), capture_output=True, text=True)
    assert first.returncode == 0, first.stdout + first.stderr
    assert (tmp_path / "out" / "demo.png").stat().st_size > 10_000
    again = subprocess.run(["make", "demo", "--dry-run"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "pip install" not in again.stdout


def _outer_environment() -> dict[str, str]:
    """Without what an outer make tells its children."""
    return {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}


def test_the_ratios_are_those_of_the_results() -> None:
    results = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    summary = re.search(r"^## Summary.*?\n\n(.*?)(?:\n\n|\Z)", results, flags=re.M | re.S)
    assert summary is not None
    assert summary[1].strip() in README


@pytest.mark.parametrize("how", ["an array of tensors", "a write into an array"])
def test_the_limits_are_told_by_explain(how: str) -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        if how == "an array of tensors":
            array = np.array([x[0], x[1]])
        else:
            array = np.zeros(3)
            array[:2] = x
        loss = tf.reduce_sum(tf.constant(array))
    explanation = tape.explain(loss, x)
    assert explanation.reason == "left through NumPy"
    assert Path(__file__).name in str(explanation)
    assert tape.gradient(loss, x) is None
