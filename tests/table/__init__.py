"""The table of primitives: every one has a row here, and test_primitives.py runs all checks on all rows."""

from __future__ import annotations

import importlib
import pkgutil

from tests.table.case import Case

CASES: list[Case] = [
    case
    for module in pkgutil.iter_modules(__path__)
    if module.name != "case"
    for case in importlib.import_module(f"{__name__}.{module.name}").CASES
]
