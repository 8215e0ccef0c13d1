"""Handovers: what those who call a module make for it, and do not read again."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import syntax
from torchlint.interpreter.events.graph import Mutation
from torchlint.interpreter.origins import Origins
from torchlint.interpreter.yields import Place, Yields
from torchlint.project import importing
from torchlint.project.holders import Holders
from torchlint.project.outline import Definition

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.project.callings import Calling
    from torchlint.project.index import Index


def note(machine: Machine, cls: Definition | None) -> None:
    """Note which arguments that a forward changes are handed over to it by all who call it."""
    if cls is None or not machine.trace.forward or machine.trace.procedure:
        return
    changes = [event for event in machine.trace.of(Mutation) if event.tensor.argument]
    forward = machine.index.member(cls, "forward") if changes else None
    if not isinstance(forward, Definition):
        return
    callings = Holders.calls(machine.index, cls)
    node = forward.region.statement
    if not callings and not importing.is_behind_a_maker(machine.index, cls):
        return
    for name in {each.tensor.argument for each in changes}:
        of_it = (each for each in changes if each.tensor.argument == name)
        read = (_is_read_after(machine.index, each, cls) for each in of_it)
        if not any(read) and all(_passes(machine.index, each, node, name) for each in callings):
            machine.trace.handed_over.add(name)


def _is_read_after(index: Index, change: Mutation, cls: Definition) -> bool:
    """Whether the function that changes something reads it by another name, or as it was before."""
    region, node = change.spot.region, change.spot.node
    function, argument = region.statement, None
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name.endswith("_"):
            argument = value
        case ast.Call(args=[first, *_]):
            argument = first
        case ast.AugAssign():
            pass
        case _:
            return False
    if not isinstance(function, syntax.FUNCTIONS) or _is_statement(function, node):
        return False
    yields = Yields(index, Place(region.outline, cls))
    return not Origins(yields, node, argument).are_left(function)


def _is_statement(function: syntax.Definition, node: ast.AST) -> bool:
    """Whether a call stands by itself, or at the head of a chain of calls that does.

    What it changes is all that it is there for.
    """
    for each in ast.walk(function):
        called = each.value if isinstance(each, ast.Expr) else None
        while isinstance(called, ast.Call) and called is not node:
            called = called.func.value if isinstance(called.func, ast.Attribute) else None
        if called is node:
            return True
    return False


def _passes(index: Index, calling: Calling, forward: syntax.Definition, name: str) -> bool:
    """Whether a call passes for a parameter what its caller has made, and does not read again."""
    call, caller = calling.path[0], calling.caller
    assert isinstance(call, ast.Call)
    assert caller is not None
    taken = [each.arg for each in syntax.positional(forward)][1:]
    if any(isinstance(each, ast.Starred) for each in call.args):
        return False
    if any(each.arg is None for each in call.keywords):
        return False
    at = taken.index(name) if name in taken else len(call.args)
    given = syntax.named(call, name) or (call.args[at] if at < len(call.args) else None)
    place = Place(caller.outline, caller.nested_in)
    return given is None or Origins(Yields(index, place), call, given).are_own(
        caller.region.statement
    )
