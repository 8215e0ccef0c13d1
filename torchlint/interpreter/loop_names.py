"""Names in the text of a loop: which are given values there, and how often one is read."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from torchlint.interpreter import always, calls, names, syntax, turns
from torchlint.interpreter.events.speed import Regrown
from torchlint.interpreter.values import Instance, options_of
from torchlint.project import around
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.syntax import Loop
    from torchlint.project.regions import Region


def varies(loop: Loop, node: ast.AST, steady: Container[ast.AST] = ()) -> bool:
    """Whether an expression may have another value in another round.

    Calls always may, but for those among ``steady``.
    """
    given = _given(loop)
    return any(
        (isinstance(part, (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)) and part not in steady)
        or (isinstance(part, ast.Name) and part.id in given)
        or (isinstance(part, ast.Attribute) and names.dotted(part) in given)
        for part in syntax.walk(node)
    )


def may_be_passed_by(machine: Machine) -> bool:
    """Whether what happens now hangs on a test that may come out otherwise in another round."""
    return any(
        loop.node is not None and varies(loop.node, test.node)
        for activation in machine.activations
        for loop in activation.loops
        for test in activation.tests
    )


def regrown(machine: Machine, node: ast.Assign) -> None:
    """Note a ``x = f([x, …])`` in a loop that does nothing else with ``x``."""
    loop, call = machine.loop, node.value
    if loop is None or not isinstance(call, ast.Call) or len(node.targets) != 1 or not call.args:
        return
    target, joined = node.targets[0], call.args[0]
    if not isinstance(target, ast.Name) or not isinstance(joined, (ast.List, ast.Tuple)):
        return
    name = target.id
    held = [
        element for element in joined.elts if isinstance(element, ast.Name) and element.id == name
    ]
    first = _told_apart(loop, node, name)
    own = 2 if first is None else 3 + mentions(first, name)
    if len(held) != 1 or mentions(loop, name) != own:
        return
    if first is None and not (always.in_every_round(machine) or _is_settled(machine, loop, node)):
        return
    if _is_written_out(loop):
        return
    # A list has to stay a list where loops are compiled, and holds all parts until the end.
    if not (_is_scripted(machine) or _lets_go(loop, joined)):
        changes = _changes(loop, joined)
        few = (
            turns.are_few(machine, loop)
            or (first is not None and _is_of_parts(loop, call))
            or (_is_beside(call) and turns.are_windows(machine, loop))
            or (_is_beside(call) and _is_begun_before(machine, loop, name))
            or (_is_beside(call) and _is_along_layers(machine, loop))
        )
        machine.emit(Regrown, node, name=name, call=machine.spot(call), changes=changes, few=few)


def _is_settled(machine: Machine, loop: Loop, node: ast.Assign) -> bool:
    """Whether what decides on a statement is the same in all rounds of a loop, as a setting is."""
    outer = around.path(machine.region, node)[:-1]
    within = outer[outer.index(loop) + 1 :] if loop in outer else []
    tests = [each.test for each in within if isinstance(each, ast.If)]
    bare = all(isinstance(each, (ast.If, ast.With, ast.AsyncWith)) for each in within)
    return (
        bool(tests)
        and bare
        and not (always.is_left(machine) or any(varies(loop, each) for each in tests))
    )


def _told_apart(loop: Loop, node: ast.Assign, name: str) -> ast.expr | None:
    """The test by which the first round of a loop gives a name what all others join to."""
    for statement in loop.body:
        match statement:
            case ast.If(test=ast.Compare() as test, body=body) if node in statement.orelse:
                if _is_of_the_first(loop, test) and any(name in _given(each) for each in body):
                    return test
    return None


def _is_of_the_first(loop: Loop, test: ast.Compare) -> bool:
    """Whether a test is for a value that is there after the first round, or for its number."""
    match test:
        case ast.Compare(ops=[ast.Is()], comparators=[bound]):
            return syntax.is_none(bound)
        case ast.Compare(left=ast.Name(id=count), ops=[ast.Eq()], comparators=[ast.Constant(0)]):
            return isinstance(loop, (ast.For, ast.AsyncFor)) and count in _targets(loop.target)
    return False


def _is_of_parts(loop: Loop, call: ast.Call) -> bool:
    """Whether parts of one thing are joined, as its layers and channels: there are not many.

    They are counted, or joined along another dimension than the first.
    """
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"))) | ast.While():
            return True
    return _is_beside(call)


def _is_begun_before(machine: Machine, loop: Loop, name: str) -> bool:
    """Whether a name is given one of the parts of something, of which a loop takes the others."""
    if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
        return False
    index, function = loop.target.id, machine.activation.function
    rest = {
        names.dotted(part.value)
        for part in syntax.walk(loop)
        if isinstance(part, ast.Subscript) and _is_name(part.slice, index)
    }
    given = syntax.walk(function.node) if function is not None else machine.region.statements
    return any(
        isinstance(part, ast.Assign)
        and _targets_only(part, name)
        and not rest.isdisjoint(_looked_up_in(part.value))
        for part in given
    )


def _targets_only(part: ast.Assign, name: str) -> bool:
    return [names.dotted(target) for target in part.targets] == [name]


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _looked_up_in(node: ast.expr) -> Iterator[str]:
    """The dotted names of that in which something is looked up, and of what is looked up there."""
    while isinstance(node, ast.Subscript):
        node = node.value
        yield names.dotted(node)


def _is_beside(call: ast.Call) -> bool:
    """Whether what is joined lies side by side, along another dimension than the first."""
    said = [syntax.named(call, name) for name in ("dim", "axis")]
    along = next(filter(None, [*said, *call.args[1:2]]), None)
    return along is not None and not (isinstance(along, ast.Constant) and along.value == 0)


def _is_along_layers(machine: Machine, loop: Loop) -> bool:
    """Whether a loop goes along the layers of a model, whose features are joined then."""
    if not isinstance(loop, (ast.For, ast.AsyncFor)):
        return False
    held = machine.variables().names
    items = [
        one for name in _targets(loop.target) if name in held for one in options_of(held[name])
    ]
    records = [machine.peek(item) for item in items]
    return any(
        isinstance(record, Instance) and kinds.is_module(machine.index, record.cls)
        for record in records
    )


def _is_written_out(loop: Loop) -> bool:
    """Whether a loop goes along a few items that stand in it, with what goes with each."""
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="zip"), args=along)):
            return any(isinstance(each, (ast.List, ast.Tuple)) for each in along)
    return False


def _changes(loop: Loop, joined: ast.List | ast.Tuple) -> bool:
    """Whether a loop changes in place what it joins, which would be one tensor all along."""
    parts = {names.dotted(part) for part in _as_they_are(joined)}
    parts.discard("")
    return any(
        isinstance(part, ast.AugAssign) and names.dotted(part.target) in parts
        for part in syntax.walk(loop)
    )


def _as_they_are(node: ast.AST) -> Iterator[ast.expr]:
    """What an expression may have as it is, or share memory with: arithmetic makes new tensors."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.expr) and not isinstance(part, (ast.BinOp, ast.UnaryOp)):
            yield part
            yield from _as_they_are(part)


