"""Operations on images, under TensorFlow's name ``tf.image``."""

from wengert.primitives.image import (
    adjust_brightness,
    adjust_contrast,
    convert_image_dtype,
    flip_left_right,
    flip_up_down,
    grayscale_to_rgb,
    image_gradients,
    per_image_standardization,
    rgb_to_grayscale,
    rot90,
    sobel_edges,
    total_variation,
)
from wengert.primitives.resize import ResizeMethod, resize
from wengert.public import plain_functions

__all__ = [
    "ResizeMethod",
    "adjust_brightness",
    "adjust_contrast",
    "convert_image_dtype",
    "flip_left_right",
    "flip_up_down",
    "grayscale_to_rgb",
    "image_gradients",
    "per_image_standardization",
    "resize",
    "rgb_to_grayscale",
    "rot90",
    "sobel_edges",
    "total_variation",
]

plain_functions(globals())
