"""Which tapes and forward accumulators listen on this thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

__all__ = ["Recorder", "recorders_are", "state"]


class Recorder(Protocol):
    """Something that is told of every operation while it listens: a tape or a forward accumulator."""

    def record(
        self, rule: Any, inputs: tuple[Any, ...], ids: tuple[int, ...], outputs: tuple[Any, ...], params: dict[str, Any]
    ) -> None:
        """Take note that ``rule`` (a primitive, or a custom gradient) made ``outputs`` from ``inputs``."""


class _ThreadState(threading.local):
    #: from the outermost to the innermost
    recorders: tuple[Any, ...] = ()


state = _ThreadState()


@contextmanager
def recorders_are(recorders: tuple[Any, ...]) -> Iterator[None]:
    """Within the context, exactly these recorders listen on this thread."""
    before = state.recorders
    state.recorders = recorders
    try:
        yield
    finally:
        state.recorders = before
