"""One framework in a process of its own, which measures what it is asked to and waits.

This file is run by path, with whichever Python has the framework, and so imports nothing of Wengert's unless Wengert is
the framework. It reads requests from standard input and answers on standard output, one JSON object a line each:

- ``{"do": "versions"}`` -> ``{"versions": {"torch": "2.13.0", ...}, "blas": "..."}``
- ``{"do": "calibrate", "task": ..., "variant": ..., "seconds": 0.05}`` -> ``{"count": 1234}``
- ``{"do": "time", "task": ..., "variant": ..., "count": 1234}`` -> ``{"seconds": 3.2e-6}``, of one call
- ``{"do": "gradients", "task": ..., "variant": ..., "path": "file.npz"}`` -> ``{}``
- ``{"do": "memory", "steps": 1000}`` -> ``{"imported": bytes, "after": bytes}``
"""

from __future__ import annotations

import ctypes
import glob
import importlib
import itertools
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["FRAMEWORKS", "TASKS", "serve"]

Task = Callable[[], Any]

#: what is measured: batch, inputs, and sizes of the layers of the perceptrons
SMALL_PERCEPTRON = (32, (64, 64, 64, 1))
LARGE_PERCEPTRON = (256, (784, 512, 512, 10))
TASKS = ("elementwise", "square", "small_perceptron", "large_perceptron")


def perceptron_data(batch: int, sizes: tuple[int, ...]) -> tuple[Any, list[Any]]:
    """Inputs (batch, features) and weights, float32, the same in every process."""
    import numpy as np

    random = np.random.RandomState(0)
    inputs = random.standard_normal((batch, sizes[0])).astype(np.float32)
    weights = [
        (random.standard_normal(pair) / np.sqrt(pair[0])).astype(np.float32) for pair in itertools.pairwise(sizes)
    ]
    return inputs, weights


class NumPyByHand:
    """Forward and backward pass written out: what no tape can beat with the same kernels."""

    module = "numpy"
    variants = ("",)

    def tasks(self, variant: str) -> dict[str, Task]:
        import numpy as np

        def perceptron(batch: int, sizes: tuple[int, ...]) -> Task:
            x, (w1, w2, w3) = perceptron_data(batch, sizes)

            def step() -> Any:
                h1 = np.tanh(x @ w1)
                h2 = np.tanh(h1 @ w2)
                out = h2 @ w3
                (out * out).mean()
                d_out = out * np.float32(2.0 / out.size)
                d_z2 = (d_out @ w3.T) * (1 - h2 * h2)
                d_z1 = (d_z2 @ w2.T) * (1 - h1 * h1)
                return x.T @ d_z1, h1.T @ d_z2, h2.T @ d_out

            return step

        ones, three = np.ones(4, np.float32), np.float32(3.0)
        return {
            "elementwise": lambda: ones * ones,
            "square": lambda: (three * three, three + three)[1],
            "small_perceptron": perceptron(*SMALL_PERCEPTRON),
            "large_perceptron": perceptron(*LARGE_PERCEPTRON),
        }


class TensorFlowLike:
    """Wengert and TensorFlow run the very same programs."""

    def __init__(self, module: str, variants: tuple[str, ...]) -> None:
        self.module, self.variants = module, variants

    def tasks(self, variant: str) -> dict[str, Task]:
        tf = importlib.import_module(self.module)
        compiled: Callable[[Task], Task] = tf.function if variant == "tf.function" else lambda task: task

        def perceptron(batch: int, sizes: tuple[int, ...]) -> Task:
            inputs, arrays = perceptron_data(batch, sizes)
            x, weights = tf.constant(inputs), [tf.Variable(w) for w in arrays]

            def step() -> Any:
                with tf.GradientTape() as tape:
                    h = tf.tanh(x @ weights[0])
                    h = tf.tanh(h @ weights[1])
                    loss = tf.reduce_mean(tf.square(h @ weights[2]))
                return tape.gradient(loss, weights)

            return compiled(step)

        ones, three = tf.ones((4,)), tf.Variable(3.0)

        def square() -> Any:
            with tf.GradientTape() as tape:
                y = three * three
            return tape.gradient(y, three)

        return {
            "elementwise": compiled(lambda: ones * ones),
            "square": compiled(square),
            "small_perceptron": perceptron(*SMALL_PERCEPTRON),
            "large_perceptron": perceptron(*LARGE_PERCEPTRON),
        }


