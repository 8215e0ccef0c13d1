"""Loops over rows are run beside the same operations on all rows (TL804)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flagged import MARK, write

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch")

from torchlint.confirm.runner.protocol import (  # noqa: E402
    ABSENT,
    OPEN,
    SHOWN,
    Job,
    Observation,
    Target,
)
from torchlint.confirm.runner.vectorised import loop_over_tensor  # noqa: E402

Race = Callable[[str], Observation]

HEAD = """
import torch
import torch.nn.functional as F

torch.manual_seed(0)
n = 60
x, y = torch.randn(n, 8), torch.randn(n, 8)
out = torch.zeros(n)
kept = [torch.zeros(())]
total = 0.0
"""


@pytest.fixture
def race(tmp_path: Path) -> Race:
    """Flags what the loop in whose first line ``# here`` stands goes over."""

    def run(text: str) -> Observation:
        file = write(tmp_path, HEAD + text)
        lines = (HEAD + text).splitlines()
        number, line = next((at, one) for at, one in enumerate(lines, 1) if MARK in one)
        place = Target(str(file), number, line.index(" in ") + 5, number, line.index(":  #") + 1)
        return loop_over_tensor(Job("TL804", place, "", root=str(tmp_path), seconds=10))

    return run


SHOWS = {
    "place": """
for i in range(n):  # here
    out[i] = torch.dot(x[i], y[i]) / 8
""",
    "part of a place": """
out = torch.zeros(n, 10)
for i in range(len(x)):  # here
    out[i, 2:] = x[i] * 2.0
    out[i, 0] = 1.0 - x[i, 0]
""",
    "its own rows": """
for i in range(x.size(0)):  # here
    x[i] = x[i] / x[i].norm()
""",
    "numbers added up": """
for row in x:  # here
    most = row.abs().max()
    total += float(most) * 0.5
""",
    "tensor added up": """
total = torch.zeros(1)
for a, b in zip(x, y):  # here
    total += F.mse_loss(a, b)
""",
    "list that holds something": """
for i, row in enumerate(x):  # here
    kept.append((row - y[i]).pow(2).sum())
print(torch.stack(kept).mean())
""",
    "attribute": """
class Table:
    def __init__(self):
        self.values, self.scale = torch.zeros(n), torch.tensor(3.0)
    def fill(self):
        for i in range(n):  # here
            self.values[i] = x[i].sum() * self.scale

Table().fill()
""",
    "not a number": """
x[3] = float("nan")
for i in range(n):  # here
    out[i] = x[i].mean()
""",
}

DOES_NOT = {
    "recurrence": """
state = torch.zeros(8)
for row in x:  # here
    state = 0.9 * state + row
    kept.append(state.sum())
""",
    "running total that is read": """
for i in range(n):  # here
    total += x[i].sum()
    out[i] = total * 2.0
""",
    "neighbours": """
later = x[1:]
for i in range(n - 1):  # here
    later[i] = x[i] * 2.0
""",
    "draws": """
for i in range(n):  # here
    out[i] = torch.rand_like(x[i]).sum()
""",
    "numbers drawn by dropout": """
for row in x:  # here
    kept.append(F.dropout(row).sum())
""",
    "changes rows": """
for i in range(n):  # here
    out[i] = x[i].add_(1.0).sum()
""",
    "network": """
net = torch.nn.Linear(8, 1)
for i in range(n):  # here
    out[i] = net(x[i])
""",
    "whole tensor": """
for i in range(n):  # here
    out[i] = (x - x[i]).abs().sum()
""",
    "decides": """
for i in range(n):  # here
    out[i] = x[i].sum() if i % 2 else 0.0
""",
    "round's number": """
for i in range(n):  # here
    out[i] = x[i].sum() * i
""",
    "few rows": """
for i in range(8):  # here
    out[i] = x[i].sum()
""",
    "list of tensors": """
for part in list(x):  # here
    kept.append(part.sum())
""",
    "list by number": """
parts = [torch.randn(m) for m in range(1, n)]
for i in range(len(parts)):  # here
    kept.append(parts[i].sum())
""",
    "what it leaves is read": """
for i in range(n):  # here
    out[i] = x[i].sum()
    x[i] = out[i] * y[i]
""",
    "rows of tensors of torch's": """
for row in torch.eye(n):  # here
    kept.append(row.sum())
""",
    "nothing is left": """
for row in x:  # here
    last = row.sum()
""",
    "rounds are counted by what draws": """
for i in range(int(torch.randint(20, 60, ()))):  # here
    out[i] = x[i].sum()
""",
    "large products": """
wide = torch.randn(12, 300, 300)
for row in wide:  # here
    kept.append(torch.matmul(row, row))
""",
    "listened to": """
class Listens(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))

with Listens():
    for i in range(n):  # here
        out[i] = x[i].sum()
""",
    "not reached": """
if n < 3:
    for i in range(n):  # here
        out[i] = x[i].sum()
""",
}


@pytest.mark.parametrize("text", SHOWS.values(), ids=SHOWS)
def test_faster_with_the_same_result(race: Race, text: str) -> None:
    seen = race(text)
    assert seen.outcome == SHOWN, seen
    assert "times as fast" in seen.evidence


@pytest.mark.parametrize("text", DOES_NOT.values(), ids=DOES_NOT)
def test_nothing_is_shown(race: Race, text: str) -> None:
    seen = race(text)
    assert seen.outcome == OPEN, seen
    assert seen.reason


def test_other_results_refute(race: Race, monkeypatch: pytest.MonkeyPatch) -> None:
    """What gives something else for all rows than for each does no longer speak for the claim."""
    found = torch.vmap
    monkeypatch.setattr(
        torch, "vmap", lambda one: found(lambda *rows: tuple(2 * part for part in one(*rows)))
    )
    assert race(SHOWS["place"]).outcome == ABSENT


def test_the_program_goes_on_with_its_own_values(race: Race, tmp_path: Path) -> None:
    told = tmp_path / "told"
    text = SHOWS["its own rows"] + f"open({str(told)!r}, 'w').write(str(x.norm(dim=1).sum()))\n"
    assert race(text).outcome == SHOWN
    assert told.read_text() == "tensor(60.)"
