"""What losses that take logits are given (TL301, TL302)."""

from __future__ import annotations

import pytest
from flagged import Observe

from torchlint.confirm.runner.protocol import ABSENT, OPEN, SHOWN

pytestmark = pytest.mark.torch

HEAD = """
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x = torch.rand(6, 5)
y = torch.randint(0, 4, (6,))
z = torch.randint(0, 2, (6, 4)).float()
ce, bce = nn.CrossEntropyLoss(), nn.BCEWithLogitsLoss()
body = nn.Linear(5, 4)
"""

SOFTMAX = {
    "in line": "loss = F.cross_entropy(F.softmax(body(x), dim=1), y)  # here",
    "in a Sequential": """
model = nn.Sequential(body, nn.BatchNorm1d(4), nn.Softmax(dim=-1))
for _ in range(3):
    loss = ce(model(x), y)  # here
    loss.backward()
""",
    "over several lines": """
probs = body(x).softmax(1)
loss = ce(  # here
    probs,
    y,
)
""",
    "in a training function": """
def train(model, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ce(model(x).softmax(-1), y)  # here
        loss.backward()
        optimizer.step()

if __name__ == "__main__":
    train(body, 4)
""",
    "without gradients": """
model = nn.Sequential(body, nn.Softmax(1))
with torch.no_grad():
    print(ce(model(x), y))  # here
""",
    "images": """
model = nn.Sequential(nn.Conv2d(1, 3, 3, padding=1), nn.Softmax(dim=1))
loss = ce(model(torch.rand(2, 1, 5, 5)), torch.randint(0, 3, (2, 5, 5)))  # here
""",
}

LOGITS = {
    "in line": "loss = F.cross_entropy(body(x), y)  # here",
    "that look like probabilities": """
with torch.no_grad():
    body.weight.zero_()
    body.bias.fill_(0.25)
loss = F.cross_entropy(body(x), y)  # here
""",
    "and a softmax for metrics": """
for _ in range(3):
    logits = body(x)
    probs = logits.softmax(1)
    loss = ce(logits, y)  # here
    print(probs.argmax(1))
""",
    "in the unit interval by a clamp of other data": """
model = nn.Sequential(body, nn.ReLU())
loss = ce(model(x) / 10, y)  # here
""",
}

SIGMOID = {
    "in line": "loss = bce(torch.sigmoid(body(x)), z)  # here",
    "functional": "loss = F.binary_cross_entropy_with_logits(body(x).sigmoid(), z)  # here",
    "in the model": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(5, 4)
    def forward(self, x):
        return torch.sigmoid(self.fc(x))
net = Net()
for _ in range(2):
    bce(net(x), z).backward()  # here
""",
    "of raw weights": """
weight = torch.zeros(5, 4, requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=1.0)
for _ in range(4):
    optimizer.zero_grad()
    bce(torch.sigmoid(x @ weight), z).backward()  # here
    optimizer.step()
""",
}


@pytest.mark.parametrize("name", SOFTMAX)
def test_rows_that_always_sum_to_one_are_shown(name: str, observe: Observe) -> None:
    seen = observe("TL301", HEAD + SOFTMAX[name], "train" if "def train" in SOFTMAX[name] else "")
    assert seen.outcome == SHOWN, seen
    assert "sums to one" in seen.evidence
    assert "a perfect prediction still costs" in seen.evidence


def test_the_floor_of_the_loss_is_told(observe: Observe) -> None:
    """Three classes: log(e + 2) - 1, which is what torch computes for a one-hot input."""
    seen = observe("TL301", HEAD + SOFTMAX["images"], "")
    assert "costs 0.55 for 3 classes" in seen.evidence


@pytest.mark.parametrize("name", LOGITS)
def test_logits_are_told(name: str, observe: Observe) -> None:
    seen = observe("TL301", HEAD + LOGITS[name], "")
    assert seen.outcome == ABSENT, seen


def test_one_class_leaves_it_open(observe: Observe) -> None:
    text = HEAD + "loss = ce(nn.Linear(5, 1)(x).softmax(1), y * 0)  # here"
    assert observe("TL301", text, "").outcome == OPEN


def test_another_call_on_the_line_is_not_the_flagged_one(observe: Observe) -> None:
    text = HEAD + "a = ce(body(x).softmax(1), y); b = ce(body(x), y)  # here"
    seen = observe("TL301", text, "")
    assert seen.outcome == SHOWN, "the first statement of the line is marked"
    text = HEAD + "a = ce(body(x), y); b = ce(body(x).softmax(1), y)  # here"
    assert observe("TL301", text, "").outcome == ABSENT


def test_a_model_that_is_a_stand_in_shows_nothing(observe: Observe) -> None:
    text = """
import torch.nn.functional as F

def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x).softmax(1), y)  # here
        loss.backward()
        optimizer.step()
"""
    seen = observe("TL301", text, "train")
    assert seen.outcome == OPEN
    assert seen.reason


def test_a_module_is_built_where_nothing_runs_it(observe: Observe) -> None:
    text = """
from torch import nn

class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.fc = nn.Linear(width, 3)
        self.act = nn.Softmax(dim=1)
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x, labels):
        return self.criterion(self.act(self.fc(x)), labels)  # here
"""
    assert observe("TL301", text, "Net.forward").outcome == SHOWN
    assert (
        observe("TL301", text.replace("self.act(self.fc(x))", "self.fc(x)"), "").outcome == ABSENT
    )


@pytest.mark.parametrize("name", SIGMOID)
def test_values_that_stay_in_the_unit_interval_are_shown(name: str, observe: Observe) -> None:
    seen = observe("TL302", HEAD + SIGMOID[name], "")
    assert seen.outcome == SHOWN, seen
    assert "all values of the input lie in [0" in seen.evidence


@pytest.mark.parametrize("name", SIGMOID)
def test_what_leaves_the_unit_interval_is_told(name: str, observe: Observe) -> None:
    text = SIGMOID[name].replace("torch.sigmoid", "").replace(".sigmoid()", "")
    seen = observe("TL302", HEAD + text, "")
    assert seen.outcome == ABSENT, seen


def test_binary_cross_entropy_of_probabilities_is_another_loss(observe: Observe) -> None:
    seen = observe("TL302", HEAD + "F.binary_cross_entropy(body(x).sigmoid(), z)  # here", "")
    assert seen.outcome == OPEN
    assert "binary_cross_entropy" in seen.reason
