"""Forward mode, under TensorFlow's name ``tf.autodiff``."""

from wengert.tape.forward import ForwardAccumulator

__all__ = ["ForwardAccumulator"]
