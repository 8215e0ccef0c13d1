"""Once: what is done for an object as it is built, or where it lacks what it then keeps."""

from __future__ import annotations

import ast
from itertools import pairwise, starmap, takewhile
from typing import TYPE_CHECKING

from torchlint.interpreter import syntax
from torchlint.project import around, flow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.activations import Activation
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot
    from torchlint.project.classes import Family


def for_its_object(machine: Machine, spot: Spot) -> bool:
    """Whether what happens at a spot now does so once for the object whose method runs."""
    function = machine.activation.function
    if function is None or function.owner is None:
        return False
    family = machine.index.family(function.owner)
    setting_up = _setting_up(machine)
    if setting_up and not setting_up[-1].rounds:
        return True
    known = [
        fact
        for place in _places(machine, spot)
        for test, holds in _tests(place)
        for fact in _parts(test, holds=holds)
    ]
    if any(external.startswith("torch.optim.") for external in family.externals):
        return any(starmap(_is_first_step, known))
    return any(_is_kept(family, name) for test, holds in known for name in _lacked(test, holds))


def _setting_up(machine: Machine) -> list[Activation]:
    """The constructor that runs, or a method that only one calls, and those that led to it.

    What an object is made of is built in the loops of its constructor, each part once.
    """

    def sets_up(activation: Activation) -> bool:
        function = activation.function
        if function is None or function.owner is None:
            return False
        return machine.index.family(function.owner).sets_up(function.name)

    return [*takewhile(sets_up, reversed(machine.activations))]


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


def _parts(test: ast.expr, *, holds: bool) -> Iterator[tuple[ast.expr, bool]]:
    """What may have made a test come out so, and with what result: one part of it is enough.

    What is kept may be made anew, too, where it has become too small.
    """
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from _parts(inner, holds=not holds)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _parts(value, holds=holds)
        case _:
            yield test, holds


def _lacked(test: ast.expr, holds: bool) -> Iterator[str]:
    """The attribute that the object turns out to lack."""
    match test:
        case ast.Compare(
            left=ast.Attribute(value=ast.Name("self"), attr=name),
            ops=[ast.Is() | ast.IsNot() as operator],
            comparators=[other],
        ) if syntax.is_none(other) and isinstance(operator, ast.Is) == holds:
            yield name
        case ast.Call(func=ast.Name("hasattr"), args=[ast.Name("self"), ast.Constant(str(name))]):
            if not holds:
                yield name


def _is_first_step(test: ast.expr, holds: bool) -> bool:
    """Whether an optimizer has made no step with a parameter, or with any, where a test says so."""
    match test:
        case ast.Compare(
            left=ast.Call(func=ast.Name("len"), args=[kept]),
            ops=[ast.Eq()],
            comparators=[ast.Constant(0)],
        ):
            return holds and _is_state(kept)
        case ast.Compare(ops=[ast.In() | ast.NotIn() as operator], comparators=[kept]):
            return isinstance(operator, ast.NotIn) == holds and _is_state(kept)
    return not holds and _is_state(test)


def _is_state(node: ast.expr) -> bool:
    """Whether an expression is what an optimizer keeps, by the name that it usually has there."""
    while isinstance(node, ast.Subscript):
        node = node.value
    match node:
        case ast.Name("state") | ast.Attribute(value=ast.Name("self"), attr="state"):
            return True
    return False


def _is_kept(family: Family, name: str) -> bool:
    """Whether a method other than the constructor gives an object this attribute."""
    return any(write.method != "__init__" for write in family.writes(name))
