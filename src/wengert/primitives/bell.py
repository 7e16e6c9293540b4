"""Derivatives of a function from those of its logarithm."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

__all__ = ["beta_log_derivative", "gamma_log_derivative", "relative_derivative"]


def relative_derivative(orders: tuple[int, int], log_derivative: Callable[[int, int], Any]) -> Any:
    """The mixed derivative of a function of two parameters, divided by the function itself.

    It is a complete Bell polynomial in the derivatives of the function's logarithm, by Leibniz's rule for ``f' = f k``.

    Args:
        orders: how often to differentiate by the first and by the second parameter.
        log_derivative: gives the derivatives of the logarithm, of orders ``(m, n)``.
    """
    known: dict[tuple[int, int], Any] = {(0, 0): 1.0}
    logs: dict[tuple[int, int], Any] = {}

    def log_part(m: int, n: int) -> Any:
        if (m, n) not in logs:
            logs[m, n] = log_derivative(m, n)
        return logs[m, n]

    def part(i: int, j: int) -> Any:
        if (i, j) not in known:
            # one differentiation falls on the logarithm, the others are distributed
            first = i > 0
            rest = (i - 1, j) if first else (i, j - 1)
            known[i, j] = sum(
                comb(rest[0], m)
                * comb(rest[1], n)
                * (log_part(m + 1, n) if first else log_part(m, n + 1))
                * part(rest[0] - m, rest[1] - n)
                for m in range(rest[0] + 1)
                for n in range(rest[1] + 1)
            )
        return known[i, j]

    return part(*orders)


def gamma_log_derivative(polygamma: Callable[[int, Any], Any], log_x: Any, a: Any) -> Callable[[int, int], Any]:
    """Derivatives by ``a`` of the logarithm of ``x**a exp(-x) / gamma(a)``."""
    return lambda m, n: (log_x if m == 1 else 0.0) - polygamma(m - 1, a)


def beta_log_derivative(
    polygamma: Callable[[int, Any], Any], log_x: Any, log_y: Any, a: Any, b: Any, total: Any
) -> Callable[[int, int], Any]:
    """Derivatives by ``a`` and ``b`` of the logarithm of ``x**a y**b gamma(total) / (gamma(a) gamma(b))``.

    ``total`` stands for ``a + b`` plus a constant.
    """

    def derivative(m: int, n: int) -> Any:
        common = polygamma(m + n - 1, total)
        if m and n:
            return common
        own = polygamma(m + n - 1, a if m else b)
        log = (log_x if m else log_y) if m + n == 1 else 0.0
        return log + (common - own)

    return derivative
