"""Rows of wengert.primitives.shape, creation, order and space."""

from __future__ import annotations

import numpy as np

import wengert as tf
from tests.table.case import Case, draw, draw_complex

X, Z = draw(3, 4), draw_complex(3, 2)
IMAGE = draw(2, 4, 6, 3)


def _blocks_to_batch(x: np.ndarray) -> np.ndarray:
    """space_to_batch by block (2, 3), by its definition: one place within the block after the other."""
    return np.concatenate([x[:, i::2, j::3] for i in range(2) for j in range(3)])


def _batch_to_blocks(x: np.ndarray) -> np.ndarray:
    out = np.zeros((x.shape[0] // 6, x.shape[1] * 2, x.shape[2] * 3, *x.shape[3:]), x.dtype)
    for k, part in enumerate(np.split(x, 6)):
        out[:, k // 3 :: 2, k % 3 :: 3] = part
    return out


def _to_depth(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x[:, i::2, j::2] for i in range(2) for j in range(2)], axis=-1)


def _channels_first(x: np.ndarray) -> np.ndarray:
    return np.moveaxis(x, -1, 1)


CASES = [
    Case("reshape", (X,), np.reshape, {"shape": (2, -1)}),
    Case("reshape", (draw(1),), np.reshape, {"shape": ()}, label="0d"),
    Case("reshape", (draw(2, 0),), np.reshape, {"shape": (0, 3)}, label="empty"),
    Case("reshape", (Z,), np.reshape, {"shape": (6,)}, label="complex"),
    Case("reshape", (draw(2, 1, 3, 1),), np.squeeze, label="squeeze", call=tf.squeeze),
    Case("reshape", (X,), lambda x: x[:, None], label="expand_dims", call=lambda x: tf.expand_dims(x, 1)),
    Case("broadcast_to", (X[:, :1],), np.broadcast_to, {"shape": (2, 3, 5)}),
    Case("broadcast_to", (draw(1, 3),), np.broadcast_to, {"shape": (0, 3)}, label="empty"),
    Case("broadcast_to", (draw(1).reshape(()),), np.broadcast_to, {"shape": (2, 2)}, label="0d"),
    Case("broadcast_to", (Z[:, None],), np.broadcast_to, {"shape": (3, 4, 2)}, label="complex"),
    Case("broadcast_to", (draw(1)[0],), lambda v: np.full((2, 3), v), label="fill", call=lambda v: tf.fill([2, 3], v)),
    Case(
        "broadcast_to",
        (draw(3), draw(2)),
        lambda x, y: np.meshgrid(x, y, indexing="ij"),
        label="meshgrid",
        call=lambda x, y: tf.meshgrid(x, y, indexing="ij"),
    ),
    Case(
        "where",
        (draw(2), draw(2) + 3),
        lambda a, b: np.linspace(a, b, 5, axis=-1),
        label="linspace",
        call=lambda a, b: tf.linspace(a, b, 5, axis=-1),
        broadcasts=False,
    ),
    Case("transpose", (draw(2, 3, 4),), np.transpose, {"axes": (2, 0, 1)}),
    Case("transpose", (draw(1)[0],), np.transpose, {"axes": ()}, label="0d"),
    Case("transpose", (Z,), lambda z: z.conj().T, label="conjugate", call=lambda z: tf.transpose(z, conjugate=True)),
    Case("reverse", (draw(2, 3, 4),), np.flip, {"axis": (0, 2)}),
    Case("reverse", (Z,), np.flip, {"axis": (1,)}, label="complex"),
    Case("roll", (draw(3, 5),), np.roll, {"shift": (2, -1), "axis": (1, 0)}),
    Case("roll", (draw(3, 5),), np.roll, {"shift": (7, 1), "axis": (1, 1)}, label="axis-twice"),
    Case(
        "reshape",
        (IMAGE,),
        lambda x: _blocks_to_batch(np.pad(x, ((0, 0), (1, 1), (0, 3), (0, 0)))),
        label="space_to_batch",
        call=lambda x: tf.space_to_batch(x, [2, 3], [[1, 1], [0, 3]]),
    ),
    Case(
        "reshape",
        (draw(12, 2, 3, 2),),
        lambda x: _batch_to_blocks(x)[:, 1:3, 2:],
        label="batch_to_space",
        call=lambda x: tf.batch_to_space(x, [2, 3], [[1, 1], [2, 0]]),
    ),
    Case("reshape", (IMAGE,), _to_depth, label="space_to_depth", call=lambda x: tf.nn.space_to_depth(x, 2)),
    Case(
        "reshape",
        (_channels_first(IMAGE),),
        lambda x: _channels_first(_to_depth(np.moveaxis(x, 1, -1))),
        label="space_to_depth-channels-first",
        call=lambda x: tf.nn.space_to_depth(x, 2, "NCHW"),
    ),
    Case(
        "reshape",
        (_to_depth(IMAGE),),
        lambda x: IMAGE,
        label="depth_to_space",
        call=lambda x: tf.nn.depth_to_space(x, 2),
    ),
    Case(
        "reshape",
        (_channels_first(_to_depth(IMAGE)),),
        lambda x: _channels_first(IMAGE),
        label="depth_to_space-channels-first",
        call=lambda x: tf.nn.depth_to_space(x, 2, "NCHW"),
    ),
]
