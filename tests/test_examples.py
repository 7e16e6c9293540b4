"""The scripts in ``examples/`` say ``import tensorflow``, and print under ``wengert run`` what their comments say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_prints_what_it_says(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert "import tensorflow as tf" in source
    command = [sys.executable, "-c", "from wengert.commands import main; main()", "run", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == re.findall(r"# Output: (.*)", source)
