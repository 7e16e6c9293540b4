"""Rows of wengert.primitives.special_gamma, special_error, special_bessel and special_incomplete."""

from __future__ import annotations

import functools

import numpy as np
from scipy import special, stats

import wengert as tf
from tests.table.case import Case, draw, draw_complex

X, Z = draw(3, 4), draw_complex(5)
POSITIVE = draw(3, 4, low=0.3, high=5.0)
SHAPES, OTHERS = draw(3, 4, low=0.3, high=6.0, seed=2), draw(3, 4, low=0.4, high=5.0, seed=3)
WITHIN, UNIT = draw(3, 4, low=-0.9, high=0.9), draw(3, 4, low=0.05, high=0.95, seed=4)
ORDERS = np.array([[1.0, 2.0, 3.0, 1.0]] * 3)


def zeta_derivative(x: np.ndarray, q: np.ndarray, order: int) -> np.ndarray:
    """By the sum itself, which converges for exponents as large as the row's."""
    w = q[..., None] + np.arange(4000.0)
    return np.sum((-np.log(w)) ** order * w ** -x[..., None], axis=-1)


STEPS = np.linspace(0.0, 160.0, 100_001)
SIMPSON = np.where(np.arange(STEPS.size) % 2, 4.0, 2.0) * (STEPS[1] / 3)
SIMPSON[[0, -1]] /= 2


@functools.partial(np.vectorize, excluded={"order"})
def igamma_derivative(a: float, x: float, order: int) -> float:
    """By Simpson's rule over ``s``, for ``t = x exp(-s)``, of the density's derivative."""
    log_t = np.log(x) - STEPS
    density = np.exp(a * log_t - np.exp(log_t) - special.gammaln(a))
    u = log_t - special.psi(a)
    return np.sum(SIMPSON * density * {1: u, 2: u * u - special.polygamma(1, a)}[order])


def betainc_derivative(a: np.ndarray, b: np.ndarray, x: np.ndarray, orders: tuple[int, int]) -> np.ndarray:
    """By Simpson's rule over the logarithm of the odds, of the density's derivative."""

    @np.vectorize
    def derivative(a: float, b: float, x: float) -> float:
        log_odds = np.log(x / (1 - x)) - STEPS
        log_t, log_rest = -np.logaddexp(0, -log_odds), -np.logaddexp(0, log_odds)
        density = np.exp(a * log_t + b * log_rest - special.betaln(a, b))
        by_a, by_b = (log - special.psi(k) + special.psi(a + b) for log, k in ((log_t, a), (log_rest, b)))
        factor = {(1, 0): by_a, (0, 1): by_b, (1, 1): by_a * by_b + special.polygamma(1, a + b)}[orders]
        return np.sum(SIMPSON * density * factor)

    return derivative(a, b, x)


CASES = [
    Case("lgamma", (POSITIVE,), special.gammaln),
    Case("lgamma", (np.array([-3.4, -0.5, -1.7]),), special.gammaln, label="negative"),
    Case("digamma", (POSITIVE,), special.digamma),
    Case("digamma", (np.array([-3.4, -0.5, -1.7]),), special.digamma, label="negative", float32=1e-4),
    Case("polygamma", (ORDERS, POSITIVE), special.polygamma, wrt=(1,), float32=1e-4),
    Case("zeta", (POSITIVE + 1, SHAPES), special.zeta, float32=1e-4),
    Case("zeta_by_exponent", (POSITIVE + 8, SHAPES + 0.5), zeta_derivative, {"order": 1}, float32=1e-3),
    Case("zeta_by_exponent", (POSITIVE + 8, SHAPES + 0.5), zeta_derivative, {"order": 2}, "order-2", float32=1e-3),
    Case(
        "lgamma",
        (POSITIVE,),
        lambda x: np.sum(special.gammaln(x), -1) - special.gammaln(np.sum(x, -1)),
        label="lbeta",
        call=tf.math.lbeta,
        broadcasts=False,
    ),
    Case("erf", (X,), special.erf),
    Case("erf", (Z,), special.erf, label="complex"),
    Case("erfc", (X,), special.erfc),
    Case("erfinv", (WITHIN,), special.erfinv),
    Case("erfcinv", (WITHIN + 1,), special.erfcinv),
    Case("ndtri", (UNIT,), special.ndtri),
    Case("dawsn", (2 * X,), special.dawsn),
    Case("expint", (POSITIVE,), special.expi, float32=1e-4),
    Case("expint", (-POSITIVE,), special.expi, label="negative"),
    Case("fresnel_cos", (X,), lambda x: special.fresnel(x)[1]),
    Case("fresnel_sin", (X,), lambda x: special.fresnel(x)[0]),
    Case("spence", (POSITIVE,), special.spence),
    Case("spence", (np.array([0.76, 1.0, 1.0 + 1e-9, 1.002, 1.24]),), special.spence, label="near-1"),
    Case("logarithm_over_complement", (POSITIVE,), lambda x, order: np.log(x) / (1 - x), {"order": 0}),
    Case(
        "logarithm_over_complement",
        (POSITIVE,),
        lambda x, order: (1 / x + np.log(x) / (1 - x)) / (1 - x),
        {"order": 1},
        label="order-1",
    ),
    *(
        Case(
            f"bessel_{kind}",
            (POSITIVE if kind[0] in "ky" else 2 * X,),
            lambda x, order, f=f: f(order, x),
            {"order": order},
            label=f"order-{order}",
            float32=1e-4,
        )
        for kind, f in (
            ("i", special.iv),
            ("ie", special.ive),
            ("j", special.jv),
            ("k", special.kv),
            ("ke", special.kve),
            ("y", special.yv),
        )
        for order in (0, 1, 2)
    ),
    *(
        Case(
            f"bessel_{kind}",
            (np.array([0.0]),),
            lambda x, order, f=f: f(order, x),
            {"order": order},
            label=f"at-0-order-{order}",
        )
        for kind, f in (("i", special.iv), ("j", special.jv))
        for order in (0, 1)
    ),
    Case("igamma", (SHAPES, POSITIVE), special.gammainc),
    Case("igammac", (SHAPES, POSITIVE), special.gammaincc),
    Case("gamma_density", (SHAPES, POSITIVE), lambda a, x: stats.gamma.pdf(x, a)),
    Case("igamma_by_shape", (SHAPES, POSITIVE), igamma_derivative, {"order": 1}),
    Case("igamma_by_shape", (SHAPES, POSITIVE), igamma_derivative, {"order": 2}, label="order-2"),
    Case("betainc", (SHAPES, OTHERS, UNIT), special.betainc),
    Case("beta_density", (SHAPES, OTHERS, UNIT), lambda a, b, x: stats.beta.pdf(x, a, b)),
    *(
        Case("betainc_by_shapes", (SHAPES, OTHERS, UNIT), betainc_derivative, {"orders": orders}, label=str(orders))
        for orders in ((1, 0), (0, 1), (1, 1))
    ),
]
