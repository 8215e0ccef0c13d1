"""Syntax that is newer than the oldest Python: what is wrong in it and beside it is found."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from torchlint.api import check
from torchlint.cli import command

HEAD = """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn

"""

PARAMETERS = """
type Image = Tensor
type Pair[T] = tuple[T, T]


class Block[T: nn.Module, *Ts, **P](nn.Module):
    def __init__(self, inner: T) -> None:
        super().__init__()
        self.layers = [nn.Linear(4, 4), inner]  # TL402

    def forward(self, x: Image) -> Pair[Image]:
        type Local = Tensor
        y: Local = x.exp()
        y += 1  # TL101
        return y, F.cross_entropy(torch.softmax(y, -1), x)  # TL301


def step[T: nn.Module](model: T, x: Image, y: Tensor) -> Tensor:
    x.to("cuda:1")  # TL503
    return F.cross_entropy(torch.softmax(model(x), dim=-1), y)  # TL301
"""

DEFAULTS = """
class Block[T: nn.Module = nn.Linear](nn.Module):
    def __init__(self) -> None:
        self.fc = nn.Linear(4, 4)  # TL401
        super().__init__()

    def forward(self, x):
        return self.fc(x)
"""

FORMATS = '''
def show(model, x: Tensor, y):
    print(f"{F.cross_entropy(torch.softmax(model(x), dim=-1), y):{"\\n".join(["9"])}}")  # TL301
    print(f"""{
        F.cross_entropy(torch.softmax(x, dim=-1), y)  # TL301
    } \\N{FIRE} {f"{f"{F.cross_entropy(torch.softmax(x, -1), y)=}"}"}""")  # TL301
'''

TEMPLATES = """
def show(x: Tensor, y):
    print(t"{F.cross_entropy(torch.softmax(x, dim=-1), y)!r:>{9}}")  # TL301
    return t"a {t'{F.cross_entropy(torch.softmax(x, dim=-1), y)}'}" t"{y}"  # TL301


def train(model: nn.Linear, loader, log):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        log(t"cleared {optimizer.zero_grad()}")


def train_with_a_message(model: nn.Linear, loader, log):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    message = t"{optimizer} takes a step"
    for x, y in loader:
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        log(message)


def train_without(model: nn.Linear, loader, log):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        F.mse_loss(model(x), y).backward()  # TL201
        optimizer.step()
        log(t"{x.mean()} {y.mean():.3f}")
"""

HANDLERS = """
def train(model: nn.Linear, loader, optimizer):
    for x, y in loader:
        try:
            F.cross_entropy(torch.softmax(model(x), dim=-1), y)  # TL301
        except RuntimeError, ValueError:
            continue
        try:
            optimizer.zero_grad()
        except* OSError, KeyError:
            F.cross_entropy(torch.softmax(model(x), dim=-1), y)  # TL301
"""

ENDINGS = """
def first(model: nn.Linear, loader, y):
    for x in loader:
        try:
            loss = F.cross_entropy(torch.softmax(model(x), dim=-1), y)  # TL301
        finally:
            continue
    try:
        loss = F.cross_entropy(torch.softmax(model(x), dim=-1), y)  # TL301
    finally:
        return loss
"""


@pytest.mark.parametrize(
    ("since", "program"),
    [
        ((3, 11), ENDINGS),
        ((3, 12), PARAMETERS),
        ((3, 12), FORMATS),
        ((3, 13), DEFAULTS),
        ((3, 14), HANDLERS),
        ((3, 14), TEMPLATES),
    ],
    ids=["endings", "parameters", "formats", "defaults", "handlers", "templates"],
)
def test_what_is_wrong_is_found(since: tuple[int, int], program: str, tmp_path: Path) -> None:
    if sys.version_info < since:
        pytest.skip("Python does not read it")
    text = HEAD + program
    (tmp_path / "program.py").write_text(text)
    report = check([str(tmp_path)])
    marks = {
        (mark.group(1), number)
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := re.search(r"# (TL\d+)$", line))
    }
    assert {(item.code, item.place.line) for item in report.findings} == marks


@pytest.mark.skipif(sys.version_info < (3, 14), reason="Python does not read it")
def test_no_comment_goes_into_a_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    template = 'x = t"""{torch.symeig(\n    x\n)}"""'
    Path("program.py").write_text(f"{HEAD}{template}\n")
    CliRunner().invoke(command, ["--add-ignore", "program.py"])
    assert Path("program.py").read_text() == f"{HEAD}{template}  # torchlint: ignore[TL901]\n"
    assert not check(["program.py"]).findings
