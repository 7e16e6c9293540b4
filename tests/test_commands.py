"""The command ``wengert``: versions, help, scripts run unchanged, and users' mistakes told without tracebacks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import wengert

MAIN = "from wengert.commands import main; main()"


def command(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-c", MAIN, *map(str, arguments)]
    return subprocess.run(line, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "script.py"


# --- wengert run -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spelling",
    [
        "import tensorflow as tf",
        "import tensorflow\ntf = tensorflow",
        "import tensorflow.compat.v2 as tf",
        "from tensorflow.compat import v2 as tf",
        "from tensorflow import math, Variable, GradientTape\nimport tensorflow.math as same\nimport tensorflow as tf\n"
        "assert math is same is tf.math and Variable is tf.Variable",
        "from tensorflow import *\nimport tensorflow as tf\nassert Variable is tf.Variable",
    ],
)
def test_every_way_to_import_tensorflow(script: Path, spelling: str) -> None:
    # a star import brings tf.print, which writes to the standard error stream, in place of Python's print
    script.write_text(
        f"{spelling}\nimport builtins\nx = tf.Variable(3.0)\n"
        "with tf.GradientTape() as tape:\n    y = tf.math.square(x)\nbuiltins.print(tape.gradient(y, x).numpy())\n"
    )
    done = command("run", script)
    assert (done.returncode, done.stdout) == (0, "6.0\n"), done.stderr


def test_a_script_runs_as_main_with_its_arguments_and_neighbours(script: Path) -> None:
    (script.parent / "neighbour.py").write_text("import tensorflow as tf\nthree = tf.constant(3.0)\n")
    script.write_text(
        "import sys\nfrom neighbour import three\n"
        "print(__name__, __file__ == sys.argv[0], sys.argv[1:], three.numpy())\n"
    )
    done = command("run", script, "--flag", "-h", "value")
    assert (done.returncode, done.stdout) == (0, "__main__ True ['--flag', '-h', 'value'] 3.0\n"), done.stderr


@pytest.mark.parametrize(
    ("ending", "code"), [("sys.exit(7)", 7), ("sys.exit('bye')", 1), ("sys.exit()", 0), ("1 / 0", 1)]
)
def test_the_exit_code_of_a_script_is_kept(script: Path, ending: str, code: int) -> None:
    script.write_text(f"import sys\n{ending}\n")
    assert command("run", script).returncode == code


def test_a_scripts_error_is_shown_as_python_shows_it(script: Path) -> None:
    script.write_text("def divide():\n    return 1 / 0\n\ndivide()\n")
    by_python = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert command("run", script).stderr == by_python.stderr


def test_a_syntax_error_is_the_scripts_own(script: Path) -> None:
    script.write_text("import tensorflow as\n")
    done = command("run", script)
    assert done.returncode == 1
    assert "SyntaxError" in done.stderr
    assert "runpy" not in done.stderr


@pytest.mark.parametrize(
    ("line", "whole_name"),
    [
        ("model = tf.keras.layers.Dense(3)", "tf.keras.layers.Dense"),
        ("from tensorflow.keras.layers import Dense", "tf.keras.layers.Dense"),
        ("import tensorflow.keras.layers as layers", "tf.keras.layers"),
        ("from tensorflow import keras", "tf.keras"),
        ("from tensorflow.compat import v1", "tf.compat.v1"),
        ("y = tf.math.sqare(3.0)", "tf.math.sqare"),
    ],
)
def test_a_missing_name_is_told_with_its_line(script: Path, line: str, whole_name: str) -> None:
    script.write_text(f"import tensorflow as tf\n{line}\n")
    done = command("run", script)
    assert done.returncode == 1
    first, place, shown = done.stderr.splitlines()[:3]
    assert first == f"Wengert has no {whole_name}"
    assert place.strip() == f"{script}:2"
    assert shown.strip() == line
    assert "Traceback" not in done.stderr


def test_a_missing_name_comes_with_the_nearest_that_exist(script: Path) -> None:
    script.write_text("import tensorflow as tf\ntf.math.sqare(3.0)\n")
    assert "The nearest that exist: tf.math.square, tf.square" in command("run", script).stderr


def test_all_missing_names_are_told_at_once(script: Path) -> None:
    script.write_text("import tensorflow as tf\ntf.keras.Model()\nx = tf.constant(1.0)\ntf.data.Dataset.range(3)\n")
    told = command("run", script).stderr
    assert "tf.data.Dataset.range (line 4)" in told
    assert "constant" not in told


def test_a_script_may_ask_whether_a_name_exists(script: Path) -> None:
    script.write_text(
        "import tensorflow as tf\nprint(hasattr(tf, 'keras'))\n"
        "try:\n    from tensorflow import keras\nexcept ImportError as error:\n    print(error)\n"
    )
    assert command("run", script).stdout == "False\nWengert has no tf.keras.\n"


# --- mistakes --------------------------------------------------------------------------------------------------------


def test_a_script_that_does_not_exist(tmp_path: Path) -> None:
    done = command("run", tmp_path / "nowhere.py")
    assert done.returncode == 2
    assert "does not exist" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_picture_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = command("demo", "--output", tmp_path / "file" / "picture.png")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: cannot write")
    assert "Traceback" not in done.stderr


def test_an_unknown_command() -> None:
    done = command("differentiate")
    assert done.returncode == 2
    assert "No such command" in done.stderr


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra_it_says_what_to_install(missing: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; {MAIN}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'wengert[cli]'" in done.stderr
    assert "Traceback" not in done.stderr


# --- the rest --------------------------------------------------------------------------------------------------------


def test_version() -> None:
    done = command("--version")
    assert done.returncode == 0
    for part in (f"wengert {wengert.__version__}", "Python 3.", "NumPy 2.", "SciPy 1."):
        assert part in done.stdout


@pytest.mark.parametrize("arguments", [(), ("demo",), ("run",), ("bench",)])
def test_help(arguments: tuple[str, ...]) -> None:
    done = command(*arguments, "--help")
    assert done.returncode == 0
    assert "Usage: wengert" in done.stdout


def test_the_package_itself_imports_neither_typer_nor_rich() -> None:
    program = "import sys, wengert; print([m for m in ('typer', 'rich', 'matplotlib', 'sklearn') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
