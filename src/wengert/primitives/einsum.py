"""Einstein's summation: the equation is read once, and what runs are diagonals, sums and contractions of two."""

from __future__ import annotations

import string
from collections import Counter
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from wengert.errors import InvalidArgumentError
from wengert.primitives.arithmetic import identity_
from wengert.primitives.contract import Labels, align, contraction
from wengert.primitives.linalg_structure import take_diagonal
from wengert.primitives.primitive import describe
from wengert.primitives.reduce import sum_
from wengert.primitives.shape import reshape_, transpose_

__all__ = ["einsum"]

_ELLIPSIS: Final = "..."
#: axes under an ellipsis have negative labels, counted from the last: letters have their code point
_FIRST_UNDER_ELLIPSIS: Final = -1


class _Preparation(NamedTuple):
    """What is done to one operand before contractions; None leaves a step out."""

    #: drops axes of size 1 that broadcast
    shape: tuple[int, ...] | None
    #: labels of all axes, some of them repeated
    diagonal: Labels | None
    #: axes whose label no other operand has, nor the result
    summed: tuple[int, ...] | None


class _Plan(NamedTuple):
    #: None for operands that are taken as they are
    preparations: tuple[_Preparation | None, ...]
    #: positions of two operands, which are removed (the result is appended), and the labels of both and of the result
    contractions: tuple[tuple[int, int, tuple[Labels, Labels, Labels]], ...]
    #: order of the axes of what is left
    order: Labels | None


def einsum(equation: str, *inputs: Any, optimize: Any = "greedy", name: str | None = None) -> Any:
    """Sums of products, written with a letter for each axis.

    Args:
        equation: the letters of the axes of each operand, separated by commas, and, after ``->``, those of the result.
            A letter that the result lacks is summed over; a letter twice in one operand takes the diagonal; ``...``
            stands for any further axes, which broadcast from the last one. Without ``->`` the result has the axes under
            the ellipsis, then the letters that occur once, in alphabetical order. Spaces do not matter.
        inputs: the operands, of one dtype.
        optimize: how to look for the order of three or more operands: "greedy", "optimal", or False for left to right.

    Raises:
        InvalidArgumentError: the equation is malformed, or the shapes do not fit it.

    >>> a, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1.0, 10.0])
    >>> tf.einsum("ij,j->i", a, b).numpy().tolist(), float(tf.einsum("ii", a))
    ([21.0, 43.0], 5.0)
    """
    if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)) and "," in equation:
        inputs = tuple(inputs[0])
    operands = list(align("einsum", *inputs))
    try:
        how = optimize if optimize in (False, "optimal") else "greedy"
        plan = _plan(equation, tuple([x._array.shape for x in operands]), how)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"einsum {equation!r}: {error.message}. Operands: {describe(operands)}.") from None
    operands = [x if steps is None else _prepared(x, steps) for x, steps in zip(operands, plan.preparations)]
    for i, j, labels in plan.contractions:
        y, x = operands.pop(j), operands.pop(i)
        operands.append(contraction(x, y, labels=labels))
    (result,) = operands
    if plan.order is not None:
        return transpose_(result, axes=plan.order)
    return identity_(result) if result is inputs[0] else result


def _prepared(x: Any, preparation: _Preparation) -> Any:
    shape, diagonal, summed = preparation
    if shape is not None:
        x = reshape_(x, shape=shape)
    if diagonal is not None:
        x = take_diagonal(x, labels=diagonal)
    return x if summed is None else sum_(x, axis=summed, keepdims=False)


# --- reading the equation --------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _plan(equation: str, shapes: tuple[tuple[int, ...], ...], optimize: Any) -> _Plan:
    terms, output = _read(equation, len(shapes))
    labelled = [_labels_of(term, len(shape), f"operand {k}") for k, (term, shape) in enumerate(zip(terms, shapes))]
    sizes = _sizes(labelled, shapes)
    broadcast = sorted(k for k in sizes if k < 0)
    if output is None:
        count = Counter(letter for term in terms for letter in term.replace(_ELLIPSIS, ""))
        output = _ELLIPSIS + "".join(sorted(letter for letter, n in count.items() if n == 1))
    elif broadcast and _ELLIPSIS not in output:
        raise InvalidArgumentError(
            f"axes under '...' are left ({len(broadcast)} of them), but the result {output!r} has no '...' for them"
        )
    wanted = _labels_of(output, len(output.replace(_ELLIPSIS, "")) + len(broadcast), "the result")
    if repeated := [k for k, n in Counter(wanted).items() if n > 1]:
        raise InvalidArgumentError(f"the result has {chr(repeated[0])!r} more than once")
    if missing := [k for k in wanted if k not in sizes]:
        raise InvalidArgumentError(f"the result has {chr(missing[0])!r}, which no operand has")
    prepared = [_preparation(k, labelled, shape, sizes, wanted) for k, shape in enumerate(shapes)]
    contractions, left = _contractions([labels for _, labels in prepared], wanted, sizes, optimize)
    order = None if left == wanted else tuple(left.index(k) for k in wanted)
    return _Plan(
        tuple(steps if any(part is not None for part in steps) else None for steps, _ in prepared), contractions, order
    )


