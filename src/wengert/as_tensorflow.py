"""Existing scripts, unchanged: within :func:`wengert_as_tensorflow`, ``import tensorflow`` gives Wengert.

A finder at the front of ``sys.meta_path`` answers for ``tensorflow`` and its submodules with modules that hold
Wengert's names. A name that is not there raises an error that says which, and what comes nearest.

>>> with wengert_as_tensorflow():
...     import tensorflow
...     from tensorflow import math as tfm
>>> float(tensorflow.compat.v2.square(tfm.add(1.0, 2.0)))
9.0
>>> tensorflow.reduce_men
Traceback (most recent call last):
    ...
wengert.as_tensorflow.MissingNameError: Wengert has no tf.reduce_men. The nearest that exist: tf.reduce_mean, ...
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher
from functools import cache
from types import CodeType, ModuleType
from typing import Any, Final

import wengert

__all__ = [
    "MissingModuleError",
    "MissingNameError",
    "Wanted",
    "missing_names",
    "nearest_names",
    "wanted_at",
    "wengert_as_tensorflow",
]

#: the version whose spelling Wengert follows
TENSORFLOW_VERSION: Final = "2.21.0"

#: TensorFlow's public modules; what else is a module inside the package ``wengert`` is no part of the interface
_PUBLIC_MODULES: Final = frozenset(
    """audio autodiff autograph bitwise config data debugging distribute dtypes errors experimental feature_column image
    initializers io keras linalg lite lookup losses math metrics nest nn optimizers profiler quantization queue ragged
    random raw_ops saved_model sets signal sparse strings summary sysconfig test tpu train types version xla
    """.split()  # noqa: SIM905
)


class MissingNameError(AttributeError):
    """A script wanted ``tf.<name>``, and Wengert does not have it.

    Args:
        dotted: the whole name, such as ``tf.nn.sofmax``.
    """

    def __init__(self, dotted: str) -> None:
        self.dotted = dotted
        super().__init__(dotted)

    def __str__(self) -> str:
        return _message(self.dotted)


class MissingModuleError(ModuleNotFoundError):
    """A script wanted to import a module, or a name from a module, that Wengert does not have.

    Args:
        dotted: the whole name, such as ``tf.keras.layers``.
    """

    def __init__(self, dotted: str) -> None:
        self.dotted = dotted
        # the import system forgives a missing module that has the very name it looked for, and then says less
        super().__init__(dotted, name=dotted)

    def __str__(self) -> str:
        return _message(self.dotted)


class Wanted(str):
    """A dotted name that a script uses, and the line where."""

    lineno: int

    def __new__(cls, dotted: str, lineno: int) -> Wanted:
        self = super().__new__(cls, dotted)
        self.lineno = lineno
        return self


class _TensorFlowModule(ModuleType):
    """``tensorflow`` or one of its submodules, holding the names of the Wengert module that stands for it."""

    def __init__(self, name: str, names: dict[str, Any]) -> None:
        super().__init__(name, names.get("__doc__"))
        self.__path__: list[str] = []  # a package, so that "import tensorflow.math" is asked of the finder
        self.__dict__.update({k: v for k, v in names.items() if not k.startswith("_")})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)  # the import system asks for these
        raise MissingNameError(f"{_spelled(self.__name__)}.{name}")


def _spelled(module: str) -> str:
    """``tf.math`` for ``tensorflow.math`` and for ``tensorflow.compat.v2.math``."""
    return "tf" + module.removeprefix("tensorflow").removeprefix(".compat.v2")


def _modules() -> dict[str, ModuleType]:
    """Every module that scripts can import, by its name in TensorFlow."""
    modules: dict[str, ModuleType] = {}

    def stand_for(source: ModuleType, name: str) -> ModuleType:
        names = {}
        for key, value in vars(source).items():
            if isinstance(value, ModuleType):
                inside = value.__name__.startswith(source.__name__ + ".")
                if inside and (key in _PUBLIC_MODULES or source is not wengert):
                    names[key] = stand_for(value, f"{name}.{key}")
            elif value is not annotations:
                names[key] = value
        modules[name] = _TensorFlowModule(name, names)
        return modules[name]

    root = stand_for(wengert, "tensorflow")
    compat = _TensorFlowModule("tensorflow.compat", {"v2": root})
    vars(root).update(compat=compat, __version__=f"{TENSORFLOW_VERSION}+wengert.{wengert.__version__}")
    modules.update({"tensorflow.compat.v2" + name.removeprefix("tensorflow"): m for name, m in modules.items()})
    modules["tensorflow.compat"] = compat
    return modules


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers for ``tensorflow`` and everything below it."""

    def __init__(self) -> None:
        self.modules = _modules()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] != "tensorflow":
            return None
        if fullname not in self.modules:
            raise MissingModuleError(_spelled(fullname))
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return self.modules[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run: the names are there already."""


@contextmanager
def wengert_as_tensorflow() -> Iterator[ModuleType]:
    """Within the context, ``import tensorflow`` (and its submodules, and ``tensorflow.compat.v2``) gives Wengert.

    A TensorFlow that was imported before is back afterwards.

    Yields:
        The module that stands for ``tensorflow``.

    >>> with wengert_as_tensorflow() as tensorflow_module:
    ...     import tensorflow
    >>> tensorflow is tensorflow_module
    True
    """
    finder = _Finder()
    before = _imported()
    for name in before:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    try:
        yield finder.modules["tensorflow"]
    finally:
        sys.meta_path.remove(finder)
        for name in _imported():
            del sys.modules[name]
        sys.modules.update(before)


def _imported() -> dict[str, ModuleType]:
    """The modules of whatever is imported as ``tensorflow`` now."""
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "tensorflow"}


# --- which names are missing, and what comes near them ----------------------------------------------------------------


def nearest_names(dotted: str, count: int = 3) -> list[str]:
    """Existing public names that come nearest to ``dotted``, best first.

    >>> nearest_names("tf.math.reduce_sun")[0]
    'tf.math.reduce_sum'
    """
    wanted_room, _, wanted = dotted.rpartition(".")
    scored = []
    for name in _public_names():
        room, _, last = name.rpartition(".")
        likeness = SequenceMatcher(None, wanted.lower(), last.lower()).ratio()
        if likeness >= 0.7:
            scored.append((-likeness - (0.1 if room == wanted_room else 0.0), name.count("."), name))
    return [name for _, _, name in sorted(scored)[:count]]


def missing_names(source: str) -> list[Wanted]:
    """The ``tf.*`` names that a script's text uses and Wengert lacks, each once, in order of their lines.

    Names are followed from the script's imports of ``tensorflow`` through plain attribute access; what a script reaches
    by other ways (``getattr``, a variable that holds a module) is not seen.

    >>> script = '''
    ... import tensorflow as tf
    ... x = tf.constant(1.0)
    ... y = tf.raw_ops.MatMul(a=x, b=x)
    ... '''
    >>> missing_names(script), missing_names(script)[0].lineno
    (['tf.raw_ops.MatMul'], 4)
    """
    root = _modules()["tensorflow"]
    found: dict[str, Wanted] = {}
    for wanted in sorted(_names_used(ast.parse(source)), key=lambda w: w.lineno):
        value: Any = root
        for part in wanted.split(".")[1:]:
            if not hasattr(value, part):
                found.setdefault(wanted, wanted)
                break
            value = getattr(value, part)
            if not isinstance(value, ModuleType):
                break  # what a class or function has is not ours to judge
    return list(found.values())


def wanted_at(code: CodeType, instruction: int, source: str, dotted: str) -> str:
    """The whole name that the running instruction was after: ``tf.keras.layers.Dense`` where ``tf.keras`` is missing.

    Args:
        code: of the frame where the name was missing.
        instruction: the frame's ``f_lasti``.
        source: the text of the frame's file.
        dotted: the part that was found missing.
    """
    positions = list(code.co_positions())
    if not 0 <= instruction // 2 < len(positions):
        return dotted
    _, end_line, _, end_column = positions[instruction // 2]
    tree = ast.parse(source)
    outer = {id(node.value): node for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if (getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)) != (end_line, end_column):
            continue
        if isinstance(node, ast.Attribute):
            while id(node) in outer:
                node = outer[id(node)]
                dotted += f".{node.attr}"
            return dotted
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [_spelled(f"{getattr(node, 'module', '')}.{name.name}".lstrip(".")) for name in node.names]
            return next((name for name in names if name == dotted or name.startswith(dotted + ".")), dotted)
    return dotted


def _message(dotted: str) -> str:
    nearest = nearest_names(dotted)
    hint = f" The nearest that exist: {', '.join(nearest)}." if nearest else ""
    return f"Wengert has no {dotted}.{hint}"


@cache
def _public_names() -> tuple[str, ...]:
    """Every public name, as a script spells it."""
    return tuple(
        f"{_spelled(module_name)}.{name}"
        for module_name, module in _modules().items()
        if not module_name.startswith("tensorflow.compat")
        for name in vars(module)
        if not name.startswith("_")
    )


def _names_used(tree: ast.Module) -> Iterator[Wanted]:
    """Every dotted name that starts at an import of ``tensorflow``."""
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.partition(".")[0] == "tensorflow":
                    aliases[name.asname or "tensorflow"] = _spelled(name.name) if name.asname else "tf"
                    yield Wanted(_spelled(name.name), node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "tensorflow":
            for name in node.names:
                if name.name != "*":
                    aliases[name.asname or name.name] = dotted = _spelled(f"{node.module}.{name.name}")
                    yield Wanted(dotted, node.lineno)
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            parts: list[str] = []
            value: ast.expr = node
            while isinstance(value, ast.Attribute):
                parts.append(value.attr)
                value = value.value
            if isinstance(value, ast.Name) and value.id in aliases:
                yield Wanted(".".join([aliases[value.id], *reversed(parts)]), node.lineno)
