"""Each layer and operation that shapes are worked out for: what torch refuses is found, or not.

`shape_items.txt` has one a line, in the wrong and in the right. All of them are linted as one
project; torch runs them, and refuses just what is found.
"""

from __future__ import annotations

import re
import warnings
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from torchlint.api import check
from torchlint.findings import Level
from torchlint.settings import Settings

if TYPE_CHECKING:
    from torchlint.findings import Finding

ITEMS = Path(__file__).with_name("shape_items.txt")
CHOICE = re.compile(r"«([^|»]*)\|([^»]*)»")
HEAD = """import einops
import torch
import torch.nn.functional as F
from einops import rearrange, reduce, repeat
from einops.layers.torch import Rearrange
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
"""


@dataclass(frozen=True)
class Item:
    """A program in the wrong (0), or in the right (1)."""

    name: str
    built: str
    given: str
    forward: str

    def text(self, which: int) -> str:
        built, given, forward = (
            CHOICE.sub(lambda found: found[which + 1], part)
            for part in (self.built, self.given, self.forward)
        )
        given = re.sub(r"\bR\(", "torch.randn(", given)
        given = re.sub(r"\bI\((\d+), ([^)]*)\)", r"torch.randint(\1, (\2,))", given)
        names = "x, y" if re.search(r"\by\b", forward) and _several(given) else "x"
        body = "\n".join([*_lines(built), "", f"    def forward(self, {names}):", *_lines(forward)])
        return f"{HEAD}{body}\n\n\nModel()({given})\n"


def _several(given: str) -> bool:
    """Whether a call has more than one argument."""
    return "), " in given and not given.startswith("[")


def _lines(text: str) -> list[str]:
    """Statements that stand in one line; that of a loop is in it."""
    lines = []
    for part in text.split("; "):
        loop = re.fullmatch(r"(for .*?:) ([^\]]+.*)", part)
        if loop is not None:
            lines += [f"        {loop[1]}", f"            {loop[2]}"]
        else:
            lines.append(f"        {part}")
    return lines


def _read() -> list[Item]:
    lines = ITEMS.read_text(encoding="utf-8").splitlines()
    written = [line for line in lines if line and not line.startswith("#")]
    return [Item(*(part.strip() for part in line.split(" :: "))) for line in written]


ALL = {item.name: item for item in _read()}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finding]]:
    """What is found in each program."""
    folder = tmp_path_factory.mktemp("items")
    programs: dict[str, list[Finding]] = {}
    for item in ALL.values():
        for which in (0, 1):
            name = f"{item.name}_{which}.py"
            (folder / name).write_text(item.text(which), encoding="utf-8")
            programs[name] = []
    with chdir(folder):
        report = check(["."], Settings())
    for finding in report.findings:
        programs[Path(finding.place.path).name].append(finding)
    return programs


@pytest.mark.parametrize("name", ALL)
def test_what_does_not_fit_is_found(name: str, found: dict[str, list[Finding]]) -> None:
    sure = [finding for finding in found[f"{name}_0.py"] if finding.level is Level.CORRECTNESS]
    assert any(finding.code.startswith(("TL7", "TL306")) for finding in sure)
    right = found[f"{name}_1.py"]
    assert not [finding.message for finding in right if finding.level is Level.CORRECTNESS]
    assert not [finding.message for finding in right if finding.code.startswith("TL7")]


@pytest.mark.torch
@pytest.mark.parametrize("name", ALL)
def test_torch_refuses_the_same(name: str) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("einops")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(Exception):  # noqa: B017, PT011  it is torch's, of many kinds
            _run(ALL[name].text(0))
        _run(ALL[name].text(1))


def _run(text: str) -> None:
    scope: dict[str, Any] = {}
    exec(compile(text, "item", "exec"), scope)
