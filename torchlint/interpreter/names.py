"""Names: local variables, closures, globals of this and other files, builtins."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    foregone,
    loop_names,
    numbers,
    passes,
    situations,
    statements,
)
from torchlint.interpreter.activations import Activation
from torchlint.interpreter.state import State
from torchlint.interpreter.values import (
    UNKNOWN,
    Class,
    Const,
    Frame,
    Function,
    Instance,
    Module,
    Unknown,
)
from torchlint.project.index import External, Global
from torchlint.project.outline import Definition, Outline

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.project.index import Meaning
    from torchlint.project.regions import Region

_LONGEST_GLOBAL = 60
"""How many lines a statement may have for the variables that it sets to be followed."""


def dotted(node: ast.AST) -> str:
    """The dotted name of an expression; empty for any other expression."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            return f"{dotted(value)}.{attribute}"
    return ""


def negated(node: ast.AST) -> str:
    """The dotted name of what an expression says is not so; empty for any other expression."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return dotted(operand)
    return ""


def lookup(machine: Machine, name: str) -> Value:
    """The value of a variable where the machine stands."""
    address: int | None = machine.frame
    while address is not None:
        frame = machine.live.heap[address]
        assert isinstance(frame, Frame)
        found = frame.names.get(name)
        if found is not None:
            return found
        address = frame.parent
    return global_value(machine, machine.outline, name)


def global_value(machine: Machine, outline: Outline, name: str) -> Value:
    """The value of a name at the top level of a file."""
    key = (outline.source.path, name)
    machine.read.add(key)
    known = _fixed(machine, outline, name)
    if known is not None:
        return known
    if key in machine.resolving:
        # A variable that is made of itself.
        return UNKNOWN
    machine.resolving.add(key)
    try:
        return _resolve(machine, outline, name)
    finally:
        machine.resolving.discard(key)


def _fixed(machine: Machine, outline: Outline, name: str) -> Value | None:
    """The value of a name that only an import or a definition binds; the same in every run."""
    known = machine.index.foregone.get((outline, name))
    if known is None:
        meaning = machine.index.binding(outline, name)
        if isinstance(meaning, Global):
            return None
        known = value_of(machine, meaning)
        if meaning is None:
            known = External(f"builtins.{name}") if hasattr(builtins, name) else UNKNOWN
        if name in outline.redefined and not outline.source.is_module:
            # Which of its meanings it has depends on when a cell is run.
            known = UNKNOWN
        machine.index.foregone[outline, name] = known
    assert isinstance(known, (Const, External, Module, Class, Function, Unknown))
    running = machine.modules.get(outline.source.path)
    frame = machine.live.heap.get(running) if running is not None else None
    # A running module may have bound the name otherwise, by ``global`` or a loop.
    return None if isinstance(frame, Frame) and name in frame.names else known


def _resolve(machine: Machine, outline: Outline, name: str) -> Value:
    """The value of a name at the top level of a file: of a run of it, else of its definition."""
    running = machine.modules.get(outline.source.path)
    if running is not None:
        frame = machine.live.heap.get(running)
        found = frame.names.get(name) if isinstance(frame, Frame) else None
        if found is not None:
            return found
    meaning = machine.index.binding(outline, name)
    if meaning is None:
        return External(f"builtins.{name}") if hasattr(builtins, name) else UNKNOWN
    return value_of(machine, meaning)


def value_of(machine: Machine, meaning: Meaning | None) -> Value:
    """The value of what a name means."""
    match meaning:
        case External(name=name):
            return numbers.named(name) or _own_name_of(name) or meaning
        case Outline():
            return Module(meaning)
        case Definition(is_class=True):
            return Class(meaning)
        case Definition():
            return function_of(meaning)
        case Global():
            return _global(machine, meaning)
    return UNKNOWN


def own_name(value: Value) -> Value:
    """What `__name__` gives of a function: that of one with a decorator is not known."""
    match value:
        case Function(node=ast.FunctionDef(decorator_list=[]), name=name):
            return Const(name)
        case External(name=name):
            return _own_name_of(f"{name}.__name__") or UNKNOWN
    return UNKNOWN


def _own_name_of(name: str) -> Value | None:
    """What a dotted name gives that asks a function of torch for its own."""
    function, _, asked = name.rpartition(".")
    known = asked == "__name__" and function.startswith("torch.nn.functional.")
    return Const(function.rpartition(".")[2]) if known else None


def function_of(definition: Definition, owner: Definition | None = None) -> Function:
    """The function that a definition defines."""
    return Function(
        definition.region,
        definition.region.statement,
        definition.name,
        definition,
        owner=owner or definition.nested_in,
    )


def _global(machine: Machine, meaning: Global) -> Value:
    """A module's variable: what its one assignment gives, evaluated in a frame of that module.

    Variables of long statements (``if __name__``) or of several are not followed.
    """
    machine.read.add((meaning.outline.source.path, meaning.name))
    frame = machine.module_frame(meaning.outline)
    known = machine.live.heap[frame]
    assert isinstance(known, Frame)
    if meaning.name in known.names:
        return known.names[meaning.name]
    if len(meaning.regions) != 1:
        return UNKNOWN
    region = meaning.regions[0]
    if region.last - region.first > _LONGEST_GLOBAL:
        return UNKNOWN
    if machine.frame == frame and machine.region.first < region.first:
        # The top level of the file has not come so far, and nothing here is as it will be then.
        return UNKNOWN
    value = foregone.variable(
        machine, meaning.name, region, lambda run: _assigned(run, meaning.name, region)
    )
    if value is None:
        value = _assigned(machine, meaning.name, region)
        if isinstance(machine.get(value), Instance) and _is_touched(meaning, region):
            passes.forget(machine, value)
        return value
    machine.live.heap[frame] = replace(known, names={**known.names, meaning.name: value})
    return value


def _is_touched(meaning: Global, region: Region) -> bool:
    """Whether a later statement of the file does something to a variable, such as ``eval()``."""
    return any(
        isinstance(statement, ast.Expr) and loop_names.mentions(statement, meaning.name)
        for other in meaning.outline.statements
        if other.first > region.last and meaning.name in other.source
        for statement in other.statements
    )


def _assigned(machine: Machine, name: str, region: Region) -> Value:
    """What a statement at the top level of a file gives to a variable: no part of any call.

    Other statements there, which do not run for that, may have moved it. It has run before, in no
    mode that a caller has switched to.
    """
    outer = situations.present(machine)
    before, switches = machine.live.fork(), machine.live.switches
    machine.live.put_back(State({}).switches)
    machine.activations = [Activation(None) for _ in machine.activations]
    machine.frame = machine.module_frame(region.outline)
    machine.region, machine.rounds, machine.births, machine.abroad = region, (), (), True
    try:
        statements.block(machine, region.statements)
        if machine.state is None:
            # It always raises; whoever asks for the variable has come past it.
            machine.state = before
            return UNKNOWN
        return machine.variables().names.get(name, UNKNOWN)
    finally:
        if machine.state is not None:
            machine.state.put_back(switches)
        situations.enter(machine, outer)
