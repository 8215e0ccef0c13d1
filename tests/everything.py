"""A report with everything that one can hold: what all formats are tried on."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from torchlint import reports
from torchlint.findings import (
    Edit,
    Finding,
    Fix,
    Level,
    Place,
    Report,
    Safety,
    Series,
    Status,
    Step,
    Summary,
    Trouble,
    Verdict,
)
from torchlint.reports import Style

TRAIN = """\
import torch
from torch import nn

from net import Net

# 损失函数 🔥
criterion = nn.CrossEntropyLoss()


def train(model, loader, optimizer):
    history, total = [], 0
    for x, y in loader:
        out = model(x)
        名称 = "🔥"; loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        history.append(
            loss,
        )
\ttotal += loss
    return history
"""
NET = """\
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def forward(self, x):
        x = self.layers(x)
        return F.softmax(x, dim=1) if self.normalise_what_is_given_to_the_next_layer \
else self.head_of_the_net(x, x)
""".replace("\\\n", "")


CELLS = {
    "notes/my réseau.ipynb:cell 1": "import torch",
    "notes/my réseau.ipynb:cell 3": """\
%matplotlib inline
net = torch.load("net.pt")
net?""",
}


def place(path: str, text: str, code: str) -> Place:
    """Where the code stands in the text."""
    begin = text.index(code)
    before, through = text[:begin], text[: begin + len(code)]
    return Place(
        path,
        before.count("\n") + 1,
        len(before) - before.rfind("\n"),
        through.count("\n") + 1,
        len(through) - through.rfind("\n"),
    )


def in_cell(unit: str, code: str, cell: int, row: int) -> Place:
    """Where the code stands in a cell, which begins in that line of the file but one."""
    path = unit.partition(":")[0]
    return replace(place(path, CELLS[unit], code), cell=cell, row=row)


def end(place: Place) -> Place:
    return replace(place, line=place.end_line, column=place.end_column)


def softmax() -> Finding:
    flagged = place("src/train.py", TRAIN, "criterion(out, y)")
    net = place("src/net.py", NET, "F.softmax(x, dim=1)")
    edit = Edit(net, "x")
    return Finding(
        code="TL301",
        name="softmax-before-cross-entropy",
        level=Level.CORRECTNESS,
        message="`criterion` expects logits and gets probabilities: the softmax is applied twice",
        place=flagged,
        scope="train",
        because=(
            Step(place("src/train.py", TRAIN, "nn.CrossEntropyLoss()"), "the loss, made here"),
            Step(net, "softmax applied here"),
            Step(place("src/train.py", TRAIN, "model(x)"), "returned here"),
        ),
        fix=Fix("Return the logits: replace the softmax with `x`", Safety.UNSAFE, (edit,)),
        fingerprint="a" * 64,
        verdict=Verdict(
            Status.CONFIRMED,
            "the rows of its input sum to 1 (8 of 8)",
            "",
            "cpu",
            0.8,
            (Series("sum of the input", "row", (1.0, 0.999999, 1.000001)),),
        ),
    )


def graph_kept() -> Finding:
    return Finding(
        code="TL801",
        name="graph-kept-by-append",
        level=Level.SUSPICIOUS,
        message="`history` keeps the graph of every loss",
        place=place("src/train.py", TRAIN, "history.append(\n            loss,\n        )"),
        scope="train",
        because=(Step(place("src/train.py", TRAIN, "criterion(out, y)"), "in a graph from here"),),
        fingerprint="b" * 64,
        verdict=Verdict(
            Status.REFUTED,
            "the graph did not grow in 4 rounds",
            "",
            "cpu",
            1.26,
            (Series("graph nodes", "round", (3, 3, 3, 3)),),
        ),
    )


def total() -> Finding:
    return Finding(
        code="TL802",
        name="graph-kept-by-sum",
        level=Level.CORRECTNESS,
        message="`total` keeps the graph of every loss: 100% of it, for ever",
        place=place("src/train.py", TRAIN, "total += loss"),
        scope="train",
        fingerprint="c" * 64,
        verdict=Verdict(Status.INCONCLUSIVE, "", "no inputs could be built for `loader`", "cpu", 0),
    )


def syntax() -> Finding:
    return Finding(
        code="TL001",
        name="syntax-error",
        level=Level.CORRECTNESS,
        message='this is Python 2 (`print "x"`); torchlint reads Python 3',
        place=Place("tools/old.py", 3, 1, 3, 10),
        fingerprint="d" * 64,
    )


def notebook() -> Finding:
    first, second = ("notes/my réseau.ipynb:cell 1", "notes/my réseau.ipynb:cell 3")
    return Finding(
        code="TL903",
        name="unsafe-load",
        level=Level.SUSPICIOUS,
        message="what is loaded may hold code | `a | b` <b>",
        place=in_cell(second, 'torch.load("net.pt")', 3, 57),
        because=(Step(in_cell(first, "import torch", 1, 9), "read here"),),
        fix=Fix(
            "Add `weights_only=True`",
            Safety.SAFE,
            (Edit(end(in_cell(second, '"net.pt"', 3, 57)), ", weights_only=True"),),
        ),
        fingerprint="e" * 64,
    )


def detached() -> Finding:
    """One whose repair has two edits, the second after wide characters, and both on one line."""
    whole = place("src/train.py", TRAIN, '名称 = "🔥"; loss = criterion(out, y)')
    return Finding(
        code="TL105",
        name="backward-without-graph",
        level=Level.PEDANTIC,
        message="a message\nover two lines: 100% ] of it; {0}",
        place=whole,
        scope="train",
        fix=Fix(
            "Name it in ASCII",
            Safety.SAFE,
            (
                Edit(place("src/train.py", TRAIN, "名称"), "name"),
                Edit(place("src/train.py", TRAIN, "criterion(out"), "criterion(out.detach()"),
            ),
        ),
        fingerprint="f" * 64,
    )


def everything() -> Report:
    return Report(
        findings=(notebook(), softmax(), detached(), graph_kept(), total(), syntax()),
        troubles=(Trouble("data/big.py", "is 5.0 MB long, 100% of it data: left out"),),
        summary=Summary(files=12, checked=9, hidden_pedantic=3, seconds=0.4),
        enforced=("wall time 30 s", "memory 3072 MiB", "network (namespace)"),
        texts={"src/train.py": TRAIN, "src/net.py": NET, **CELLS},
    )


def away(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Work in the folder, where no CI system is."""
    monkeypatch.chdir(folder)
    for name in ("GITHUB_WORKSPACE", "GITHUB_SHA", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


def rendered(report: Report, name: str, style: Style | None = None) -> str:
    out = io.StringIO()
    reports.render(report, name, out, style or Style())
    return out.getvalue()
