"""Where tensors came from: identities, and a bounded memory of which operation made which from which.

Each tensor has an integer id, which also tells the time: ids only grow. For every operation one row of integers (and
the place in the user's code) goes into a ring of fixed size, whether or not a tape listens. The ring keeps no array
alive; it is what lets :meth:`GradientTape.explain` say where a gradient was lost, even for operations that ran before
the tape.
"""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from collections import deque
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple

import numpy as np

__all__ = [
    "Event",
    "Origin",
    "Place",
    "children_of_everything",
    "note_event",
    "note_origin",
    "origin_of",
    "recent_events",
    "tick",
    "user_frame",
    "user_place",
]

#: the next id
tick = itertools.count(1).__next__

SIZE: Final = 1 << 15
MASK: Final = SIZE - 1
RING: Final[list[tuple[int, Any, tuple[int, ...], CodeType, int] | None]] = [None] * SIZE

_HERE: Final = os.path.dirname(os.path.abspath(__file__)) + os.sep
_ROOTS: Final = (_HERE, os.path.dirname(np.__file__) + os.sep)
#: programs that come with the package: their lines are shown as a user's
_PROGRAMS: Final = (_HERE + "demo" + os.sep, _HERE + "benchmark" + os.sep)


class _LibraryFiles(dict[str, bool]):
    """Remembers for each file name whether it is Wengert's or NumPy's own."""

    def __missing__(self, filename: str) -> bool:
        answer = self[filename] = filename.startswith(_ROOTS) and not filename.startswith(_PROGRAMS)
        return answer


is_library_file: Final = _LibraryFiles()


class Place(NamedTuple):
    """A line of the user's code."""

    filename: str
    lineno: int
    function: str

    @property
    def text(self) -> str:
        """The source of the line, stripped; empty if it cannot be read."""
        return linecache.getline(self.filename, self.lineno).strip()

    def __str__(self) -> str:
        return f"{self.filename}:{self.lineno}"


class Origin(NamedTuple):
    """How a tensor came to be: the operation, the ids it was made from, and the line."""

    id: int
    rule: Any
    inputs: tuple[int, ...]
    code: CodeType
    instruction: int

    @property
    def place(self) -> Place:
        """The user's line that ran the operation."""
        return _place(self.code, self.instruction)


class Event(NamedTuple):
    """A value that went where the tape cannot see it: into NumPy, into Python, or into a Variable."""

    time: int
    kind: str
    source: int
    destination: int
    place: Place


#: the latest exits and assignments
events: Final[deque[tuple[int, str, int, int, CodeType, int]]] = deque(maxlen=4096)


def user_frame(depth: int = 1) -> FrameType:
    """The innermost frame that is not Wengert's or NumPy's own."""
    frame = sys._getframe(depth)
    while is_library_file[frame.f_code.co_filename] and frame.f_back is not None:
        frame = frame.f_back
    return frame


def user_place() -> Place:
    """The user's line that is running now."""
    frame = user_frame(2)
    return _place(frame.f_code, frame.f_lasti)


def note_origin(identity: int, rule: Any, inputs: tuple[int, ...]) -> None:
    """Remember which operation made the tensor ``identity``."""
    frame = sys._getframe(2)
    while is_library_file[frame.f_code.co_filename] and frame.f_back is not None:
        frame = frame.f_back
    RING[identity & MASK] = (identity, rule, inputs, frame.f_code, frame.f_lasti)


def origin_of(identity: int) -> Origin | None:
    """How the tensor ``identity`` was made, or None for a leaf or one made too long ago."""
    row = RING[identity & MASK]
    return Origin(*row) if row is not None and row[0] == identity else None


def children_of_everything() -> dict[int, list[tuple[Origin, int]]]:
    """id -> the remembered operations that use it, each with the position among its inputs."""
    uses: dict[int, list[tuple[Origin, int]]] = {}
    for row in list(RING):
        if row is not None:
            for k, i in enumerate(row[2]):
                uses.setdefault(i, []).append((Origin(*row), k))
    return uses


def note_event(kind: str, source: int, destination: int = 0) -> None:
    """Remember that the value of ``source`` left (``kind`` says how), into ``destination`` if that has an id."""
    frame = user_frame(2)
    events.append((tick(), kind, source, destination, frame.f_code, frame.f_lasti))


def recent_events() -> list[Event]:
    """The remembered events, oldest first."""
    return [Event(t, kind, s, d, _place(code, at)) for t, kind, s, d, code, at in list(events)]


def _place(code: CodeType, instruction: int) -> Place:
    line = None
    for start, end, number in code.co_lines():
        if start <= instruction < end:
            line = number
    return Place(code.co_filename, line or code.co_firstlineno, code.co_qualname)
