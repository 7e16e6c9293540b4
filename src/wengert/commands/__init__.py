"""The command ``wengert``. Typer and Rich come with the extra ``cli`` and are imported only when the command runs."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line, or say what to install for it."""
    try:
        from wengert.commands.app import app
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("typer", "rich"):
            raise
        sys.exit(f"The command wengert needs {missing}, which is not installed: pip install 'wengert[cli]'")
    app(prog_name="wengert")
