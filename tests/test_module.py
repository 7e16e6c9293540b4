"""Module: which Variables it finds."""

from __future__ import annotations

import wengert as tf


class Layer(tf.Module):
    def __init__(self, size: int, trainable: bool = True) -> None:
        super().__init__()
        self.kernel = tf.Variable(tf.zeros([size]), name=f"kernel{size}", trainable=trainable)


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__(name="net")
        self.layers = [Layer(1), {"deep": (Layer(2, trainable=False),)}]
        self.shared = self.layers[0]
        self.bias = tf.Variable(0.0, name="bias")
        self.note = "not a variable"


def names(variables: tuple[tf.Variable, ...]) -> list[str]:
    return [v.name for v in variables]


def test_variables_are_found_in_containers_each_once():
    model = Model()
    assert names(model.variables) == ["bias:0", "kernel1:0", "kernel2:0"]
    assert names(model.trainable_variables) == ["bias:0", "kernel1:0"]
    assert names(model.non_trainable_variables) == ["kernel2:0"]


def test_submodules_at_any_depth():
    assert [type(m).__name__ for m in Model().submodules] == ["Layer", "Layer"]


def test_names():
    assert (Model().name, Layer(1).name) == ("net", "layer")


def test_a_module_that_holds_itself():
    model = Model()
    model.parent = model
    assert len(model.variables) == 3


def test_a_module_trains():
    layer = Layer(2)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((layer.kernel - 1.0) ** 2)
    for v, g in zip(layer.trainable_variables, tape.gradient(loss, layer.trainable_variables)):
        v.assign_sub(0.5 * g)
    assert layer.kernel.numpy().tolist() == [1.0, 1.0]
