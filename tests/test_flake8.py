"""torchlint under flake8: as one of its plugins, found by the entry point that it declares."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cases import ROOT

from torchlint import api
from torchlint.flake8 import Plugin

WRONG = """\
import torch
import torch.nn.functional as F


def step(model, x, y):
    probs = torch.softmax(model(x), 1)
    return F.cross_entropy(
        probs,{}
        y,
    )
"""
TOLD = (
    "7:12: TL301 cross entropy expects logits, gets probabilities: softmax is applied before it\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that a distribution lies beside, which declares what ``pyproject.toml`` does."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    entries = project["entry-points"]["flake8.extension"]
    installed = tmp_path / "site" / "torchlint-1.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: torchlint\nVersion: 1\n")
    lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
    (installed / "entry_points.txt").write_text(f"[flake8.extension]\n{lines}")
    work = tmp_path / "work"
    work.mkdir()
    return work


def flake8(
    folder: Path, *arguments: str, given: str | None = None
) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([os.fspath(folder.parent / "site"), os.fspath(ROOT)])
    return subprocess.run(
        [sys.executable, "-m", "flake8", "--isolated", *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )


def test_findings_are_those_of_flake8(folder: Path) -> None:
    for number in range(3):
        (folder / f"a{number}.py").write_text(WRONG.format(""))
    (folder / "fine.py").write_text("import torch\n")
    run = flake8(folder, "--select", "TL", "--jobs", "2", ".")
    assert run.stdout == "".join(f"./a{number}.py:{TOLD}" for number in range(3))
    assert (run.stderr, run.returncode) == ("", 1)
    assert "torchlint: " in flake8(folder, "--version").stdout


def test_a_mark_for_flake8_counts_in_any_line_of_the_statement(folder: Path) -> None:
    (folder / "a.py").write_text(WRONG.format("  # noqa: TL301"))
    run = flake8(folder, "--select", "TL", "a.py")
    assert (run.stdout, run.returncode) == ("", 0)


def test_standard_input(folder: Path) -> None:
    arguments = ("--select", "TL", "--stdin-display-name", "new/b.py", "-")
    run = flake8(folder, *arguments, given=WRONG.format(""))
    assert (run.stdout, run.returncode) == (f"new/b.py:{TOLD}", 1)
    assert flake8(folder, "--select", "TL", "-", given="import torch\n").returncode == 0


def test_the_projects_configuration_counts(folder: Path) -> None:
    (folder / "a.py").write_text(WRONG.format(""))
    (folder / "torchlint.toml").write_text('ignore = ["TL301"]\n')
    assert flake8(folder, "--select", "TL", "a.py").returncode == 0
    (folder / "torchlint.toml").write_text("no = 1\n")
    run = flake8(folder, "--select", "TL", "a.py")
    assert run.stdout.startswith("a.py:1:1: TL000 torchlint.toml:1: there is no option no")
    assert run.returncode == 1


def test_a_failure_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(api, "check", fail)
    (told,) = Plugin(None, "a.py", ["import torch\n"]).run()  # type: ignore[arg-type]
    assert told[:2] == (1, 0)
    assert told[2] == "TL000 torchlint failed: RuntimeError: boom; please report this"
