"""What TensorFlow keeps under ``tf.experimental``."""

from wengert.experimental import dlpack

__all__ = ["dlpack"]
