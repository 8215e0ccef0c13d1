"""A project that has everything, linted and written in every format, against what was approved.

There is a fix in a notebook and one over several lines, a chain through two files, wide characters
and tabs, what Python refuses, what a comment suppresses, and a verdict of each kind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from everything import away, rendered

from torchlint import api, reports
from torchlint.findings import Finding, Report, Series, Status, Verdict
from torchlint.reports import Style, html, sarif

NET = """\
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 3)

    def forward(self, x):
        return F.softmax(self.body(x), dim=1)
"""

TRAIN = """\
import torch
from torch import nn

from net import Net

# 损失函数 🔥
criterion = nn.CrossEntropyLoss()


def train(loader):
\tmodel = Net()
\toptimizer = torch.optim.SGD(model.parameters(), lr=0.1)
\thistory = []
\tfor x, y in loader:
\t\toptimizer.zero_grad()
\t\t名称 = "🔥"; loss = criterion(model(x), y)
\t\tloss.backward()
\t\toptimizer.step()
\t\thistory.append(
\t\t\tloss,
\t\t)
\t\tprint(f"{名称} | `loss` <b>", loss.item())
\treturn history


def soft(model: nn.Module, x, y):
\tloss = criterion(model(x).softmax(1), y)  # torchlint: ignore[TL301] soft targets | on purpose
\tloss.backward()
"""

NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# 🔥"]},
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": 1,
            "source": ["%matplotlib inline\n", "import torch\n", "from torch import nn"],
        },
        {
            "cell_type": "code",
            "metadata": {},
            "outputs": [],
            "execution_count": 2,
            "source": [
                "model = nn.Linear(4, 2)\n",
                '损失 = "🔥"; loss = nn.functional.cross_entropy(\n',
                "    model(torch.randn(3, 4)).softmax(1), torch.arange(3) % 2\n",
                ")\n",
                "loss.backward()",
            ],
        },
    ],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}

PROJECT = {
    "src/net.py": NET,
    "src/train.py": TRAIN,
    "tools/old.py": 'import torch\nprint "old"\n',
    "notes/my réseau.ipynb": json.dumps(NOTEBOOK, indent=1, ensure_ascii=False) + "\n",
}

# What running it would say; figures differ from one machine to another.
VERDICTS = {
    "src/train.py TL301": Verdict(
        Status.CONFIRMED,
        "every row of the input sums to one; the repaired code does not show it",
        seconds=0.8,
        measured=(Series("sum of the input", "row", (1.0, 0.999999, 1.0)),),
    ),
    "src/train.py TL801": Verdict(
        Status.REFUTED,
        "3 graph nodes hang on it after each round",
        seconds=1.26,
        measured=(Series("graph nodes", "round", (3.0, 3.0, 3.0, 3.0)),),
    ),
    "notes/my réseau.ipynb TL301": Verdict(
        Status.INCONCLUSIVE, reason="the cell above needs IPython | `%matplotlib`"
    ),
}


def judged(finding: Finding) -> Finding:
    return replace(finding, verdict=VERDICTS.get(f"{finding.place.path} {finding.code}"))


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    """What is found in the project, with verdicts."""
    away(monkeypatch, tmp_path)
    monkeypatch.setattr(sarif, "page", lambda rule: f"# {rule.code}\n\n## Why\n\nSo.\n\nThus.\n")
    monkeypatch.setattr(sarif, "__version__", "1.2.3")
    monkeypatch.setattr(html, "__version__", "1.2.3")
    monkeypatch.setattr(html, "_resource", lambda name: f"/* {name} */\n")
    for path, text in PROJECT.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, "utf-8", newline="")
    found = api.check(["."])
    summary = replace(found.summary, seconds=0.4)
    return replace(found, findings=tuple(map(judged, found.findings)), summary=summary)


def test_it_has_everything(report: Report) -> None:
    findings = report.findings
    assert {finding.verdict.status for finding in findings if finding.verdict} == set(Status)
    assert any(finding.fix and finding.place.cell for finding in findings)
    assert any(finding.place.end_line > finding.place.line + 1 for finding in findings)
    assert any(step.place.path != each.place.path for each in findings for step in each.because)
    assert [finding.place.path for finding in findings if finding.code == "TL001"] == [
        "tools/old.py"
    ]
    suppressed = TRAIN[: TRAIN.index("# torchlint: ignore")].count("\n") + 1
    assert suppressed not in {finding.place.line for finding in findings}


@pytest.mark.parametrize("name", reports.names())
def test_golden(name: str, report: Report, golden: Callable[[str, str], None]) -> None:
    text = rendered(report, name, Style())
    here = Path.cwd()
    text = text.replace(here.as_uri(), "file:///here").replace(str(here), "/here")
    golden(f"project/{name}.txt", re.sub(r"id=\d+", "id=0", text))
