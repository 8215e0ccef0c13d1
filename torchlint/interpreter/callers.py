"""Callers: what those who call a function have switched or asked before, wherever they do."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.interpreter import modes, names, syntax
from torchlint.interpreter.values import Opaque, Spot
from torchlint.project import portability
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.project.callings import Calling
    from torchlint.project.index import Index
    from torchlint.project.regions import Region

    Asks = Callable[[Region, ast.expr], bool]
    Known = Callable[[Index, Definition], tuple[Calling, ...]]

_CPU = r"""(?:(?:torch\.)?device\()?["']cpu["']\)?"""
_IS_CPU = Pattern(_CPU)


def ask(index: Index, definition: Definition, asks: Asks) -> bool:
    """Whether the project calls a function only where a test that asks for something holds."""
    callings = index.callings.of(definition)
    return bool(callings) and all(
        any(
            isinstance(outer, (ast.If, ast.IfExp))
            and inner is not outer.test
            and asks(calling.region, outer.test)
            for inner, outer in pairwise(calling.path)
        )
        for calling in callings
    )


def constructor(index: Index, method: Definition) -> Definition | None:
    """What has run before a method of an object can."""
    begins = index.member(method.nested_in, "__init__") if method.nested_in is not None else None
    return begins if isinstance(begins, Definition) else None


def choose(index: Index, definition: Definition, seen: frozenset[Definition] = frozenset()) -> bool:
    """Whether the project calls a function only where a device was asked for, or said."""
    if definition in seen:
        return False
    callings = index.callings.of(definition)
    return bool(callings) and all(
        any(
            portability.is_by_choice(calling.region, inner, outer)
            for inner, outer in pairwise(calling.path)
        )
        or (calling.caller is not None and choose(index, calling.caller, seen | {definition}))
        for calling in callings
    )


def switched(machine: Machine, definition: Definition) -> None:
    """Switch off gradients for a function that the project calls only where they are off.

    Of what others may call as well, the calls by its own class tell what it is written for. Those
    by the name of a function tell only that gradients may be off.
    """
    spot = _all_off(machine.index, definition, _own)
    if spot is not None:
        machine.live.grad, machine.live.switched = False, spot
    elif _all_off(machine.index, definition, _by_name) is not None:
        machine.live.grad = None


def _own(index: Index, definition: Definition) -> tuple[Calling, ...]:
    """The calls of a private function, or those of a method by its own class."""
    return index.callings.of(definition) or index.callings.within(definition)


def _by_name(index: Index, definition: Definition) -> tuple[Calling, ...]:
    """The calls of a function, be it anybody's to call."""
    known = _own(index, definition)
    return known or (() if definition.nested_in else index.callings.by_name(definition))


def _all_off(
    index: Index, definition: Definition, known: Known, seen: frozenset[Definition] = frozenset()
) -> Spot | None:
    """Where gradients are switched off for the first of the calls; None if not for all."""
    if definition in seen:
        return None
    callings = known(index, definition)
    spots = [_off_around(index, each, known, seen | {definition}) for each in callings]
    return spots[0] if spots and None not in spots else None


def _off_around(
    index: Index, calling: Calling, known: Known, seen: frozenset[Definition]
) -> Spot | None:
    """Where gradients are switched off last before a call."""
    for node in calling.path:
        switch = _switch(index, calling, node)
        if switch is not None:
            return Spot(calling.region, switch) if _is_off(index, calling, switch) else None
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            # What is defined within something may run at any time.
            around = calling.caller if node is calling.region.statement else None
            return None if around is None else _all_off(index, around, known, seen)
    return None


def _switch(index: Index, calling: Calling, node: ast.AST) -> ast.expr | None:
    """What a node switches the grad mode by for all that is in it, if it does."""
    match node:
        case ast.With(items=items) | ast.AsyncWith(items=items):
            found = [item.context_expr for item in reversed(items)]
        case ast.FunctionDef(decorator_list=decorators):
            found = decorators
        case _:
            return None
    return next((each for each in found if _mode(index, calling, each) in modes.GRAD_MODES), None)


def _is_off(index: Index, calling: Calling, switch: ast.expr) -> bool:
    given = syntax.given(switch) if isinstance(switch, ast.Call) else []
    return not given and _mode(index, calling, switch) in modes.OFF


def _mode(index: Index, calling: Calling, switch: ast.expr) -> str:
    dotted = names.dotted(switch.func if isinstance(switch, ast.Call) else switch)
    meaning = index.meaning(calling.region.outline, dotted) if dotted else None
    return meaning.name if isinstance(meaning, External) else ""


def give_cpu(machine: Machine, value: Value) -> bool:
    """Whether an argument of the constructor that runs is the CPU, whoever builds the object.

    A variable that says so may say something else in another run, but where another device is
    chosen beside it.
    """
    function, record = machine.activation.function, machine.peek(value)
    if function is None or function.name != "__init__" or not isinstance(record, Opaque):
        return False
    owner, name, index = function.owner, record.name, machine.index
    taken = [each.arg for each in syntax.positional(function.node)]
    is_argument = record.argument and machine.variables().names.get(name) == value
    if owner is None or not is_argument or index.descendants(owner):
        return False
    place = taken.index(name) - 1 if name in taken else None
    found = [(each, _given(each.path[0], place, name)) for each in index.callings.by_name(owner)]
    return bool(found) and all(
        given is not None and _is_cpu(calling.region, given) for calling, given in found
    )


def _given(call: ast.AST, place: int | None, name: str) -> ast.expr | None:
    """What a call gives for a parameter of this name, or in this place."""
    assert isinstance(call, ast.Call)
    if place is not None and place < len(call.args):
        starred = any(isinstance(each, ast.Starred) for each in call.args[: place + 1])
        return None if starred else call.args[place]
    return syntax.named(call, name)


def _is_cpu(region: Region, given: ast.expr) -> bool:
    if isinstance(given, ast.Name):
        values = re.findall(rf"^[ \t]*{given.id}[ \t]*=(.*)$", region.text, re.MULTILINE)
        chosen = "cuda" in region.text
        return chosen and bool(values) and all(_IS_CPU.fullmatch(each.strip()) for each in values)
    return bool(_IS_CPU.fullmatch(ast.unparse(given)))
