"""Rows of wengert.primitives.einsum: whole equations, through whatever primitives they become."""

from __future__ import annotations

import numpy as np

import wengert as tf
from tests.table.case import Case, draw, draw_complex


def _row(equation, *shapes, complex_=False, **keywords):
    make = draw_complex if complex_ else draw
    operands = tuple(make(*shape, seed=k) for k, shape in enumerate(shapes))
    return Case(
        "contraction",
        operands,
        lambda *xs: np.einsum(equation, *xs),
        label=equation.replace(" ", "") + ("-complex" if complex_ else ""),
        call=lambda *xs: tf.einsum(equation, *xs),
        **keywords,
    )


CASES = [
    _row("ij,jk->ik", (2, 3), (3, 4)),
    _row("bxby->bxy", (3, 2, 3, 2)),
    _row("ii", (3, 3)),
    _row("ii->i", (3, 3)),
    _row("iij,j", (3, 3, 2), (2,)),
    _row("ba", (2, 3)),
    _row("i,i,i->i", (3,), (3,), (3,)),
    _row("ij,kl->jl", (2, 3), (4, 2)),
    _row("...ij,...jk->...ik", (2, 1, 2, 3), (4, 3, 2)),
    _row("i...,i...", (3, 2), (3, 1)),
    _row("...,j...->j", (), (3,)),
    _row("ij , jk , kl , lm -> im", (2, 3), (3, 4), (4, 2), (2, 3)),
    _row("abc,cd,bd,a->", (2, 3, 4), (4, 2), (3, 2), (2,)),
    _row("bhqd,bhkd->bhqk", (2, 2, 3, 4), (2, 2, 3, 4)),
    _row("ij,ij->", (2, 3), (2, 3)),
    _row(",ij->ji", (), (2, 3)),
    _row("ij,jk,kii->k", (2, 3), (3, 2), (2, 2, 2), complex_=True),
]
