"""One row of the table of primitives: how to call it, on what, and what must come out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wengert.primitives.primitive import PRIMITIVES


@dataclass(frozen=True)
class Case:
    """A primitive called in one way.

    Attributes:
        primitive: its name.
        inputs: arrays, in float64 (or complex128) where they are differentiated by. A row on smooth ground: no input
        may
            lie within 1e-3 of a kink.
        reference: what NumPy or SciPy gives for the inputs and parameters; one array or a tuple.
        params: the static parameters.
        label: tells rows of one primitive apart.
        call: what to call instead of the primitive, with the inputs only (for public functions on top of it).
        wrt: positions of the inputs to differentiate by; all floating and complex ones if None.
        second_order: check derivatives of derivatives.
        static_shape: the shape rule knows the result's shape (False for results whose shape depends on values).
        broadcasts: derive rows with broadcast, 0-d and empty inputs from this one (element-wise primitives only).
        tolerance: relative, of derivatives in float64.
        float32: also run in float32, with this relative tolerance of the value; None to leave out.
    """

    primitive: str
    inputs: tuple[Any, ...]
    reference: Callable[..., Any]
    params: dict[str, Any] = field(default_factory=dict)
    label: str = ""
    call: Callable[..., Any] | None = None
    wrt: tuple[int, ...] | None = None
    second_order: bool = True
    static_shape: bool = True
    broadcasts: bool = True
    tolerance: float = 1e-5
    float32: float | None = 2e-5

    @property
    def id(self) -> str:
        """Shown by pytest."""
        return f"{self.primitive}-{self.label}" if self.label else self.primitive

    @property
    def rule(self) -> Any:
        """The primitive."""
        return PRIMITIVES[self.primitive]

    def run(self, *tensors: Any) -> tuple[Any, ...]:
        """The outputs, always as a tuple."""
        out = self.call(*tensors) if self.call is not None else self.rule(*tensors, **self.params)
        return out if isinstance(out, (tuple, list)) else (out,)

    @property
    def differentiated(self) -> tuple[int, ...]:
        """Positions of the inputs to differentiate by."""
        if self.wrt is not None or not self.rule.differentiable or not self.rule.has_derivative:
            return self.wrt or ()
        return tuple(k for k, x in enumerate(self.inputs) if np.asarray(x).dtype.kind in "fc")


def draw(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> np.ndarray:
    """Reproducible float64 values between ``low`` and ``high``, spread evenly in random order: no two are close."""
    size = int(np.prod(shape))
    values = low + (high - low) * (np.arange(size) + 0.5 + 0.1 * np.sqrt(2) * 0.5) / max(size, 1)
    return np.random.default_rng(seed + 31 * size).permutation(values).reshape(shape)


def draw_complex(*shape: int, seed: int = 0) -> np.ndarray:
    """Reproducible complex128 values whose parts lie between -2 and 2."""
    return draw(*shape, seed=seed) + 1j * draw(*shape, seed=seed + 7)
