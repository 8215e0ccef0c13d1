"""Which ways of running flagged code are tried, and which would only say the same again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from flagged import Observe, job, write

pytestmark = pytest.mark.torch

pytest.importorskip("torch")

from torchlint.confirm.runner.batches import PLANS  # noqa: E402
from torchlint.confirm.runner.protocol import ABSENT, OPEN, SHOWN, Observation  # noqa: E402
from torchlint.confirm.runner.recorder import Observer  # noqa: E402
from torchlint.confirm.runner.ways import Investigation, Question  # noqa: E402

INPUTS = {plan.inputs for plan in PLANS}
BATCHES = {(plan.inputs, plan.targets) for plan in PLANS}

LOOP = """
import copy

def train(model, loader, optimizer):
    {first}
    for x, y in loader:
        loss = (model(x) - y).sum()
        loss.backward()  # here
        raise ValueError
"""

CLASS = """
import torch

class Model(torch.nn.Module):
    def __init__(self, parts):
        super().__init__()
        raise ValueError("nothing will do")

    def forward(self, x):
        return self.encode(x)

    def encode(self, x):
        return x + 1  # here
"""


GIVEN = """
import torch

class Model(torch.nn.Module):
    def __init__(self, device="cpu"):
        super().__init__()
        self.scale = torch.ones(4).to(device)  # here
"""


class Open(Observer):
    def conclude(self, ended: bool) -> Observation:
        return Observation(OPEN)


@pytest.fixture
def tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Says how often code is run in which ways, where nothing comes of any."""

    def count(text: str, scope: str, **asked: Any) -> Counter[str]:
        ways: Counter[str] = Counter()
        observed = Investigation._observed

        def counting(self: Investigation, act: Any, seconds: float) -> Any:
            ways[type(act).__name__] += 1
            return observed(self, act, seconds)

        monkeypatch.setattr(Investigation, "_observed", counting)
        question = Question(watch=lambda project, program: Open(), **asked)
        Investigation(job("TL201", write(tmp_path, text, "loop.py"), scope), question).answer()
        return ways

    return count


@pytest.mark.parametrize(
    ("first", "times"),
    [
        ("raise ValueError", 1),  # before anything is drawn
        ("next(iter(loader)).nothing", len(BATCHES)),
        ("pass", len(PLANS)),
        ("model = copy.deepcopy(model)", len(PLANS)),
    ],
)
def test_a_plan_is_not_tried_that_says_what_another_has_said(
    first: str, times: int, tried: Any
) -> None:
    assert tried(LOOP.format(first=first), "train") == {"Call": times}


def test_a_class_that_cannot_be_built_is_not_built_for_its_other_methods(tried: Any) -> None:
    ways = tried(CLASS, "Model.encode", matters=frozenset({"model"}), anywhere=True)
    assert ways == {"Alone": 1, "Call": 2 * len(INPUTS)}


def test_what_needs_nothing_is_called_as_a_module_too(tried: Any) -> None:
    """There it is given the device, for one."""
    assert tried(GIVEN, "Model.__init__", anywhere=True) == {"Call": 1, "Alone": 1}


COUNTS = """
import torch

def weighed(losses, counts):
    return losses[counts] / counts  # here

class Counts:
    def __init__(self, cfg):
        self.sizes = cfg["sizes"]

    def all(self):
        return torch.tensor([size for size in self.sizes]).clamp_(min=0)  # because
"""


def test_zeros_that_are_made_up_for_what_clamps_show_nothing(observe: Observe) -> None:
    seen = observe("TL308", COUNTS, "weighed")
    assert seen.outcome == OPEN, seen
    assert "on which the finding rests" in seen.reason


BLOCK = """
import torch
from torch import nn
from torch.nn import functional as F

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.ReLU(inplace=True))

    def forward(self, x):
        return self.layers(x)  # here

class Net(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.first, self.block = nn.Linear(settings["width"].inputs, 4), Block()

    def forward(self, x):
        x = F.relu(self.first(x))  # because
        return self.block(x)
"""


def test_a_block_by_itself_does_not_refute_what_its_caller_keeps(observe: Observe) -> None:
    seen = observe("TL101", BLOCK, "Block.forward")
    assert seen.outcome == OPEN, seen
    alone = observe("TL101", BLOCK.replace("  # because", ""), "Block.forward")
    assert alone.outcome == ABSENT, alone


HITS = """
import torch

def hits(output, target, best=(1,)):
    found = output.topk(max(best), 1)[1].t()
    right = found.eq(target.view(1, -1).expand_as(found))
    for k in best:
        found = right[:k].view(-1).sum()  # here
    return found

def validate(net, x, y, best):
    return hits(net(x), y)
"""


def test_options_are_those_that_the_project_gives(observe: Observe) -> None:
    """A default that nothing goes wrong with refutes nothing where calls may give another."""
    given = observe("TL704", HITS.replace("hits(net(x), y)", "hits(net(x), y, (1, 5))"), "hits")
    assert given.outcome == SHOWN, given
    unknown = observe("TL704", HITS.replace("hits(net(x), y)", "hits(net(x), y, best)"), "hits")
    assert unknown.outcome == OPEN, unknown
    assert "`best`" in unknown.reason
    uncalled = observe("TL704", HITS.replace("hits(net(x), y)", "net(x)"), "hits")
    assert uncalled.outcome == OPEN, uncalled
    assert observe("TL704", HITS, "hits").outcome == ABSENT


ENDLESS = """
import torch

def work(x):
    return x.t().view(-1)  # here

if __name__ == "__main__":
    count = 0
    while count < 10**12:
        count += 1
        count += 2
    work(torch.ones(2, 3))
"""


def test_what_takes_too_long_is_not_taken_for_an_attack(observe: Observe) -> None:
    """The alarm mostly rings where lines are traced, and Python then ends the tracing."""
    seen = observe("TL704", ENDLESS, "work")
    assert seen.outcome == SHOWN, seen


SAVED = """
import torch

def keep(state, file):
    torch.save(state, file)  # here

def load(file):
    return torch.load(file)
"""


def test_what_stands_in_for_what_is_saved_refutes_nothing(observe: Observe) -> None:
    assert observe("TL908", SAVED, "keep").outcome == OPEN
    whole = SAVED.replace("torch.save(state", "torch.save(torch.nn.Linear(2, 2)")
    assert observe("TL908", whole, "keep").outcome == SHOWN