class PyTorch:
    """Eager PyTorch, with as many threads as the machine has cores (its default)."""

    module = "torch"
    variants = ("eager",)

    def tasks(self, variant: str) -> dict[str, Task]:
        import torch

        def perceptron(batch: int, sizes: tuple[int, ...]) -> Task:
            inputs, arrays = perceptron_data(batch, sizes)
            x, weights = torch.tensor(inputs), [torch.tensor(w, requires_grad=True) for w in arrays]

            def step() -> Any:
                h = torch.tanh(x @ weights[0])
                h = torch.tanh(h @ weights[1])
                out = h @ weights[2]
                return torch.autograd.grad((out * out).mean(), weights)

            return step

        ones, three = torch.ones(4), torch.tensor(3.0, requires_grad=True)

        def square() -> Any:
            y = three * three
            return torch.autograd.grad(y, three)[0]

        return {
            "elementwise": lambda: ones * ones,
            "square": square,
            "small_perceptron": perceptron(*SMALL_PERCEPTRON),
            "large_perceptron": perceptron(*LARGE_PERCEPTRON),
        }


class Jax:
    """JAX, operation by operation and compiled; every call waits for its result."""

    module = "jax"
    variants = ("jit", "eager")

    def tasks(self, variant: str) -> dict[str, Task]:
        import jax
        import jax.numpy as jnp

        compiled: Callable[[Any], Any] = jax.jit if variant == "jit" else lambda function: function
        wait = jax.block_until_ready

        def loss(weights: Any, x: Any) -> Any:
            h = jnp.tanh(x @ weights[0])
            h = jnp.tanh(h @ weights[1])
            out = h @ weights[2]
            return (out * out).mean()

        def perceptron(batch: int, sizes: tuple[int, ...]) -> Task:
            inputs, arrays = perceptron_data(batch, sizes)
            x, weights = jnp.asarray(inputs), [jnp.asarray(w) for w in arrays]
            gradient = compiled(jax.grad(loss))
            return lambda: wait(gradient(weights, x))

        ones, three = jnp.ones(4), jnp.float32(3.0)
        multiply, square = compiled(lambda a, b: a * b), compiled(jax.grad(lambda x: x * x))
        return {
            "elementwise": lambda: wait(multiply(ones, ones)),
            "square": lambda: wait(square(three)),
            "small_perceptron": perceptron(*SMALL_PERCEPTRON),
            "large_perceptron": perceptron(*LARGE_PERCEPTRON),
        }


class Autograd:
    """HIPS autograd."""

    module = "autograd"
    variants = ("",)

    def tasks(self, variant: str) -> dict[str, Task]:
        import autograd
        import autograd.numpy as anp
        import numpy as np

        def perceptron(batch: int, sizes: tuple[int, ...]) -> Task:
            x, arrays = perceptron_data(batch, sizes)

            def loss(weights: Any) -> Any:
                h = anp.tanh(x @ weights[0])
                h = anp.tanh(h @ weights[1])
                out = h @ weights[2]
                return anp.mean(out * out)

            gradient = autograd.grad(loss)
            return lambda: gradient(arrays)

        ones, square = np.ones(4, np.float32), autograd.grad(lambda x: x * x)
        return {
            "elementwise": lambda: anp.multiply(ones, ones),
            "square": lambda: square(3.0),
            "small_perceptron": perceptron(*SMALL_PERCEPTRON),
            "large_perceptron": perceptron(*LARGE_PERCEPTRON),
        }


