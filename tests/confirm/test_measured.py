"""What was measured for a verdict: memory by round, norms of gradients, sums of rows."""

from __future__ import annotations

import math

import pytest
from flagged import Observe

from torchlint.confirm.runner.protocol import ABSENT, SHOWN, Observation, Series, measured

HEAD = """
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
model = nn.Linear(5, 4)
x, y = torch.randn(6, 5), torch.randint(0, 4, (6,))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""

KEPT = """
losses = []
for _ in range(6):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    losses.append({kept})  # here
"""

STEPS = """
for _ in range(5):
    {clear}
    loss = F.cross_entropy(model(x), y)
    loss.backward()  # here
    optimizer.step()
"""


@pytest.mark.torch
def test_memory_by_round(observe: Observe) -> None:
    seen = observe("TL801", HEAD + KEPT.format(kept="loss"), "")
    (growth,) = seen.measured
    assert (seen.outcome, growth.of, growth.per) == (SHOWN, "graph nodes", "round")
    assert list(growth.values) == sorted(set(growth.values))
    assert ", ".join(f"{value:g}" for value in growth.values[:6]) in seen.evidence
    kept = observe("TL801", HEAD + KEPT.format(kept="loss.item()"), "")
    assert (kept.outcome, set(kept.measured[0].values)) == (ABSENT, {0.0})


@pytest.mark.torch
def test_norms_of_gradients(observe: Observe) -> None:
    seen = observe("TL201", HEAD + STEPS.format(clear="pass"), "")
    gradients, fresh = seen.measured
    assert (seen.outcome, gradients.of, fresh.of) == (SHOWN, "|gradient|", "|fresh|")
    assert gradients.values[0] == pytest.approx(fresh.values[0])
    assert gradients.values[1] > 1.2 * fresh.values[1]
    cleared = observe("TL201", HEAD + STEPS.format(clear="optimizer.zero_grad()"), "")
    gradients, fresh = cleared.measured
    assert (cleared.outcome, gradients.values) == (ABSENT, pytest.approx(fresh.values))


@pytest.mark.torch
def test_sums_of_rows(observe: Observe) -> None:
    seen = observe("TL301", HEAD + "loss = F.cross_entropy(model(x).softmax(1), y)  # here\n", "")
    (sums,) = seen.measured
    assert (seen.outcome, sums.per, sums.values) == (SHOWN, "row", pytest.approx([1.0] * 6))
    logits = observe("TL301", HEAD + "loss = F.cross_entropy(model(x), y)  # here\n", "")
    assert logits.outcome == ABSENT
    assert logits.measured[0].values != pytest.approx([1.0] * 6, abs=0.1)


def test_what_cannot_be_drawn_is_left_out() -> None:
    assert measured("norm", "step", [1.0, math.inf]) == ()
    assert measured("norm", "step", [1.0]) == ()
    assert len(measured("norm", "step", range(1000))[0].values) == 64


def test_what_was_measured_survives_the_way_between_processes() -> None:
    seen = Observation(SHOWN, "so", measured=(Series("norm", "step", (1.0, 2.0)),))
    assert Observation.parse(seen.dump()) == seen
