"""``import tensorflow`` resolved to Wengert, for as long as a context lasts."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import pytest

import wengert
from wengert.as_tensorflow import (
    MissingModuleError,
    MissingNameError,
    missing_names,
    nearest_names,
    wengert_as_tensorflow,
)


def tensorflow_modules() -> dict[str, ModuleType]:
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "tensorflow"}


def test_names_are_wengerts_own() -> None:
    with wengert_as_tensorflow() as tf:
        assert tf.Variable is wengert.Variable
        assert tf.math.square is wengert.math.square
        assert tf.compat.v2 is tf


def test_internal_modules_do_not_show() -> None:
    importlib.import_module("wengert.tape")
    with wengert_as_tensorflow() as tf:
        assert not [name for name in ("tape", "primitives", "tensor", "numpy", "arrays") if hasattr(tf, name)]


def test_nothing_is_left_afterwards() -> None:
    finders = list(sys.meta_path)
    with pytest.raises(ZeroDivisionError), wengert_as_tensorflow():
        importlib.import_module("tensorflow.math")
        assert "tensorflow.math" in sys.modules
        raise ZeroDivisionError
    assert not tensorflow_modules()
    assert sys.meta_path == finders


def test_what_was_imported_before_is_back_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    real = ModuleType("tensorflow")
    monkeypatch.setitem(sys.modules, "tensorflow", real)
    with wengert_as_tensorflow() as ours:
        assert importlib.import_module("tensorflow") is ours
    assert sys.modules["tensorflow"] is real


def test_contexts_nest() -> None:
    with wengert_as_tensorflow() as outer:
        assert importlib.import_module("tensorflow") is outer
        with wengert_as_tensorflow() as inner:
            assert importlib.import_module("tensorflow") is inner
        assert importlib.import_module("tensorflow") is outer


def test_other_modules_are_found_as_ever() -> None:
    with wengert_as_tensorflow(), pytest.raises(ModuleNotFoundError, match="tensorflow_of_another_name"):
        importlib.import_module("tensorflow_of_another_name")


def test_a_missing_name_is_an_attribute_error() -> None:
    with wengert_as_tensorflow() as tf, pytest.raises(MissingNameError, match=r"no tf\.math\.sqare.*tf\.math\.square"):
        tf.math.sqare(1.0)
    assert issubclass(MissingNameError, AttributeError)


def test_a_missing_module_is_an_import_error() -> None:
    with wengert_as_tensorflow(), pytest.raises(MissingModuleError, match=r"no tf\.lite"):
        importlib.import_module("tensorflow.lite.python")
    assert issubclass(MissingModuleError, ImportError)


@pytest.mark.parametrize(
    "source",
    [
        "import tensorflow as tf\ntf.lite.Interpreter()",
        "import tensorflow\ntensorflow.lite.Interpreter",
        "from tensorflow import lite\nlite.Interpreter",
        "import tensorflow.compat.v2 as tf\ntf.lite.Interpreter()",
        "def f():\n    from tensorflow.lite import Interpreter",
    ],
)
def test_missing_names_are_found_in_a_text(source: str) -> None:
    assert "tf.lite.Interpreter" in missing_names(source)


def test_names_that_exist_are_not_missing() -> None:
    source = "import tensorflow as tf\nx = tf.Variable(1.0)\ntf.Variable.assign\ntf.square(x)\ntf.__version__\nnp.foo"
    assert missing_names(source) == []


def test_nearest_names_prefer_the_same_module() -> None:
    assert nearest_names("tf.math.reduce_summ")[0] == "tf.math.reduce_sum"
    assert nearest_names("tf.reduce_summ")[0] == "tf.reduce_sum"
    assert nearest_names("tf.zzzzzzzz") == []
