"""What findings call that which they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from torchlint.api import check
from torchlint.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("code", "line", "says"),
    [
        ("TL710", "torch.zeros(2, 3)[0, 0, 0]", "the index takes 3 dimensions, gets 2 (`(2, 3)`)"),
        ("TL307", "torch.log(torch.sigmoid(x))", "a probability is minus infinity where sigmoid"),
        ("TL307", "torch.log(1 - torch.tanh(x))", "what is left of one is minus infinity where"),
    ],
)
def test_in_the_terms_of_the_code(tmp_path: Path, code: str, line: str, says: str) -> None:
    (tmp_path / "a.py").write_text(f"import torch\n\nx = 99 * torch.randn(3)\ny = {line}\n")
    messages = [each.message for each in check([tmp_path], Settings(select=(code,))).findings]
    assert len(messages) == 1
    assert says in messages[0]


def test_of_a_model_from_elsewhere(tmp_path: Path) -> None:
    """A function that gives models of all kinds is no name for any of them."""
    lines = [
        "import torch",
        'x = torch.hub.load("pytorch/vision", "alexnet")',
        "torch.save(x, 'x.pt')",
    ]
    (tmp_path / "a.py").write_text("\n".join([*lines, ""]))
    (found,) = check([tmp_path], Settings(select=("TL908",))).findings
    assert found.message.startswith("this pickles the module itself")


@pytest.mark.parametrize(
    ("part", "says"),
    [("total[None]", "a list of clones and"), ("total[None] / 4", "a list and")],
)
def test_of_what_is_joined_to_what_there_is(tmp_path: Path, part: str, says: str) -> None:
    """What a loop adds to is cloned, unless what is joined is computed of it anyway."""
    (tmp_path / "a.py").write_text(_JOINED.format(part))
    (found,) = check([tmp_path], Settings(select=("TL807",))).findings
    assert says in found.message


_JOINED = """
import torch


def collect(batches):
    total = torch.zeros(4)
    kept = torch.empty(0, 4)
    for batch in batches:
        total += batch.sum(dim=0)
        kept = torch.cat([kept, {}], dim=0)
    return kept
"""


def test_of_a_loss_that_is_handed_to_a_schedule(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(_MEASURED)
    report = check([tmp_path], Settings(select=("TL902",)))
    says = {each.place.line: each.message.partition(" for ")[0] for each in report.findings}
    assert says == {
        15: "a scheduler's step takes this metric",
        16: "a scheduler's step takes this metric",
        17: "the `epoch` of a scheduler's step is deprecated since torch 1.4, and warns: "
        "schedulers count their steps, `step()` is enough",
        18: "the `epoch` of a scheduler's step is deprecated since torch 1.4, and warns: "
        "schedulers count their steps, `step()` is enough",
    }


_MEASURED = """
import torch
from torch import nn


def fit(model, loader, epochs, state):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        scheduler.step(loss)
        scheduler.step(loss.item() / len(loader))
        scheduler.step(state["epoch"].item())
        scheduler.step(epoch)
"""


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("x - self.mean.argmax()", "all of it stays in memory"),
        ("x - self.mean", "a second backward through it fails"),
    ],
)
def test_a_graph_fails_where_a_backward_goes_through_it(
    tmp_path: Path, given: str, says: str
) -> None:
    (tmp_path / "a.py").write_text(_AVERAGED.format(given))
    (found,) = check([tmp_path], Settings(select=("TL423",))).findings
    assert found.message.endswith(f"the graph grows from call to call, and {says}")


_AVERAGED = """
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x):
        x = x * self.scale
        self.mean = 0.9 * self.mean + 0.1 * x.mean(dim=0)
        return {}


centre = Centre()
for _ in range(3):
    centre(torch.randn(8, 4)).pow(2).mean().backward()
"""


def test_of_a_model_that_a_function_has_made(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import timm\nimport torch\n\nmodel = timm.create_model('vit_small')\n"
        "model.eval()\ntorch.save(model, 'vit.pt')\n"
    )
    messages = [each.message for each in check([tmp_path], Settings(select=("TL908",))).findings]
    assert [each.partition(":")[0] for each in messages] == ["this pickles the module itself"]
