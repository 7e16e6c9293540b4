"""Checks of derivatives, under TensorFlow's name ``tf.test``."""

from wengert.derivatives.numerical import compute_gradient, max_error
from wengert.public import plain_functions

__all__ = [
    "compute_gradient",
    "max_error",
]

plain_functions(globals())
