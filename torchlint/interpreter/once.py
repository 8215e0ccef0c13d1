"""Once: what is done for an object as it is built, or where it lacks what it then keeps."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project import around, flow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot
    from torchlint.project.classes import Family

_LACKS = re.compile(r"\bself\.(\w+) is None\b|\bnot hasattr\(self, '(\w+)'\)")
_HAS = re.compile(r"\bself\.(\w+) is not None\b|(?<!not )\bhasattr\(self, '(\w+)'\)")
_NO_STATE = re.compile(
    r"\blen\((?:self\.)?state\b.*\) == 0|\bnot (?:self\.)?state\b|\bnot in (?:self\.)?state\b"
)
"""A test of an optimizer for a parameter that it has made no step with."""


def for_its_object(machine: Machine, spot: Spot) -> bool:
    """Whether what happens at a spot now does so once for the object whose method runs."""
    function = machine.activation.function
    if function is None or function.owner is None:
        return False
    family = machine.index.family(function.owner)
    if not machine.activation.rounds and family.sets_up(function.name):
        # A constructor does this that no loop calls, or a method that only one calls.
        return True
    asked = [
        (ast.unparse(test), holds)
        for place in _places(machine, spot)
        for test, holds in _tests(place)
    ]
    if any(external.startswith("torch.optim.") for external in family.externals):
        return any(holds and _NO_STATE.search(test) for test, holds in asked)
    return any(
        _is_kept(family, found[1] or found[2])
        for test, holds in asked
        for found in (_LACKS if holds else _HAS).finditer(test)
    )


def _places(machine: Machine, spot: Spot) -> Iterator[Spot]:
    """A spot, and where methods of the object have called those that lead there."""
    yield spot
    receiver = machine.activation.receiver
    for activation in reversed(machine.activations):
        if activation.receiver != receiver or activation.called is None:
            return
        yield activation.called


def _tests(place: Spot) -> Iterator[tuple[ast.expr, bool]]:
    """The tests that lead to a place, with how they come out; some do so by what they return."""
    yield from around.tests(place.region, place.node)
    for outer, inner in pairwise(around.path(place.region, place.node)):
        for statement in around.before(outer, inner):
            if isinstance(statement, ast.If) and not flow.completes(statement.body):
                yield statement.test, False


def _is_kept(family: Family, name: str) -> bool:
    """Whether a method other than the constructor gives an object this attribute."""
    return any(write.method != "__init__" for write in family.writes(name))
