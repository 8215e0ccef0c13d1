"""Statements: branches are both taken and joined, loops are walked twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import libcst as cst

from torchlint.interpreter import (
    assignments,
    clocks,
    conditions,
    containers,
    copies,
    custom,
    exits,
    expressions,
    handlers,
    hooks,
    iterators,
    loop_names,
    loops,
    lost,
    modes,
    names,
    operators,
    profilers,
    programs,
    ranks,
    tensors,
    totals,
)
from torchlint.interpreter.events.statements import Discarded
from torchlint.interpreter.state import join
from torchlint.interpreter.values import NONE, UNKNOWN, Bound, Const, Frame, Function, Unknown
from torchlint.project.outline import Import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torchlint.interpreter.machine import Machine

    Executor = Callable[[Machine, Any], None]


def block(machine: Machine, statements: Iterable[cst.CSTNode]) -> None:
    """Execute statements one after the other, as long as the program gets there."""
    for statement in statements:
        if machine.state is None:
            return
        machine.tick()
        executor = _EXECUTORS.get(type(statement))
        if executor is not None:
            executor(machine, statement)


def _suite(machine: Machine, node: cst.CSTNode) -> None:
    block(machine, node.body)  # type: ignore[attr-defined]


def _expression(machine: Machine, node: cst.Expr) -> None:
    outer, machine.statement = machine.statement, lost.last_step(node.value)
    value = expressions.evaluate(machine, node.value)
    machine.statement = outer
    if isinstance(value, Bound):
        lost.named(machine, value, machine.spot(node.value))
    if not isinstance(value, (Const, Unknown)):
        machine.emit(Discarded, node.value, value=value)
        modes.dropped(machine, value, machine.spot(node.value))
        copies.dropped(machine, node.value, value)
        hooks.dropped(machine, value, machine.spot(node.value))


# Assignments.


def _assign(machine: Machine, node: cst.Assign) -> None:
    value = expressions.evaluate(machine, node.value)
    loop_names.regrown(machine, node)
    lost.assigned(machine, node, value)
    for target in node.targets:
        assignments.assign(machine, target.target, value, machine.spot(node))
    if assignments.adds_to(node.targets[0].target, node.value):
        totals.accumulate(machine, value, node, _text(machine, node.targets[0].target))


def _annotated(machine: Machine, node: cst.AnnAssign) -> None:
    if node.value is not None:
        value = expressions.evaluate(machine, node.value)
        assignments.assign(machine, node.target, value, machine.spot(node))


def _augmented(machine: Machine, node: cst.AugAssign) -> None:
    before = expressions.evaluate(machine, node.target)
    value = expressions.evaluate(machine, node.value)
    operator = type(node.operator).__name__.removesuffix("Assign")
    spot = machine.spot(node)
    after = operators.augmented(machine, operator, before, value, spot)
    if after is None:
        after = containers.extended(machine, before, value, spot)
    if after is None:
        after = operators.binary(machine, operator, before, value, spot)
    if isinstance(node.target, cst.Subscript) and tensors.is_tensor(machine, before):
        holder = expressions.evaluate(machine, node.target.value)
        if tensors.is_tensor(machine, holder):
            copies.write(machine, node.target.value, holder, spot)
            return
    assignments.assign(machine, node.target, after, spot)
    if operator == "Add":
        totals.accumulate(machine, after, node, _text(machine, node.target))


def _text(machine: Machine, node: cst.CSTNode) -> str:
    return machine.region.source_of(node).strip()


def _delete(machine: Machine, node: cst.Del) -> None:
    match node.target:
        case cst.Name(value=name):
            frame = machine.variables()
            names = {key: value for key, value in frame.names.items() if key != name}
            machine.live.heap[machine.frame] = replace(frame, names=names)


def _global(machine: Machine, node: cst.Global) -> None:
    for item in node.names:
        machine.share(item.name.value, machine.module_frame(machine.outline))


def _nonlocal(machine: Machine, node: cst.Nonlocal) -> None:
    for item in node.names:
        address = machine.variables().parent
        while address is not None:
            frame = machine.live.heap[address]
            assert isinstance(frame, Frame)
            if item.name.value in frame.names:
                machine.share(item.name.value, address)
                break
            address = frame.parent


# Branches.


def _if(machine: Machine, node: cst.If) -> None:
    test = expressions.evaluate(machine, node.test)
    clocks.needed(machine, test, machine.spot(node.test), "if")
    known = conditions.truth(machine, test)
    if known is None and programs.is_main(node.test):
        _suite(machine, node.body)
        return
    if known is not None:
        # In another round or call the test may come out otherwise.
        with machine.fork(), machine.guarded(None, node.test):
            _suite(machine, node.body) if known else _otherwise(machine, node)
        return

    def body() -> None:
        conditions.narrow(machine, node.test, positive=True)
        ranks.restrict(machine, test, positive=True)
        with machine.guarded(names.dotted(node.test), node.test):
            _suite(machine, node.body)

    def otherwise() -> None:
        conditions.narrow(machine, node.test, positive=False)
        ranks.restrict(machine, test, positive=False)
        with machine.guarded(None, node.test):
            _otherwise(machine, node)

    machine.branches([body, otherwise])


def _otherwise(machine: Machine, node: cst.If) -> None:
    match node.orelse:
        case cst.If() as nested:
            _if(machine, nested)
        case cst.Else(body=body):
            _suite(machine, body)


def _match(machine: Machine, node: cst.Match) -> None:
    expressions.evaluate(machine, node.subject)

    def case(alternative: cst.MatchCase) -> Callable[[], None]:
        def run() -> None:
            for name in _captures(alternative.pattern):
                machine.bind(name, UNKNOWN)
            if alternative.guard is not None:
                expressions.evaluate(machine, alternative.guard)
            _suite(machine, alternative.body)

        return run

    machine.branches([*map(case, node.cases), lambda: None])


def _captures(pattern: cst.CSTNode) -> Iterator[str]:
    pending = [pattern]
    while pending:
        node = pending.pop()
        if isinstance(node, (cst.MatchAs, cst.MatchStar)) and node.name is not None:
            yield node.name.value
        if isinstance(node, cst.MatchMapping) and node.rest is not None:
            yield node.rest.value
        pending.extend(child for child in node.children if not isinstance(child, cst.Name))


# Loops, and the ways out.


def _for(machine: Machine, node: cst.For) -> None:
    source = expressions.evaluate(machine, node.iter)
    spot = machine.spot(node.iter)

    def body(item: loops.Item) -> None:
        assignments.assign(machine, node.target, item.value, spot)
        _suite(machine, node.body)

    start, returns = len(machine.trace.events), len(machine.activation.returns)
    whole = _loop(machine, loops.rounds(machine, source, spot), body, node)
    if whole and len(machine.activation.returns) == returns:
        iterators.end(machine, source, spot)
    exits.note(machine, node, source, start)


def _while(machine: Machine, node: cst.While) -> None:
    def body(item: loops.Item) -> None:
        expressions.evaluate(machine, node.test)
        _suite(machine, node.body)

    start = len(machine.trace.events)
    _loop(machine, loops.endless(machine), body, node)
    exits.note(machine, node, NONE, start)


def _loop(
    machine: Machine,
    rounds: Iterator[loops.Item],
    body: Callable[[loops.Item], None],
    node: cst.For | cst.While,
) -> bool:
    """Walk a loop; gives whether no ``break`` leaves it."""
    exits = loops.walk(machine, rounds, body, node)
    if machine.state is not None and node.orelse is not None:
        _suite(machine, node.orelse.body)
    loops.leave(machine, exits)
    return not exits


def _break(machine: Machine, node: cst.Break) -> None:
    if machine.activation.loops:
        machine.activation.loops[-1].breaks.append(machine.live)
    machine.state = None


def _continue(machine: Machine, node: cst.Continue) -> None:
    if machine.activation.loops:
        machine.activation.loops[-1].continues.append(machine.live)
    machine.state = None


def _return(machine: Machine, node: cst.Return) -> None:
    value = expressions.evaluate(machine, node.value) if node.value else NONE
    custom.returned(machine, node, value)
    machine.activation.returns.append((machine.live, value))
    machine.state = None


def _raise(machine: Machine, node: cst.Raise) -> None:
    if node.exc is not None:
        expressions.evaluate(machine, node.exc)
    machine.state = None


def _assert(machine: Machine, node: cst.Assert) -> None:
    expressions.evaluate(machine, node.test)
    conditions.narrow(machine, node.test, positive=True)


def _try(machine: Machine, node: cst.Try | cst.TryStar) -> None:
    before = machine.live.fork()
    start = len(machine.trace.events)
    machine.tries += bool(node.handlers)
    _suite(machine, node.body)
    machine.tries -= bool(node.handlers)
    handlers.swallowed(machine, node.handlers, start)
    if machine.state is not None and node.orelse is not None:
        _suite(machine, node.orelse.body)
    ends = [machine.state] if machine.state is not None else []
    for handler in node.handlers:
        machine.state = join([before.fork(), *(end.fork() for end in ends[:1])])
        if handler.name is not None:
            assignments.assign(machine, handler.name.name, UNKNOWN, machine.spot(handler))
        with machine.fork():
            _suite(machine, handler.body)
        if machine.state is not None:
            ends.append(machine.state)
    machine.state = join(ends)
    if node.finalbody is not None:
        if machine.state is None:
            machine.state = before
            _suite(machine, node.finalbody.body)
            machine.state = None
        else:
            _suite(machine, node.finalbody.body)


def _with(machine: Machine, node: cst.With) -> None:
    switches = machine.live.switches
    managers, expected = [], any(map(modes.expects_failure, node.items))
    for item in node.items:
        manager = expressions.evaluate(machine, item.item)
        managers.append(manager)
        value = modes.entered(machine, manager, machine.spot(item.item))
        if item.asname is not None:
            assignments.assign(machine, item.asname.name, value, machine.spot(item))
    machine.tries += expected
    _suite(machine, node.body)
    machine.tries -= expected
    profilers.left(machine, managers)
    if machine.state is not None:
        machine.state.put_back(switches)
    for loop in machine.activation.loops:
        for state in (*loop.breaks, *loop.continues):
            state.put_back(switches)


# Definitions.


def _function(machine: Machine, node: cst.FunctionDef) -> None:
    function = Function(machine.region, node, node.name.value, closure=machine.frame)
    outer = machine.activation.function
    if outer is not None:
        function = replace(function, owner=outer.owner)
    elif len(machine.activations) == 1:
        # At the top level the definition of the index is the function itself.
        return
    machine.bind(node.name.value, function)


def _class(machine: Machine, node: cst.ClassDef) -> None:
    if machine.activation.function is not None:
        machine.bind(node.name.value, UNKNOWN)


def _import(machine: Machine, node: cst.Import | cst.ImportFrom) -> None:
    if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar):
        return
    module = names.dotted(node.module) if isinstance(node, cst.ImportFrom) and node.module else ""
    level = len(node.relative) if isinstance(node, cst.ImportFrom) else 0
    for alias in node.names:  # type: ignore[union-attr]
        name = names.dotted(alias.name)
        bound = alias.asname.name.value if alias.asname else name.partition(".")[0]  # type: ignore[union-attr]
        if isinstance(node, cst.ImportFrom):
            imported = Import(module, level, name)
        else:
            imported = Import(name if alias.asname else bound, 0, "")
        meaning = machine.index.imported(machine.outline, imported)
        machine.bind(bound, names.value_of(machine, meaning))


_EXECUTORS: dict[type[cst.CSTNode], Executor] = {
    cst.SimpleStatementLine: _suite,
    cst.SimpleStatementSuite: _suite,
    cst.IndentedBlock: _suite,
    cst.Expr: _expression,
    cst.Assign: _assign,
    cst.AnnAssign: _annotated,
    cst.AugAssign: _augmented,
    cst.Del: _delete,
    cst.Global: _global,
    cst.Nonlocal: _nonlocal,
    cst.If: _if,
    cst.Match: _match,
    cst.For: _for,
    cst.While: _while,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.With: _with,
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
    cst.Import: _import,
    cst.ImportFrom: _import,
}
