"""The page of NumPy's functions says what is there: no more, no less."""

from __future__ import annotations

import re
from pathlib import Path

from wengert.numpy.coverage import coverage_page

PAGE = (Path(__file__).parent.parent / "docs" / "numpy.md").read_text(encoding="utf-8")


def sections(page: str) -> dict[str, set[str]]:
    parts = re.split(r"^## (.*)$", page, flags=re.M)
    return {title: set(re.findall(r"`(\w+)`", text)) for title, text in zip(parts[1::2], parts[2::2])}


def test_everything_that_is_there_is_on_the_page():
    written = sections(PAGE)
    for title, names in sections(coverage_page()).items():
        assert not names - written[title], "run: python -m wengert.numpy.coverage > docs/numpy.md"


def test_everything_on_the_page_that_this_numpy_has_is_there():
    import numpy as np

    rooms = {"`np`": np, "`np.linalg`": np.linalg, "`np.fft`": np.fft, "Methods and attributes": np.ndarray}
    there = sections(coverage_page())
    for title, names in sections(PAGE).items():
        assert not {n for n in names if hasattr(rooms[title], n)} - there[title]
