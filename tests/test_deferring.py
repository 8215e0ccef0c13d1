"""What waits to be built comes out as if it had been built at its time."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from torchlint.interpreter import roots, shapes
from torchlint.interpreter.events.shapes import Refused
from torchlint.interpreter.machine import Machine
from torchlint.interpreter.values import Const, Instance, Sequence
from torchlint.interpreter.waiting import Unbuilt
from torchlint.project.index import Index
from torchlint.sources.source import Source

INNER = """
from torch import nn

class Inner(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layer = nn.Linear(sizes[0], sizes[1])

    def forward(self, x):
        return self.layer(x)
"""


def run(text: str, name: str) -> Machine:
    """What comes of a function that runs on its own."""
    source = Source("a.py", Path("a.py"), INNER + dedent(text))
    index = Index([source])
    outline = index.outline(source)
    found = outline.definitions
    (definition,) = [each for each in found if each.name == name]
    return roots.interpreted(index, roots.Root(outline, definition))


def refused(machine: Machine) -> list[str]:
    return [shapes.written(event.mismatch.shape) for event in machine.trace.of(Refused)]


def layers(machine: Machine) -> list[Instance]:
    records = machine.live.heap.values()
    return [each for each in records if isinstance(each, Instance) and isinstance(each.cls, str)]


def test_nobody_looks_and_nothing_is_built() -> None:
    machine = run("def make():\n    return Inner([2, 3])\n", "make")
    assert any(isinstance(record, Unbuilt) for record in machine.live.heap.values())


def test_a_list_is_what_it_was() -> None:
    machine = run(
        """
        import torch

        def go():
            sizes = [2, 3]
            inner = Inner(sizes)
            sizes[0] = 5
            return inner(torch.zeros(4, 5))
        """,
        "go",
    )
    assert refused(machine) == ["(4, 5)"]


@pytest.mark.parametrize("before", ["inner.layer", "pass"])
def test_switches_reach_what_is_below(before: str) -> None:
    machine = run(
        f"""
        def go():
            inner = Inner([2, 3])
            {before}
            inner.eval()
            inner.layer
        """,
        "go",
    )
    (layer,) = layers(machine)
    assert layer.training is False


def test_what_is_built_on_one_way_is_one_object() -> None:
    machine = run(
        """
        import torch

        def go(flag):
            inner = Inner([2, 3])
            if flag:
                inner.layer.bias
            return inner(torch.zeros(4, 5))
        """,
        "go",
    )
    assert refused(machine) == ["(4, 5)"]
    assert len(layers(machine)) == 1


def test_what_it_is_given_goes_with_it() -> None:
    machine = run(
        """
        class Outer(nn.Module):
            def __init__(self, inner, sizes):
                super().__init__()
                self.inner, self.sizes = inner, sizes

        def make():
            inner = Inner([2, 3])
            inner.layer
            return Outer(inner, [1, 2])
        """,
        "make",
    )
    (layer,) = layers(machine)
    assert layer.training is None
    lists = [each for each in machine.live.heap.values() if isinstance(each, Sequence)]
    assert {each.escaped for each in lists if each.items == (Const(1), Const(2))} == {True}
