"""Random numbers, under TensorFlow's name ``tf.random``."""

from types import SimpleNamespace

from wengert.primitives.generator import Generator, create_rng_state, get_global_generator, set_global_generator
from wengert.primitives.random import (
    gamma,
    normal,
    stateless_gamma,
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
    truncated_normal,
    uniform,
)
from wengert.primitives.random_discrete import (
    categorical,
    poisson,
    shuffle,
    stateless_binomial,
    stateless_categorical,
    stateless_poisson,
    stateless_shuffle,
)
from wengert.primitives.random_seeds import fold_in, set_seed, split
from wengert.public import plain_functions

experimental = SimpleNamespace(
    Generator=Generator,
    create_rng_state=create_rng_state,
    get_global_generator=get_global_generator,
    set_global_generator=set_global_generator,
    stateless_fold_in=fold_in,
    stateless_shuffle=stateless_shuffle,
    stateless_split=split,
)
del stateless_shuffle

__all__ = [
    "Generator",
    "categorical",
    "create_rng_state",
    "experimental",
    "fold_in",
    "gamma",
    "get_global_generator",
    "normal",
    "poisson",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "split",
    "stateless_binomial",
    "stateless_categorical",
    "stateless_gamma",
    "stateless_normal",
    "stateless_poisson",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]

plain_functions(globals())
