"""What ``wengert`` takes on the command line."""

from __future__ import annotations

import platform
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import wengert

__all__ = ["app"]

app = typer.Typer(
    help="A gradient tape for Python: TensorFlow's spelling, NumPy's lightness, and no silent None.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(
            f"wengert {wengert.__version__} (Python {platform.python_version()}, NumPy {version('numpy')}, "
            f"SciPy {version('scipy')})"
        )
        raise typer.Exit


@app.callback()
def _wengert(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the versions and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", dir_okay=False, help="Where to save the picture of losses and gradients.")
    ] = Path("out/demo.png"),
) -> None:
    """Train a classifier on scanned digits, check the articles' programs, and explain three lost gradients.

    Exits with 1 if the classifier stays under 95 % or a program's result is
    not the expected one.
    """
    for package, module in (("scikit-learn", "sklearn"), ("matplotlib", "matplotlib")):
        if find_spec(module) is None:
            raise _mistake(f"the demo needs {package}, which is not installed: pip install 'wengert[demo]'")
    from wengert.demo import run_demo

    try:
        passed = run_demo(Console(), output)
    except OSError as error:
        raise _mistake(f"cannot write {output}: {error.strerror or error}") from None
    raise typer.Exit(0 if passed else 1)


@app.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
def run(
    script: Annotated[Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="A Python script.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="What the script finds in sys.argv.")] = None,
) -> None:
    """Run an existing TensorFlow script unchanged: its import of tensorflow gives Wengert.

    The script runs as __main__, and its exit code is kept. If it wants a
    tf.* name that Wengert does not have, the message says which, on which
    line, and what comes nearest.
    """
    from wengert.commands.run import run_script

    raise typer.Exit(run_script(script, arguments or []))


@app.command()
def bench(
    quick: Annotated[bool, typer.Option("--quick", help="A look in seconds; the numbers are rough.")] = False,
    rounds: Annotated[int | None, typer.Option(min=1, help="Repetitions of each measurement.")] = None,
    peers_python: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="The python of an environment that has the peers; by default that of .venv-bench, else this one.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", dir_okay=False, help="A Markdown file to keep the results in.")
    ] = None,
) -> None:
    """Measure Wengert beside every installed peer: TensorFlow, PyTorch, JAX, autograd, and NumPy by hand.

    Each framework runs in a process of its own, and the repetitions of all
    alternate, so that all meet the same machine. Exits with 1 if a
    framework's gradients differ from the others'.
    """
    from wengert.benchmark import WorkerError, find_peers_python, run_benchmark

    try:
        agree = run_benchmark(
            Console(), peers_python=peers_python or find_peers_python(), quick=quick, rounds=rounds, output=output
        )
    except OSError as error:
        raise _mistake(f"{error.filename}: {error.strerror}") from None
    except WorkerError as error:
        raise _mistake(str(error)) from None
    raise typer.Exit(0 if agree else 1)


def _mistake(message: str) -> typer.Exit:
    """Say what is wrong in one line, without a traceback."""
    text = Text.assemble(("Error:", "bold red"), f" {message}")
    Console(stderr=True).print(text, soft_wrap=True)
    return typer.Exit(1)
