"""The examples in the docstrings of everything public, primitives included, run as printed."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from typing import Any

import numpy as np
import pytest

import wengert as tf
from wengert.primitives.primitive import Primitive

PARSER = doctest.DocTestParser()


def examples() -> list[Any]:
    found = {}
    for info in pkgutil.walk_packages(tf.__path__, "wengert."):
        module = importlib.import_module(info.name)
        for test in doctest.DocTestFinder(exclude_empty=True).find(module):
            if test.examples:
                found[test.name] = test
        for name, value in vars(module).items():
            if isinstance(value, Primitive) and value.__module__ == module.__name__ and value.__doc__:
                test = PARSER.get_doctest(value.__doc__, {}, f"{module.__name__}.{name}", module.__file__, 0)
                if test.examples:
                    found[test.name] = test
    return [pytest.param(test, id=name) for name, test in sorted(found.items())]


@pytest.mark.parametrize("test", examples())
def test_example(test: doctest.DocTest) -> None:
    test.globs = {**test.globs, "tf": tf, "np": np}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    messages: list[str] = []
    runner.run(test, out=messages.append)
    assert not runner.failures, "".join(messages)
