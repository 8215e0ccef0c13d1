"""Hooks and the action: what CI systems and pre-commit are told to run is run here."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from cases import ROOT
from click.testing import CliRunner

from torchlint.cli import command

ACTION = ROOT / ".github" / "actions" / "torchlint"
WRONG = """\
import torch
import torch.nn.functional as F


def step(model, x, y):
    return F.cross_entropy(torch.softmax(model(x), 1), y)  # torchlint: ignore[TL302]
"""

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_hooks(hook: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("torchlint.toml").write_text('level = "pedantic"\nexclude = ["other"]\n')
    Path("other").mkdir()
    for name in ("a.py", "other/b.py"):
        Path(name).write_text(WRONG)
    program, *arguments = shlex.split(hook["entry"])
    assert program == "torchlint"
    assert hook["require_serial"]
    run = CliRunner().invoke(command, [*arguments, "a.py", "other/b.py"])
    assert run.exit_code == 1
    assert "TL301" in run.stdout
    assert Path("other/b.py").read_text() == WRONG
    assert ("TL302" in Path("a.py").read_text()) is (hook["id"] == "torchlint")


class Run:
    """The scripts of the action, with the variables that a runner would set."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.summary = folder / "summary.md"
        scripts = folder / "temp" / "torchlint" / "bin"
        scripts.mkdir(parents=True)
        program = scripts / "torchlint"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m torchlint "$@"\n')
        program.chmod(0o755)
        self.work = folder / "work"
        self.work.mkdir()

    def __call__(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        given = {name: each["default"] for name, each in action()["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        (step,) = [each for each in action()["runs"]["steps"] if each["name"] == "Run torchlint"]
        values = {
            variable: given[re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value)[1]]  # type: ignore[index]
            for variable, value in step["env"].items()
        }
        environment = {
            **os.environ,
            **values,
            "PYTHONPATH": os.fspath(ROOT),
            "GITHUB_ACTION_PATH": os.fspath(ACTION),
            "GITHUB_STEP_SUMMARY": os.fspath(self.summary),
            "RUNNER_TEMP": os.fspath(self.folder / "temp"),
        }
        return subprocess.run(
            ["bash", "-c", step["run"]],
            cwd=self.work,
            env=environment,
            capture_output=True,
            text=True,
        )


def action() -> Any:
    return yaml.safe_load((ACTION / "action.yml").read_text())


def test_the_action_annotates_sums_up_and_writes_sarif(tmp_path: Path) -> None:
    run = Run(tmp_path)
    (run.work / "a.py").write_text(WRONG)
    done = run(sarif="out.sarif")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("::error ")
    assert "title=TL301" in done.stdout
    assert "TL301" in run.summary.read_text()
    results = json.loads((run.work / "out.sarif").read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["TL301"]
    quiet = run(annotations="false", summary="false", args="--exit-zero\n--level=correctness\n")
    assert quiet.returncode == 0
    assert quiet.stdout.startswith("TL301 softmax-before-cross-entropy")


def test_what_is_put_into_the_action_is_never_run(tmp_path: Path) -> None:
    run = Run(tmp_path)
    names = [
        "a b.py",
        "$(touch ran).py",
        "`touch ran`.py",
        "; touch ran",
        '"; touch ran #',
        "--fix",
    ]
    for name in names:
        (run.work / name).write_text(WRONG)
    done = run(paths="\n".join(names), annotations="false", args="--output-format\r\nconcise\r\n")
    assert done.returncode == 1
    assert done.stdout.count("TL301") == len(names)
    assert not list(tmp_path.rglob("ran"))
    assert (run.work / "--fix").read_text() == WRONG
    refused = run(args="--level\n$(touch ran)")
    assert refused.returncode == 2
    elsewhere = run(working_directory="nowhere; touch ran")
    assert elsewhere.returncode == 1
    assert not list(tmp_path.rglob("ran"))


def test_expressions_of_the_action_are_in_no_script() -> None:
    for step in action()["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
        used = re.findall(r"inputs\.([\w-]+)", json.dumps(step))
        assert set(used) <= action()["inputs"].keys()
    for script in ACTION.glob("*.sh"):
        subprocess.run(["bash", "-n", script], check=True)


def test_an_old_python_is_refused(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    run = subprocess.run(
        ["bash", ACTION / "install.sh"],
        env={**os.environ, "INPUT_PYTHON": os.fspath(old), "RUNNER_TEMP": os.fspath(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert run.stdout.startswith("::error::torchlint needs Python 3.11 or newer")