def _is_scripted(machine: Machine) -> bool:
    function = machine.activation.function
    return function is not None and any("jit." in one for one in calls.decorators(function))


def _lets_go(loop: Loop, joined: ast.List | ast.Tuple) -> bool:
    """Whether a loop puts something else in the place of each part that it has joined."""
    parts = {
        names.dotted(part.value) for part in syntax.walk(joined) if isinstance(part, ast.Subscript)
    }
    parts.discard("")
    return any(
        isinstance(part, ast.Assign)
        and isinstance(part.targets[0], ast.Subscript)
        and names.dotted(part.targets[0].value) in parts
        for part in syntax.walk(loop)
    )


def is_made_in(loop: Loop, name: str) -> bool:
    """Whether a statement in the body of a loop gives a name its value."""
    return any(name in _given(statement) for statement in loop.body)


def is_older(region: Region, name: ast.Name) -> bool:
    """Whether a variable stands in a loop, and has its value from before that in every round."""
    for outer in reversed(around.path(region, name)):
        if isinstance(outer, (ast.For, ast.AsyncFor, ast.While)):
            return name.id not in _given(outer)
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return False
    return False


def is_assigned(within: ast.AST, name: str) -> bool:
    """Whether a name is assigned to, rather than bound by loops and arguments alone."""
    return any(
        isinstance(part, ast.Assign) and any(name in _targets(target) for target in part.targets)
        for part in syntax.walk(within)
    )


@lru_cache(maxsize=64)
def carries(loop: Loop) -> bool:
    """Whether a loop adds to something that it does not set itself, or asks for a multiple of what
    it counts by: it is meant to go round more than once.
    """
    added: set[str] = set()
    given: set[str] = set()
    counters: set[str] = set()
    for part in syntax.walk(loop):
        match part:
            case ast.AugAssign(target=target):
                added.update(_targets(target))
            case ast.Call(func=ast.Attribute(value=owner, attr=name), args=given_to) if given_to:
                # What lists, progress bars and meters of running means take in.
                if name in _GATHERING:
                    added.add(names.dotted(owner))
            case ast.Assign(targets=targets):
                given.update(name for target in targets for name in _targets(target))
            case (
                ast.AnnAssign(target=target) | ast.For(target=target) | ast.AsyncFor(target=target)
            ):
                given.update(_targets(target))
    if not isinstance(loop, ast.While):
        counters.update(_targets(loop.target))
    return bool(added - given - {""}) or any(
        isinstance(part, ast.BinOp)
        and isinstance(part.op, ast.Mod)
        and any(name in counters for name in _targets(part.left))
        for part in syntax.walk(loop)
    )


_GATHERING = frozenset({"append", "extend", "update"})


@lru_cache(maxsize=64)
def _given(loop: ast.AST) -> frozenset[str]:
    """Names and dotted names that a loop, or a statement, assigns to."""
    found: set[str] = set()
    for part in syntax.walk(loop):
        match part:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                found.update(name for target in targets for name in _targets(target))
            case (
                ast.AugAssign(target=target)
                | ast.AnnAssign(target=target)
                | ast.For(target=target)
                | ast.AsyncFor(target=target)
                | ast.comprehension(target=target)
                | ast.NamedExpr(target=target)
                | ast.withitem(optional_vars=ast.expr() as target)
            ):
                found.update(_targets(target))
            case ast.ExceptHandler(name=str() as name) | ast.alias(asname=str() as name):
                found.add(name)
    return frozenset(found)


def _targets(target: ast.AST) -> Iterator[str]:
    match target:
        case ast.Name() | ast.Attribute():
            yield names.dotted(target)
        case ast.Subscript(value=value) | ast.Starred(value=value):
            yield from _targets(value)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element in elements:
                yield from _targets(element)


@lru_cache(maxsize=64)
def mentions(loop: ast.AST, name: str) -> int:
    """How often a name stands in a loop or in a part of it, keywords and attributes set aside."""
    return sum(isinstance(part, ast.Name) and part.id == name for part in syntax.walk(loop))
