"""--profile says where the time went."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from torchlint import profiling
from torchlint.cli import command

CODE = """\
import torch
import torch.nn.functional as F


def step(model, x, y):
    return F.cross_entropy(torch.softmax(model(x), 1), y)
"""


def test_phases_and_rules_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(CODE)
    result = CliRunner().invoke(command, ["--profile"], env={"TORCHLINT_NO_CACHE": None})
    said = result.stderr.splitlines()
    phases = ["reading", "outlining", "choosing what to interpret", "interpreting and asking rules"]
    assert [line.split("  ")[0].removeprefix("torchlint: ") for line in said[:4]] == phases
    assert said[5:]
    assert all(re.match(r"torchlint: TL\d{3} [a-z-]+ +\d+\.\d\d s", line) for line in said[5:])
    assert not Path(".torchlint_cache").exists()
    assert "TL301" in result.stdout


def test_more_processes_are_not_measured() -> None:
    result = CliRunner().invoke(command, ["--profile", "--jobs", "2"])
    assert result.exit_code == 2
    assert "--jobs and --profile exclude each other." in result.stderr


def test_nothing_is_measured_if_nobody_asks() -> None:
    with profiling.profiled() as profile:
        pass
    with profiling.phase("reading"):
        assert list(profiling.rule("TL101", "inplace-breaks-backward", iter([1]))) == [1]
    assert not profile.phases
    assert not profile.rules