def _read(equation: str, operands: int) -> tuple[list[str], str | None]:
    """The terms before the arrow, and the one after it."""
    if not isinstance(equation, str):
        raise InvalidArgumentError(f"the equation must be a string, got {type(equation).__name__}")
    text = "".join(equation.split())
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    for term in (*terms, right):
        letters = term.replace(_ELLIPSIS, "", 1)
        if strange := set(letters) - set(string.ascii_letters):
            raise InvalidArgumentError(
                f"{sorted(strange)[0]!r} is not allowed: axes are letters, '...' may occur once in each term, and one "
                "'->' leads to the result"
            )
    if len(terms) != operands:
        raise InvalidArgumentError(f"it has {len(terms)} terms, but {operands} operands were given")
    return terms, right if arrow else None


def _labels_of(term: str, ndim: int, what: str) -> Labels:
    """A label for each axis, those under the ellipsis negative."""
    before, dots, after = term.partition(_ELLIPSIS)
    free = ndim - len(before) - len(after)
    if free < 0 or (free and not dots):
        raise InvalidArgumentError(f"{what} has {ndim} axes, which do not fit {term!r}")
    return (*map(ord, before), *range(_FIRST_UNDER_ELLIPSIS - free + 1, 0), *map(ord, after))


def _sizes(labelled: list[Labels], shapes: tuple[tuple[int, ...], ...]) -> dict[int, int]:
    """The size that belongs to each label."""
    sizes: dict[int, int] = {}
    for labels, shape in zip(labelled, shapes):
        for k, n in zip(labels, shape):
            m = sizes.setdefault(k, n)
            if m == n:
                continue
            if k >= 0:
                raise InvalidArgumentError(f"axis {chr(k)!r} has size {m} in one place and {n} in another")
            if 1 not in (m, n):
                raise InvalidArgumentError(f"axes under '...' of sizes {m} and {n} do not broadcast")
            sizes[k] = n if m == 1 else m
    return sizes


def _preparation(
    position: int, labelled: list[Labels], shape: tuple[int, ...], sizes: dict[int, int], wanted: Labels
) -> tuple[_Preparation, Labels]:
    """How to prepare one operand, and the labels of its axes then."""
    labels = labelled[position]
    elsewhere = {*wanted, *(k for other in (*labelled[:position], *labelled[position + 1 :]) for k in other)}
    squeezed = tuple(k for k, n in zip(labels, shape) if n == sizes[k])
    kept_shape = tuple(n for k, n in zip(labels, shape) if n == sizes[k])
    distinct = tuple(dict.fromkeys(squeezed))
    left = tuple(k for k in distinct if k in elsewhere)
    steps = _Preparation(
        kept_shape if len(squeezed) < len(labels) else None,
        tuple(distinct.index(k) for k in squeezed) if len(distinct) < len(squeezed) else None,
        tuple(axis for axis, k in enumerate(distinct) if k not in elsewhere) if len(left) < len(distinct) else None,
    )
    return steps, left


def _contractions(
    operands: list[Labels], wanted: Labels, sizes: dict[int, int], optimize: Any
) -> tuple[tuple[tuple[int, int, tuple[Labels, Labels, Labels]], ...], Labels]:
    """The contractions of two operands at a time that leave one, and the labels of its axes."""
    steps = []
    remaining = list(operands)
    for group in _path(operands, wanted, sizes, optimize):
        chosen = sorted(group)
        while len(chosen) > 1:
            i, j = chosen[0], chosen[1]
            y, x = remaining.pop(j), remaining.pop(i)
            needed = {*wanted, *(k for labels in remaining for k in labels)}
            both = (*x, *(k for k in y if k not in x))
            # the last step gives the order that is wanted, so that nothing is left to transpose
            result = wanted if not remaining else tuple(k for k in both if k in needed)
            steps.append((i, j, (x, y, result)))
            remaining.append(result)
            chosen = [*(k - 2 for k in chosen[2:]), len(remaining) - 1]
    return tuple(steps), remaining[0]


def _path(operands: list[Labels], wanted: Labels, sizes: dict[int, int], optimize: Any) -> list[tuple[int, ...]]:
    """Which operands to contract, in which order: NumPy's search, on arrays that take no memory."""
    if len(operands) < 3 or not optimize:
        return [(0, 1)] * (len(operands) - 1) if len(operands) < 3 else [tuple(range(len(operands)))]
    letters = dict(zip(sizes, string.ascii_letters))
    if len(letters) < len(sizes):
        return [tuple(range(len(operands)))]
    terms = ",".join("".join(letters[k] for k in labels) for labels in operands)
    stand_ins = [np.broadcast_to(np.float32(0), [sizes[k] for k in labels]) for labels in operands]
    path, _ = np.einsum_path(f"{terms}->{''.join(letters[k] for k in wanted)}", *stand_ins, optimize=optimize)
    return path[1:]
