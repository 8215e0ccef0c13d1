"""Findings confirmed by running a program of the user's, as the user starts it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from flagged import job, write

from torchlint import api
from torchlint.confirm.commands import CommandError, program
from torchlint.confirm.runner.protocol import SHOWN, Observation
from torchlint.confirm.sandbox import Sandbox
from torchlint.findings import Status
from torchlint.settings import ConfirmSettings, Settings

ENGINE = """
def train_one_epoch(model, batches, optimizer):
    for x, y in batches:
        loss = (model(x) - y).pow(2).mean()
        loss.backward()  # here
        optimizer.step()
"""

MAIN = """
import argparse
import sys
import torch
from {module} import train_one_epoch

parser = argparse.ArgumentParser()
parser.add_argument("mode")
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()
if args.mode != "train" or __name__ != "__main__":
    sys.exit("usage: train")
width = int(open("width.txt").read())
model = torch.nn.Linear(width, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = list(zip(torch.randn(8, width).split(2), torch.randn(8, 1).split(2)))
for epoch in range(args.epochs):
    train_one_epoch(model, batches, optimizer)
open("log.txt", "w").write("done")
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def ask(sandbox: Sandbox, file: Path, command: str) -> Observation:
    folder = str(Path.cwd())
    asked = replace(job("TL201", file, "train_one_epoch"), root=folder, folder=folder)
    start = program(command, folder)
    asked = replace(asked, command=start.words, module=start.module)
    sandbox.submit(replace(asked, variables=dict(start.variables)))
    [(_, observation)] = sandbox.observations()
    return observation


@pytest.mark.torch
@pytest.mark.parametrize(
    ("name", "main", "command"),
    [
        ("engine.py", "train.py", "python train.py train --epochs 2"),
        ("pkg/engine.py", "pkg/train.py", "CUDA_VISIBLE_DEVICES=0 python -u -m pkg.train train"),
        ("pkg/engine.py", "pkg/__main__.py", "python3 -m pkg train"),
        ("pkg/engine.py", "pkg/train.py", "uv run --frozen python -m pkg.train train"),
        ("engine.py", "train.py", "torchrun --nproc_per_node 1 train.py train --epochs 2"),
    ],
)
def test_the_command_says_what_is_run(
    name: str, main: str, command: str, tmp_path: Path, sandbox: Sandbox
) -> None:
    file = write(tmp_path, ENGINE, name)
    if "/" in name:
        write(tmp_path, "", "pkg/__init__.py")
    module = ".engine" if "/" in name else "engine"
    write(tmp_path, MAIN.format(module=module), main)
    write(tmp_path, "3", "width.txt")
    before = sorted(tmp_path.rglob("*"))
    seen = ask(sandbox, file, command)
    assert seen.outcome == SHOWN, seen
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.torch
def test_a_module_in_a_folder_that_is_no_package_finds_its_neighbours(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    """``python -m`` looks from the folder that it is started in."""
    file = write(tmp_path, ENGINE, "tools/engine.py")
    write(tmp_path, MAIN.format(module=".engine"), "tools/train.py")
    write(tmp_path, "3", "width.txt")
    seen = ask(sandbox, file, "python -m tools.train train")
    assert seen.outcome == SHOWN, seen
    write(tmp_path, MAIN.format(module="tools.engine"), "tools/train.py")
    seen = ask(sandbox, file, "python -m tools.train train")
    assert seen.outcome == SHOWN, seen


@pytest.mark.torch
def test_variables_are_set_for_the_program(tmp_path: Path, sandbox: Sandbox) -> None:
    file = write(tmp_path, ENGINE, "lib/engine.py")
    text = MAIN.format(module="engine").replace('open("width.txt").read()', 'os.environ["WIDTH"]')
    write(tmp_path, f"import os\n{text}", "bin/train.py")
    seen = ask(sandbox, file, "WIDTH=3 PYTHONPATH=lib python bin/train.py train")
    assert "head" not in seen.evidence, seen
    seen = ask(sandbox, file, "PYTHONPATH=lib python bin/train.py train")
    assert "head." in seen.evidence  # of a stand-in, for the program fails


@pytest.mark.torch
def test_what_stops_the_program_is_told(tmp_path: Path, sandbox: Sandbox) -> None:
    text = ENGINE.replace("(model(x) - y)", "missing(model(x) - y)")
    file = write(tmp_path, text, "engine.py")
    write(tmp_path, MAIN.format(module="engine"), "train.py")
    write(tmp_path, "3", "width.txt")
    seen = ask(sandbox, file, "python train.py train")
    assert "run as `train.py train`: NameError" in seen.reason


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", "starts no Python program"),
        ("make train", "starts no Python program"),
        ("python", "names no program"),
        ("python -c 'pass'", "only code that lies in a file"),
        ("python gone.py", "there is no gone.py"),
        ("python -m gone.train", "there is no module gone.train"),
        ("python -m", "-m names no module"),
        ("python 'x", "is no command"),
        ("uv run pytest", "starts no Python program"),
        ("torchrun --nproc_per_node 2", "starts no Python program"),
    ],
)
def test_a_command_that_starts_nothing_is_refused(command: str, said: str) -> None:
    with pytest.raises(CommandError, match=said):
        program(command, str(Path.cwd()))


STALE = """
import torch

model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    loss = model(torch.randn(8, 2)).pow(2).mean()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.torch
def test_only_a_fix_that_was_seen_to_work_is_written(tmp_path: Path) -> None:
    good = write(tmp_path, STALE, "good.py")
    unseen = "import torch, sys\nsys.modules['sys'].exit(1)\n"
    stopped = write(tmp_path, STALE.replace("import torch\n", unseen), "bad.py")
    before = stopped.read_text()
    settings = ConfirmSettings(sys.executable, seconds=20, jobs=2)
    fixing = api.Fixing(unsafe=True)
    report, patches = api.fix(["."], Settings(), fixing, confirm=settings)
    assert [patch.path for patch in patches] == ["good.py"]
    assert "zero_grad()" in good.read_text()
    assert stopped.read_text() == before
    assert [each.place.path for each in report.fixed] == ["good.py"]
    assert all(each.verdict and each.verdict.proves_fix for each in report.fixed)
    assert [each.verdict and each.verdict.status for each in report.findings] == [
        Status.INCONCLUSIVE
    ]
