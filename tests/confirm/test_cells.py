"""What is found in a notebook is run as its cells are, from the first one on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from notebooks import notebook, written

from torchlint import api
from torchlint.confirm.commands import program
from torchlint.findings import Finding, Status
from torchlint.settings import ConfirmSettings, Settings

HEAD = "%matplotlib inline\nimport torch\nfrom torch import nn"
MODEL = """\
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.utils.data.TensorDataset(torch.randn(32, 4), torch.randint(0, 3, (32,)))
loader = torch.utils.data.DataLoader(data, batch_size=8, shuffle=True)"""
TRAIN = """\
%%time
for x, y in loader:
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def judged(*cells: str, python: str = sys.executable) -> Finding:
    Path("train.ipynb").write_text(written(notebook(*cells)))
    settings = ConfirmSettings(python=python, seconds=20, jobs=2)
    (finding,) = api.check(["."], Settings(), confirm=settings).findings
    return finding


@pytest.mark.torch
def test_the_cells_before_it_are_run() -> None:
    Path("train.py").write_text("raise RuntimeError\n")
    finding = judged(HEAD, MODEL + "\ndisplay(model)", TRAIN, "model = None\nraise SystemExit(1)")
    assert finding.code == "TL201"
    assert finding.place.cell == 3
    assert finding.verdict is not None
    assert finding.verdict.status is Status.CONFIRMED
    assert finding.verdict.evidence.endswith("the repaired code does not show it")


@pytest.mark.torch
def test_what_only_a_notebook_can_do_proves_nothing() -> None:
    finding = judged(HEAD, "files = !ls", MODEL, TRAIN)
    assert finding.verdict is not None
    assert finding.verdict.status is Status.INCONCLUSIVE
    assert "(train.ipynb, cell 2, line 1)" in finding.verdict.reason


def test_functions_that_are_defined_twice_are_not_run() -> None:
    lines = TRAIN.partition("\n")[2].splitlines()
    train = "\n    ".join(("def train(model, loader, optimizer):", *lines))
    finding = judged(
        HEAD, "def net(): return 1", "def net(): return 2", train, python="/nonexistent"
    )
    assert finding.verdict is not None
    assert finding.verdict.reason == (
        "`net` defined in several cells: which one is meant depends on when they are run"
    )


ENGINE = """\
def train(model, loader, optimizer):
    for x, y in loader:
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
"""
CALL = """\
from engine import train
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train(model, list(zip(torch.randn(32, 4).split(8), torch.randn(32, 1).split(8))), optimizer)"""


@pytest.mark.torch
@pytest.mark.parametrize("paths", [["engine.py"], ["."]])
def test_a_notebook_can_be_what_is_run(paths: list[str]) -> None:
    """Also one that is not looked at for mistakes."""
    Path("engine.py").write_text(ENGINE)
    Path("train.ipynb").write_text(written(notebook(HEAD, CALL, "raise SystemExit(1)")))
    start = program("train.ipynb", str(Path.cwd()))
    settings = ConfirmSettings(sys.executable, seconds=20, jobs=2, command=start)
    (finding,) = api.check(paths, Settings(), confirm=settings).findings
    assert finding.verdict is not None
    assert finding.verdict.status is Status.CONFIRMED, finding.verdict
