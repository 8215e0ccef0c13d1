"""Graphs that outlive their round (TL801, TL802)."""

from __future__ import annotations

import ast

import pytest
from flagged import Observe

from torchlint.confirm.runner.protocol import ABSENT, OPEN, SHOWN

pytestmark = pytest.mark.torch

HEAD = """
from collections import defaultdict, deque
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
loader = DataLoader(TensorDataset(torch.randn(40, 4), torch.randint(0, 3, (40,))), batch_size=4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

def train_on(x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss
"""

KEPT = {
    "list": """
losses = []
for x, y in loader:
    losses.append(train_on(x, y))  # here
""",
    "list before the backward": """
losses = []
for x, y in loader:
    loss = F.cross_entropy(model(x), y)
    losses.append(loss)  # here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    "mapping of lists": """
history = defaultdict(list)
for x, y in loader:
    history["train"].append(train_on(x, y))  # here
""",
    "item assignment": """
history = {}
for i, (x, y) in enumerate(loader):
    history[i] = train_on(x, y)  # here
""",
    "new list of an epoch": """
for epoch in range(4):
    losses = []
    for x, y in loader:
        losses += [train_on(x, y)]  # here
    print(epoch, sum(losses) / len(losses))
""",
    "attribute": """
class Trainer:
    def __init__(self):
        self.losses = deque(maxlen=100)
    def step(self, x, y):
        loss = train_on(x, y)
        self.losses.append(loss)  # here
trainer = Trainer()
for x, y in loader:
    trainer.step(x, y)
""",
    "evaluation": """
outputs = []
for x, y in loader:
    outputs.append(model(x))  # here
print(torch.cat(outputs).argmax(1))
""",
    "meter object": """
class Meter:
    def __init__(self):
        self.values = []
    def update(self, value):
        self.values.append(value)
meter = Meter()
for x, y in loader:
    meter.update(train_on(x, y))  # here
""",
}

LET_GO = {
    "item": """
losses = []
for x, y in loader:
    losses.append(train_on(x, y).item())  # here
""",
    "detached": """
losses = []
for x, y in loader:
    losses.append(train_on(x, y).detach())  # here
""",
    "no_grad": """
outputs = []
with torch.no_grad():
    for x, y in loader:
        outputs.append(model(x))  # here
""",
    "cleared every round": """
losses = []
for x, y in loader:
    losses.clear()
    losses.append(train_on(x, y))  # here
""",
    "the last one only": """
last = {}
for x, y in loader:
    last["loss"] = train_on(x, y)  # here
""",
    "backwarded after the episode": """
for episode in range(6):
    rewards = []
    for _ in range(5):
        rewards.append(model(torch.randn(2, 4)).mean())  # here
    optimizer.zero_grad()
    torch.stack(rewards).sum().backward()
    optimizer.step()
""",
    "states of one forward": """
class Unrolled(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(4, 4)
    def forward(self, h):
        states = []
        for _ in range(6):
            h = self.cell(h)
            states.append(h)  # here
        return torch.stack(states)
net = Unrolled()
for _ in range(5):
    print(net(torch.randn(2, 4)).mean())
""",
    "backwarded every other batch": """
losses = []
for x, y in loader:
    losses.append(F.cross_entropy(model(x), y))  # here
    if len(losses) == 2:
        torch.stack(losses).mean().backward()
        losses = []
""",
}

SUMMED = {
    "running total": """
total = 0
for x, y in loader:
    total += train_on(x, y)  # here
print(total / len(loader))
""",
    "rebound": """
total = torch.zeros(())
for x, y in loader:
    total = total + train_on(x, y)  # here
""",
    "of each epoch": """
for epoch in range(4):
    total = 0.0
    for x, y in loader:
        total += train_on(x, y) * len(x)  # here
""",
    "by name": """
totals = {"ce": 0.0}
for x, y in loader:
    totals["ce"] += train_on(x, y)  # here
""",
    "validation with gradients": """
def validate():
    total = 0
    for x, y in loader:
        total += F.cross_entropy(model(x), y)  # here
    return total.item()
validate()
""",
}

NOT_SUMMED = {
    "item": """
total = 0
for x, y in loader:
    total += train_on(x, y).item()  # here
""",
    "within a step": """
for x, y in loader:
    total = 0
    for scale in (1.0, 2.0, 3.0):
        total = total + F.cross_entropy(model(scale * x), y)  # here
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
""",
    "within a batch of an evaluation": """
for x, y in loader:
    total = 0
    for scale in (1.0, 2.0, 3.0):
        total += F.cross_entropy(model(scale * x), y)  # here
    print(total.item())
""",
    "one backward for many batches": """
for epoch in range(5):
    total = 0
    for x, y in loader:
        total += F.cross_entropy(model(x), y)  # here
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
""",
    "detached": """
total = torch.zeros(())
for x, y in loader:
    total += train_on(x, y).detach()  # here
""",
}


def scope_of(text: str) -> str:
    """The dotted name of what is around the marked line."""
    line = next(number for number, row in enumerate(text.splitlines(), 1) if "# here" in row)
    around = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.ClassDef, ast.FunctionDef))
        and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return ".".join(node.name for node in around)


@pytest.mark.parametrize("name", KEPT)
def test_a_container_with_ever_more_graph_is_shown(name: str, observe: Observe) -> None:
    text = HEAD + KEPT[name]
    seen = observe("TL801", text, scope_of(text))
    assert seen.outcome == SHOWN, seen
    assert "graph nodes" in seen.evidence


@pytest.mark.parametrize("name", LET_GO)
def test_what_keeps_no_graph_is_told(name: str, observe: Observe) -> None:
    text = HEAD + LET_GO[name]
    seen = observe("TL801", text, scope_of(text))
    assert seen.outcome == ABSENT, seen


@pytest.mark.parametrize("name", SUMMED)
def test_a_sum_with_ever_more_graph_is_shown(name: str, observe: Observe) -> None:
    text = HEAD + SUMMED[name]
    seen = observe("TL802", text, scope_of(text))
    assert seen.outcome == SHOWN, seen
    assert "graph nodes" in seen.evidence


@pytest.mark.parametrize("name", NOT_SUMMED)
def test_a_sum_that_lets_go_is_told(name: str, observe: Observe) -> None:
    seen = observe("TL802", HEAD + NOT_SUMMED[name], "")
    assert seen.outcome == ABSENT, seen


def test_the_counts_are_those_of_the_rounds(observe: Observe) -> None:
    """A linear layer's mean: mean, addmm, transpose, two parameters; three are new each round."""
    text = """
import torch
layer, kept = torch.nn.Linear(2, 1), []
for _ in range(5):
    kept.append(layer(torch.ones(1, 2)).mean())  # here
"""
    assert "5, 8, 11, 14, 17 graph nodes" in observe("TL801", text, "").evidence


def test_what_a_caller_may_take_the_backward_of_is_open(observe: Observe) -> None:
    text = """
def head_losses(model, loader, criterion):
    losses = []
    for x, y in loader:
        losses.append(criterion(model(x), y))  # here
    return losses
"""
    assert observe("TL801", text, "head_losses").outcome == OPEN


def test_a_caller_that_switches_gradients_off_is_respected(observe: Observe) -> None:
    text = """
import torch
from elsewhere import everything

def validate(model, loader, criterion):
    total = 0
    for x, y in loader:
        total += criterion(model(x), y)  # here
    return total.item()

def main():
    with torch.no_grad():
        validate(*everything())
"""
    assert observe("TL802", text, "validate").outcome == OPEN
