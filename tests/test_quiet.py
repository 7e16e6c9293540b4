"""Infinity and NaN appear silently, as in TensorFlow, unless the user asks NumPy for errors."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest

import wengert as tf

PROGRAM = """
import numpy as np
import wengert as tf
x = tf.Variable([0.0, 1000.0])
with tf.GradientTape() as tape:
    y = tf.math.log(x) + tf.exp(x) - tf.exp(x) + np.log(x)
print(tape.gradient(y, x).numpy())
np.log(np.zeros(1))
"""


def test_only_the_users_own_numpy_warns():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stderr.count("RuntimeWarning") == 1
    assert "<string>:8" in done.stderr


def test_errstate_raise_is_honoured_in_the_forward_pass():
    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match=r"log|divide"):
        tf.math.log(tf.constant(0.0))


def test_the_backward_pass_does_not_warn_even_when_warnings_are_errors():
    x = tf.Variable(0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with tf.GradientTape() as tape:
            y = tf.sqrt(x)
        assert float(tape.gradient(y, x)) == np.inf
