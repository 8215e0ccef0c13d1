"""What a shell is told to offer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cases import ROOT

from torchlint.registry import rules

CODE = "import sys; sys.argv = ['torchlint']; from torchlint.cli import main; main()"


def offered(*words: str, folder: Path = ROOT) -> list[str]:
    """What bash is told for the last of the words."""
    given = {"COMP_WORDS": " ".join(("torchlint", *words)), "COMP_CWORD": str(len(words))}
    env = {**os.environ, **given, "PYTHONPATH": os.fspath(ROOT)}
    env["_TORCHLINT_COMPLETE"] = "bash_complete"
    command = [sys.executable, "-c", CODE]
    result = subprocess.run(command, env=env, capture_output=True, text=True, cwd=folder)
    assert result.stderr == ""
    return list(filter(None, result.stdout.splitlines()))


@pytest.mark.parametrize("option", ["--select", "--ignore", "--extend-select"])
def test_rules(option: str) -> None:
    assert offered(option, "TL30") == [f"plain,{code}" for code in rules() if code[:4] == "TL30"]
    assert offered(option, "tl00")[0] == "plain,TL000"
    assert offered(option, "missing-z") == ["plain,missing-zero-grad"]


def test_rules_in_a_list() -> None:
    assert offered("--select", "TL1,TL00") == [f"plain,TL1,TL00{each}" for each in range(4)]
    assert offered("--per-file-ignores", "tests/:TL003") == ["plain,tests/:TL003"]


def test_levels() -> None:
    assert "plain,suspicious" in offered("--select", "susp")
    assert offered("--select", "AL") == ["plain,ALL"]


def test_one_rule() -> None:
    assert offered("--explain", "TL003") == ["plain,TL003"]
    assert offered("--explain", "ALL") == []


def test_choices_options_and_files() -> None:
    assert offered("--output-format", "sar") == ["plain,sarif"]
    assert "plain,--add-ignore" in offered("--add")
    assert offered("src/a") == ["file,src/a"]
    assert offered("--baseline", "b") == ["file,b"]


def test_commits(tmp_path: Path) -> None:
    assert offered("--diff-base", "m", folder=tmp_path) == []
    for arguments in (
        ("init", "-b", "main"),
        ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-m", "a"),
    ):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
    assert offered("--diff-base", "m", folder=tmp_path) == ["plain,main"]
