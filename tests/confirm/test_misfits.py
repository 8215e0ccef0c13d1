"""Sizes that do not fit whatever comes in: shown of made-up inputs, if these do not matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flagged import job, write

pytestmark = pytest.mark.torch

pytest.importorskip("torch")

from torchlint.confirm.runner.experiments import observe  # noqa: E402
from torchlint.confirm.runner.protocol import OPEN, SHOWN, Observation  # noqa: E402

Try = Callable[..., Observation]

MODEL = """
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.embed = nn.Linear(64, 128)
        self.head = nn.Linear(256, 2)

    def forward(self, x):
"""
MESSAGE = "`head` takes 256 features, gets {given}: told"


@pytest.fixture
def put(tmp_path: Path) -> Try:
    def run(body: str, given: int) -> Observation:
        text = MODEL + "".join(f"        {line}\n" for line in body.splitlines())
        made = job("TL701", write(tmp_path, text, "program.py"), "Model.forward")
        return observe(
            replace(made, target=replace(made.target, message=MESSAGE.format(given=given)))
        )

    return run


def test_the_same_for_inputs_of_several_shapes(put: Try) -> None:
    seen = put("x = self.embed(x)\nreturn self.head(x)  # here", 128)
    assert seen.outcome == SHOWN
    assert seen.evidence == (
        "line 14 raised RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x128 and 256x2), "
        "for `x` of [2, 64] as for `x` of [4, 64]"
    )


OPEN_CASES = {
    "the size comes of what is made up": ("x = self.conv(x).flatten(1)\nreturn self.head(x)", 7200),
    "it is made up as such": ("return self.head(x)", 128),
    "another size": ("x = self.embed(x)\nreturn self.head(x)", 127),
    "another place": ("x = self.head(self.embed(x))\nreturn self.head(x)", 128),
    "some fit": (
        "x = self.embed(x)\nx = x.flatten(1) if x.dim() == 3 else x\nreturn self.head(x)",
        128,
    ),
    "long ones fit": (
        "x = self.embed(x)\nx = torch.cat([x, x], 1) if len(x) > 3 else x\nreturn self.head(x)",
        128,
    ),
    "it is caught before": (
        "if x.shape[-1] == 64:\n    raise ValueError('no')\nreturn self.head(self.embed(x))",
        128,
    ),
}


@pytest.mark.parametrize("name", OPEN_CASES)
def test_left_open(put: Try, name: str) -> None:
    body, given = OPEN_CASES[name]
    assert put(f"{body}  # here", given).outcome == OPEN


def test_sizes_of_a_picture_are_made_up_whatever_they_come_to(put: Try) -> None:
    """Of the likeliest picture it comes to the very size that the finding names."""
    seen = put("x = self.conv(x).flatten(2)\nreturn self.head(x)  # here", 900)
    assert seen.outcome == OPEN
