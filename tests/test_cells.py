"""Notebooks and Markdown as people write them: findings equal the marks in them, cell by cell."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from annotations import parse_marks
from cases import FIXTURES

from torchlint import api
from torchlint.api import Fixing
from torchlint.settings import Settings

CASES = sorted((FIXTURES / "cells").iterdir())


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def texts(file: Path) -> Iterator[tuple[int | None, str]]:
    """What readers see of a file, by cell."""
    text = file.read_text("utf-8")
    if file.suffix == ".md":
        yield None, text
    else:
        for number, cell in enumerate(json.loads(text)["cells"], start=1):
            yield number, "".join(cell["source"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_findings_equal_marks(case: Path, here: Path) -> None:
    shutil.copy(case, here)
    report = api.check([case.name], Settings(torch_version=">=2.0"))
    expected = Counter(
        (cell, mark.line, mark.code)
        for cell, text in texts(case)
        for mark in parse_marks(text)
        if mark.kind == "expect"
    )
    places = [(each.place, each.code) for each in report.findings]
    assert Counter((place.cell, place.line, code) for place, code in places) == expected
    assert bool(expected) == case.name.startswith("fires_")
    # Each is shown by the line that it is about, which the file itself has too.
    lines = case.read_text("utf-8").splitlines()
    for place, code in places:
        assert code in lines[(place.row or place.line) - 1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fixes_leave_all_else(case: Path, here: Path) -> None:
    shutil.copy(case, here)
    report, _ = api.fix([case.name], Settings(), Fixing(unsafe=True))
    assert not report.troubles
    before, after = (dict(texts(file)) for file in (case, here / case.name))
    changed = {cell for cell in before if before[cell] != after[cell]}
    assert changed == {finding.place.cell for finding in report.fixed}
    if case.suffix == ".ipynb":
        old, new = (json.loads(file.read_text("utf-8")) for file in (case, here / case.name))
        for cell in (*old["cells"], *new["cells"]):
            cell.pop("source")
        assert new == old
    old_lines, new_lines = (
        file.read_bytes().splitlines(keepends=True) for file in (case, here / case.name)
    )
    if len(old_lines) > 1:
        # Lines are added or taken away, or what is said in them is another; most stay.
        assert len(set(old_lines) - set(new_lines)) <= len(report.fixed)
