"""What TensorFlow's programs say to its runtime: here there is one device, and everything runs at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from wengert.tensor import Tensor, TensorLike

__all__ = ["control_dependencies", "device", "executing_eagerly", "name_scope", "no_op", "print_", "timestamp"]


def executing_eagerly() -> bool:
    """Whether operations run at once: always.

    >>> tf.executing_eagerly()
    True
    """
    return True


@contextmanager
def name_scope(name: str) -> Iterator[str]:
    """A name for a group of operations; it has no effect on what is computed.

    >>> with tf.name_scope("layer") as scope:
    ...     print(scope)
    layer/
    """
    yield f"{name}/"


@contextmanager
def device(device_name: str | None) -> Iterator[None]:
    """Where operations run: always on the CPU, whatever is asked for.

    >>> with tf.device("/CPU:0"):
    ...     x = tf.constant(1.0)
    """
    yield


@contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """An order of operations; they run in the order of the program anyway.

    >>> with tf.control_dependencies([tf.constant(1.0)]):
    ...     x = tf.constant(2.0)
    """
    yield


def no_op(name: str | None = None) -> None:
    """Nothing.

    >>> tf.no_op()
    """


def timestamp(name: str | None = None) -> Tensor:
    """Seconds since 1970, as float64.

    >>> float(tf.timestamp()) > 1.6e9
    True
    """
    return Tensor(np.float64(time.time()))


def print_(
    *inputs: Any, output_stream: Any = None, summarize: int = 3, sep: str = " ", end: str = "\n", name: Any = None
) -> None:
    """Print tensors and other things; long axes are shortened to their first and last ``summarize`` elements.

    Args:
        inputs: what to print.
        output_stream: where to: an open file; ``sys.stderr`` by default, as in TensorFlow.
        summarize: how many elements of each end of an axis; -1 for all.
        sep: between the things.
        end: after them.

    >>> import sys
    >>> tf.print("x =", tf.range(10), output_stream=sys.stdout)
    x = [0 1 2 ... 7 8 9]
    """
    edge = summarize if summarize >= 0 else sys.maxsize
    with np.printoptions(edgeitems=edge, threshold=2 * edge):
        text = sep.join(str(x._array) if isinstance(x, TensorLike) else str(x) for x in inputs)
    print(text, end=end, file=output_stream or sys.stderr)
