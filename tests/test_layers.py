"""Imports point one way: the contracts of ``pyproject.toml``, and what the runner may need."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cases import ROOT
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

PACKAGE = ROOT / "torchlint"
RUNNER = PACKAGE / "confirm" / "runner"


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Level and module of each import of a file, those within functions included."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""


def test_contracts_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(os.fspath(ROOT))
    assert lint_imports(no_cache=True) == EXIT_STATUS_SUCCESS


SINCE = {"annotationlib"}
"""What the standard library of a later Python has, and is imported there alone."""


@pytest.mark.parametrize("file", sorted(RUNNER.rglob("*.py")), ids=lambda file: file.stem)
def test_the_runner_needs_only_the_standard_library_and_torch(file: Path) -> None:
    depth = len(file.relative_to(RUNNER).parts)
    for level, name in imported(file):
        if level:
            assert level <= depth, f"from {'.' * level}{name} leaves the runner"
        else:
            assert name.partition(".")[0] in sys.stdlib_module_names | {"torch", *SINCE}


def test_torch_is_imported_by_the_runner_alone() -> None:
    users = {
        file
        for file in modules()
        for level, name in imported(file)
        if not level and name.partition(".")[0] in ("torch", "numpy")
    }
    assert not [file for file in users if RUNNER not in file.parents]
