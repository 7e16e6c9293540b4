"""``wengert run``: an existing script, with Wengert in TensorFlow's place."""

from __future__ import annotations

import linecache
import os
import runpy
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.text import Text

from wengert.as_tensorflow import (
    MissingModuleError,
    MissingNameError,
    missing_names,
    nearest_names,
    wanted_at,
    wengert_as_tensorflow,
)
from wengert.lineage import is_library_file

__all__ = ["run_script"]


def run_script(script: Path, arguments: Sequence[str]) -> int:
    """Run ``script`` as ``__main__`` with ``import tensorflow`` resolved to Wengert.

    Returns:
        The exit code: 0, or 1 after an error, which has been printed as Python would (``SystemExit`` passes through).
    """
    path = os.fspath(script)
    try:
        with wengert_as_tensorflow(), _command_line(path, arguments):
            runpy.run_path(path, run_name="__main__")
    except (MissingNameError, MissingModuleError) as error:
        _print_missing(error)
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        shown = _from_script_on(error.__traceback__, path)
        traceback.print_exception(type(error), error, shown)
        return 1
    return 0


@contextmanager
def _command_line(path: str, arguments: Sequence[str]) -> Iterator[None]:
    """``sys.argv`` and ``sys.path`` as they are for a script that Python itself runs."""
    argv, search = sys.argv, sys.path
    sys.argv = [path, *arguments]
    sys.path = [os.path.dirname(os.path.abspath(path)), *search]
    try:
        yield
    finally:
        sys.argv, sys.path = argv, search


def _from_script_on(trace: TracebackType | None, path: str) -> TracebackType | None:
    """The traceback without the frames that ran the script; None if the script itself did not start."""
    while trace is not None and trace.tb_frame.f_code.co_filename != path:
        trace = trace.tb_next
    return trace


def _print_missing(error: MissingNameError | MissingModuleError) -> None:
    """Say which name is missing, where, what comes near, and what else the script will miss."""
    dotted, filename, lineno = error.dotted, "", 0
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not is_library_file[code.co_filename] and not code.co_filename.startswith("<frozen"):
            filename, lineno = code.co_filename, trace.tb_lineno
            dotted = wanted_at(code, trace.tb_lasti, _source(filename), error.dotted)
        trace = trace.tb_next
    text = Text.assemble(("Wengert has no ", "bold red"), (dotted, "bold red"), "\n")
    text.append(f"  {filename}:{lineno}\n", "cyan")
    text.append(f"    {linecache.getline(filename, lineno).strip()}\n")
    nearest = nearest_names(dotted)
    if nearest:
        text.append(f"The nearest that exist: {', '.join(nearest)}\n")
    others = [name for name in missing_names(_source(filename)) if name != dotted]
    if others:
        text.append("The script also uses, and Wengert has no:\n")
        text.append("".join(f"  {name} (line {name.lineno})\n" for name in others))
    Console(stderr=True).print(text, end="", soft_wrap=True, highlight=False)


def _source(filename: str) -> str:
    return "".join(linecache.getlines(filename))