FRAMEWORKS: dict[str, Any] = {
    "wengert": TensorFlowLike("wengert", ("",)),
    "numpy": NumPyByHand(),
    "torch": PyTorch(),
    "tensorflow": TensorFlowLike("tensorflow", ("eager", "tf.function")),
    "jax": Jax(),
    "autograd": Autograd(),
}


# --- measuring -------------------------------------------------------------------------------------------------------


class Worker:
    """Answers requests about one framework."""

    def __init__(self, name: str) -> None:
        self.framework = FRAMEWORKS[name]
        self.tasks: dict[str, dict[str, Task]] = {}

    def task(self, request: dict[str, Any]) -> Task:
        """The program to run; each variant's programs are made when first asked for."""
        variant = request.get("variant", self.framework.variants[0])
        if variant not in self.tasks:
            self.tasks[variant] = self.framework.tasks(variant)
        return self.tasks[variant][request["task"]]

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what a request asks."""
        answers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "versions": self.versions,
            "calibrate": self.calibrate,
            "time": self.time,
            "gradients": self.gradients,
            "memory": self.memory,
        }
        return answers[request["do"]](request)

    def versions(self, request: dict[str, Any]) -> dict[str, Any]:
        """The versions of Python, NumPy and the framework, and the kernel that NumPy's BLAS chose."""
        from importlib.metadata import PackageNotFoundError, version

        import numpy as np

        importlib.import_module(self.framework.module)
        names = {"Python": "{}.{}.{}".format(*sys.version_info), "numpy": np.__version__}
        for package in (self.framework.module, "tensorflow-cpu"):
            try:
                names[package.removesuffix("-cpu")] = version(package)
            except PackageNotFoundError:
                continue
        return {"versions": names, "blas": blas_kernel()}

    def calibrate(self, request: dict[str, Any]) -> dict[str, Any]:
        """How many calls take about so many seconds."""
        task, count = self.task(request), 1
        task()
        while True:
            seconds = _run(task, count)
            if seconds >= request["seconds"] / 4:
                return {"count": max(1, round(count * request["seconds"] / seconds))}
            count *= 4

    def time(self, request: dict[str, Any]) -> dict[str, Any]:
        """Seconds of one call, after a short run that brings caches and clocks back."""
        task, count = self.task(request), request["count"]
        _run(task, max(1, count // 5))
        return {"seconds": _run(task, count) / count}

    def gradients(self, request: dict[str, Any]) -> dict[str, Any]:
        """Save what a task returns."""
        import numpy as np

        result = self.task(request)()
        arrays = result if isinstance(result, (list, tuple)) else [result]
        np.savez(request["path"], *[np.asarray(a) for a in arrays])
        return {}

    def memory(self, request: dict[str, Any]) -> dict[str, Any]:
        """Resident memory once the framework is imported, and after many steps of the small perceptron."""
        importlib.import_module(self.framework.module)
        imported = resident_memory()
        task = self.task({"task": "small_perceptron"})
        for _ in range(request["steps"]):
            task()
        return {"imported": imported, "after": resident_memory()}


def _run(task: Task, count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        task()
    return time.perf_counter() - start


def resident_memory() -> int:
    """Bytes of this process that are in memory."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


def blas_kernel() -> str:
    """The kernel that NumPy's OpenBLAS chose for this processor, such as ``SkylakeX``; empty if it is another BLAS."""
    import numpy as np

    root = os.path.dirname(os.path.dirname(np.__file__))
    for path in glob.glob(os.path.join(root, "numpy.libs", "*openblas*")):
        library = ctypes.CDLL(path)
        for name in ("scipy_openblas_get_corename64_", "openblas_get_corename64_", "openblas_get_corename"):
            if hasattr(library, name):
                function = getattr(library, name)
                function.restype = ctypes.c_char_p
                return f"OpenBLAS {function().decode()}"
    return ""


def serve(name: str) -> None:
    """Answer requests until standard input ends. What the framework itself prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = Worker(name)
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except Exception as error:  # the runner decides what to do without this framework
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    serve(sys.argv[1])
