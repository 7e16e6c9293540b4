"""Operations on the bits of integers, under TensorFlow's name ``tf.bitwise``."""

from wengert.primitives.arithmetic import invert
from wengert.primitives.bitwise import bitwise_and, bitwise_or, bitwise_xor, left_shift, right_shift
from wengert.public import plain_functions

__all__ = ["bitwise_and", "bitwise_or", "bitwise_xor", "invert", "left_shift", "right_shift"]

plain_functions(globals())
