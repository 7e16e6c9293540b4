"""A two-layer classifier of scanned digits, trained with a GradientTape loop and an optimiser step written out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import wengert as tf

__all__ = ["Adam", "Classifier", "Digits", "History", "load_digits", "train"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Digits:
    """Scans of 8x8 grey levels in [0, 1], as rows of 64, and which digit each one is."""

    train_images: Array
    train_labels: Array
    test_images: Array
    test_labels: Array


def load_digits() -> Digits:
    """scikit-learn's handwritten digits (Alpaydin and Kaynak, 1998), a fifth of each digit held out."""
    from sklearn import datasets
    from sklearn.model_selection import train_test_split

    images, labels = datasets.load_digits(return_X_y=True)
    images = (images / 16.0).astype(np.float32)
    parts = train_test_split(images, labels.astype(np.int32), test_size=0.2, stratify=labels, random_state=0)
    train_images, test_images, train_labels, test_labels = parts
    return Digits(train_images, train_labels, test_images, test_labels)


class Classifier:
    """64 grey levels -> 64 hidden units (tanh) -> 10 scores, with Glorot and Bengio's initial weights (2010)."""

    def __init__(self, seed: int = 0) -> None:
        random = np.random.default_rng(seed)

        def weights(rows: int, columns: int) -> Array:
            limit = np.sqrt(6.0 / (rows + columns))
            return random.uniform(-limit, limit, (rows, columns)).astype(np.float32)

        self.w1 = tf.Variable(weights(64, 64), name="hidden/weights")
        self.b1 = tf.Variable(np.zeros(64, np.float32), name="hidden/bias")
        self.w2 = tf.Variable(weights(64, 10), name="scores/weights")
        self.b2 = tf.Variable(np.zeros(10, np.float32), name="scores/bias")

    @property
    def variables(self) -> list[tf.Variable]:
        """The parameters, layer by layer."""
        return [self.w1, self.b1, self.w2, self.b2]

    def __call__(self, images: Any) -> Any:
        """Scores of shape (batch, 10) for images of shape (batch, 64)."""
        hidden = tf.tanh(images @ self.w1 + self.b1)
        return hidden @ self.w2 + self.b2

    def accuracy(self, images: Array, labels: Array) -> float:
        """The share of images whose highest score is that of their label."""
        return float(np.mean(self(images).numpy().argmax(axis=1) == labels))


class Adam:
    """Adam (Kingma and Ba, 2015, algorithm 1), written out with ``assign_sub``."""

    def __init__(self, variables: list[tf.Variable], rate: float = 0.003) -> None:
        self.variables, self.rate = variables, rate
        self.step = 0
        self.first = [np.zeros(tuple(v.shape), np.float32) for v in variables]
        self.second = [np.zeros(tuple(v.shape), np.float32) for v in variables]

    def apply(self, gradients: list[Any]) -> None:
        """Move each Variable against its gradient."""
        self.step += 1
        rate = self.rate * np.sqrt(1 - 0.999**self.step) / (1 - 0.9**self.step)
        for k, (variable, gradient) in enumerate(zip(self.variables, gradients)):
            g = gradient.numpy()
            self.first[k] = np.float32(0.9) * self.first[k] + np.float32(0.1) * g
            self.second[k] = np.float32(0.999) * self.second[k] + np.float32(0.001) * g * g
            variable.assign_sub(np.float32(rate) * self.first[k] / (np.sqrt(self.second[k]) + np.float32(1e-8)))


@dataclass
class History:
    """What happened at each step, and what came out."""

    losses: list[float] = field(default_factory=list)
    #: for each layer, the norm of its gradient at each step
    norms: dict[str, list[float]] = field(default_factory=lambda: {"hidden": [], "scores": []})
    train_accuracy: float = 0.0
    #: on the held-out digits
    accuracy: float = 0.0


def train(
    digits: Digits,
    epochs: int = 30,
    batch: int = 32,
    seed: int = 0,
    watcher: Callable[[int, int, float], None] = lambda step, steps, loss: None,
) -> History:
    """Train a classifier; ``watcher`` is told ``(step, steps, loss)`` after each step."""
    random = np.random.default_rng(seed)
    classifier, history = Classifier(seed), History()
    optimiser = Adam(classifier.variables)
    steps = epochs * (len(digits.train_labels) // batch)
    for step, rows in enumerate(_batches(len(digits.train_labels), batch, epochs, random), start=1):
        with tf.GradientTape(on_none="raise") as tape:
            scores = classifier(digits.train_images[rows])
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=digits.train_labels[rows], logits=scores)
            loss = tf.reduce_mean(losses)
        gradients = tape.gradient(loss, classifier.variables)
        optimiser.apply(gradients)
        history.losses.append(float(loss))
        for layer, (weights, bias) in zip(history.norms, (gradients[:2], gradients[2:])):
            history.norms[layer].append(float(np.hypot(np.linalg.norm(weights.numpy()), np.linalg.norm(bias.numpy()))))
        watcher(step, steps, history.losses[-1])
    history.train_accuracy = classifier.accuracy(digits.train_images, digits.train_labels)
    history.accuracy = classifier.accuracy(digits.test_images, digits.test_labels)
    return history


def _batches(count: int, batch: int, epochs: int, random: np.random.Generator) -> Iterator[Array]:
    """Rows of each step: every epoch a new order, the incomplete batch left out."""
    for _ in range(epochs):
        order = random.permutation(count)
        yield from (order[start : start + batch] for start in range(0, count - batch + 1, batch))
