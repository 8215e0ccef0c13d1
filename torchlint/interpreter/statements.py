"""Statements: branches are both taken and joined, loops are walked twice."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from torchlint.frozen import replace
from torchlint.interpreter import (
    asserting,
    assignments,
    carried,
    clocks,
    conditions,
    containers,
    copies,
    custom,
    deleting,
    exits,
    expressions,
    handlers,
    hooks,
    iterators,
    keyed,
    loop_names,
    loops,
    lost,
    modes,
    names,
    operators,
    profilers,
    programs,
    ranks,
    recording,
    syntax,
    tensors,
    totals,
    truths,
)
from torchlint.interpreter.events.statements import Discarded
from torchlint.interpreter.state import join
from torchlint.interpreter.values import NONE, UNKNOWN, Bound, Const, Frame, Function, Unknown
from torchlint.project.outline import Import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torchlint.interpreter.machine import Machine

    Executor = Callable[[Machine, Any], None]


def block(machine: Machine, statements: Iterable[ast.stmt]) -> None:
    """Execute statements one after the other, as long as the program gets there."""
    for statement in statements:
        if machine.state is None:
            return
        machine.tick()
        executor = _EXECUTORS.get(type(statement))
        if executor is not None:
            executor(machine, statement)


def _expression(machine: Machine, node: ast.Expr) -> None:
    for each in lost.steps(machine, node.value):
        _drop(machine, each)


def _drop(machine: Machine, node: ast.expr) -> None:
    """Evaluate what nobody takes."""
    outer, machine.statement = machine.statement, lost.last_step(node)
    value = expressions.evaluate(machine, node)
    machine.statement = outer
    if exits.ends_program(machine, node):
        machine.state = None
        return
    if isinstance(value, Bound):
        lost.named(machine, value, machine.spot(node))
    if not isinstance(value, (Const, Unknown)):
        machine.emit(Discarded, node, value=value)
        modes.dropped(machine, value, machine.spot(node))
        copies.dropped(machine, node, value)
        hooks.dropped(machine, value, machine.spot(node))
        totals.dropped(machine, node, value)


# Assignments.


def _assign(machine: Machine, node: ast.Assign) -> None:
    value = expressions.evaluate(machine, node.value)
    loop_names.regrown(machine, node)
    lost.assigned(machine, node, value)
    assignments.adding(machine, node)
    for target in node.targets:
        assignments.assign(machine, target, value, machine.spot(node))
    target, joined = node.targets[0], assignments.joins_to(node.targets[0], node.value)
    if joined or assignments.adds_to(target, node.value):
        totals.accumulate(machine, value, node, target, joined=joined)


def _annotated(machine: Machine, node: ast.AnnAssign) -> None:
    if node.value is not None:
        value = expressions.evaluate(machine, node.value)
        assignments.assign(machine, node.target, value, machine.spot(node))


def _augmented(machine: Machine, node: ast.AugAssign) -> None:
    before = expressions.evaluate(machine, node.target)
    if isinstance(node.target, ast.Subscript) and tensors.is_tensor(machine, before):
        copies.written_back(machine, before, expressions.evaluate(machine, node.target.value))
    value = expressions.evaluate(machine, node.value)
    operator = type(node.op).__name__
    spot = machine.spot(node)
    after = operators.augmented(machine, operator, before, value, spot)
    if after is None:
        after = containers.extended(machine, before, value, spot)
    if after is None:
        after = operators.binary(machine, operator, before, value, spot)
    if isinstance(node.target, ast.Subscript) and tensors.is_tensor(machine, before):
        holder = expressions.evaluate(machine, node.target.value)
        if tensors.is_tensor(machine, holder):
            copies.write(machine, node.target.value, holder, spot)
            index = expressions.index_of(machine, node.target)
            assignments.change_items(machine, holder, index, spot, operator)
            return
    assignments.assign(machine, node.target, after, spot)
    if operator in {"Add", "Sub"}:
        totals.accumulate(machine, after, node, node.target)


def _delete(machine: Machine, node: ast.Delete) -> None:
    for target in node.targets:
        deleting.delete(machine, target)


def _global(machine: Machine, node: ast.Global) -> None:
    for name in node.names:
        machine.share(name, machine.module_frame(machine.outline))


def _nonlocal(machine: Machine, node: ast.Nonlocal) -> None:
    for name in node.names:
        address = machine.variables().parent
        while address is not None:
            frame = machine.live.heap[address]
            assert isinstance(frame, Frame)
            if name in frame.names:
                machine.share(name, address)
                break
            address = frame.parent


# Branches.


def _if(machine: Machine, node: ast.If) -> None:
    test = expressions.evaluate(machine, node.test)
    clocks.needed(machine, test, machine.spot(node.test), "if")
    truths.asked(machine, test, node.test)
    recording.tested(machine, test, machine.spot(node.test), "if")
    known = conditions.truth(machine, test)
    if known is None and programs.is_main(node.test):
        block(machine, node.body)
        return
    if known is not None:
        # In another round or call the test may come out otherwise.
        with machine.fork(decided=True), machine.guarded(None, node.test):
            block(machine, node.body if known else node.orelse)
        return

    def body() -> None:
        conditions.narrow(machine, node.test, positive=True)
        ranks.restrict(machine, test, positive=True)
        with machine.guarded(names.dotted(node.test), node.test):
            block(machine, node.body)

    def otherwise() -> None:
        conditions.narrow(machine, node.test, positive=False, lasting=asserting.exits(node))
        ranks.restrict(machine, test, positive=False)
        with machine.guarded(names.negated(node.test) or None, node.test):
            block(machine, node.orelse)

    machine.branches([body, otherwise])


def _match(machine: Machine, node: ast.Match) -> None:
    expressions.evaluate(machine, node.subject)

    def case(alternative: ast.match_case) -> Callable[[], None]:
        def run() -> None:
            for name in _captures(alternative.pattern):
                machine.bind(name, UNKNOWN)
            if alternative.guard is not None:
                expressions.evaluate(machine, alternative.guard)
            block(machine, alternative.body)

        return run

    machine.branches([*map(case, node.cases), lambda: None])


def _captures(pattern: ast.pattern) -> Iterator[str]:
    for node in ast.walk(pattern):
        match node:
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                yield name
            case ast.MatchMapping(rest=str() as name):
                yield name


# Loops, and the ways out.


def _for(machine: Machine, node: ast.For | ast.AsyncFor) -> None:
    source = expressions.evaluate(machine, node.iter)
    spot = machine.spot(node.iter)
    keyed.walked(machine, source, node)
    lost.rebound(machine, node)

    def body(item: loops.Item) -> None:
        assignments.assign(machine, node.target, item.value, spot)
        block(machine, node.body)

    start, returns = len(machine.trace.events), len(machine.activation.returns)
    whole = _loop(machine, loops.rounds(machine, source, spot), body, node)
    if whole and machine.state is not None and len(machine.activation.returns) == returns:
        iterators.end(machine, source, spot)
    exits.note(machine, node, source, start)


def _while(machine: Machine, node: ast.While) -> None:
    def body(item: loops.Item) -> None:
        test = expressions.evaluate(machine, node.test)
        truths.asked(machine, test, node.test)
        recording.tested(machine, test, machine.spot(node.test), "while")
        block(machine, node.body)

    start = len(machine.trace.events)
    _loop(machine, loops.endless(machine), body, node)
    exits.note(machine, node, NONE, start)


def _loop(
    machine: Machine,
    rounds: Iterator[loops.Item],
    body: Callable[[loops.Item], None],
    node: syntax.Loop,
) -> bool:
    """Walk a loop; gives whether no ``break`` leaves it."""
    exits = loops.walk(machine, rounds, body, node)
    if machine.state is not None:
        block(machine, node.orelse)
    loops.leave(machine, exits)
    return not exits


def _out_of_round(machine: Machine, node: ast.Break | ast.Continue) -> None:
    if machine.activation.loops:
        loop = machine.activation.loops[-1]
        left = loop.breaks if isinstance(node, ast.Break) else loop.continues
        left.append(machine.live)
    machine.state = None


def _return(machine: Machine, node: ast.Return) -> None:
    value = expressions.evaluate(machine, node.value) if node.value else NONE
    custom.returned(machine, node, value)
    machine.activation.returns.append((machine.live, value))
    machine.state = None


def _raise(machine: Machine, node: ast.Raise) -> None:
    if node.exc is not None:
        expressions.evaluate(machine, node.exc)
    machine.state = None


def _assert(machine: Machine, node: ast.Assert) -> None:
    truths.asked(machine, expressions.evaluate(machine, node.test), node.test)
    conditions.narrow(machine, node.test, positive=True, lasting=True)


def _try(machine: Machine, node: ast.Try | ast.TryStar) -> None:
    before = machine.live.fork()
    start, tried = len(machine.trace.events), handlers.catch_failures(node.handlers)
    machine.tries += tried
    block(machine, node.body)
    machine.tries -= tried
    handlers.swallowed(machine, node.handlers, start)
    if machine.state is not None:
        block(machine, node.orelse)
    ends = [machine.state] if machine.state is not None else []
    for handler in node.handlers:
        machine.state = join([before.fork(), *(end.fork() for end in ends[:1])])
        if handler.name is not None:
            machine.bind(handler.name, UNKNOWN)
        with machine.fork():
            block(machine, handler.body)
        if machine.state is not None:
            ends.append(machine.state)
    machine.state = join(ends)
    if node.finalbody:
        if machine.state is None:
            machine.state = before
            block(machine, node.finalbody)
            machine.state = None
        else:
            block(machine, node.finalbody)


def _with(machine: Machine, node: ast.With | ast.AsyncWith) -> None:
    switches = machine.live.switches
    managers, expected = [], any(map(modes.expects_failure, node.items))
    for item in node.items:
        spot = machine.spot(item.context_expr)
        manager = expressions.evaluate(machine, item.context_expr)
        managers.append(manager)
        value = modes.entered(machine, manager, spot)
        if item.optional_vars is not None:
            assignments.assign(machine, item.optional_vars, value, spot)
    machine.tries += expected
    block(machine, node.body)
    machine.tries -= expected
    profilers.left(machine, managers)
    carried.left(machine, managers, machine.spot(node.items[0].context_expr))
    if machine.state is not None:
        machine.state.put_back(switches)
    for loop in machine.activation.loops:
        for state in (*loop.breaks, *loop.continues):
            state.put_back(switches)


# Definitions.


def _function(machine: Machine, node: syntax.Definition) -> None:
    function = Function(machine.region, node, node.name, closure=machine.frame)
    outer = machine.activation.function
    if outer is not None:
        function = replace(function, owner=outer.owner)
    elif len(machine.activations) == 1:
        # At the top level the definition of the index is the function itself.
        return
    machine.bind(node.name, function)


def _class(machine: Machine, node: ast.ClassDef) -> None:
    if machine.activation.function is not None:
        inner = machine.opaque()
        machine.trace.inner.add(inner.address)
        machine.bind(node.name, inner)


def _import(machine: Machine, node: ast.Import) -> None:
    for alias in node.names:
        bound = alias.asname or alias.name.partition(".")[0]
        imported = Import(alias.name if alias.asname else bound, 0, "")
        meaning = machine.index.imported(machine.outline, imported)
        machine.bind(bound, names.value_of(machine, meaning))


def _import_from(machine: Machine, node: ast.ImportFrom) -> None:
    for alias in node.names:
        if alias.name == "*":
            return
        imported = Import(node.module or "", node.level, alias.name)
        meaning = machine.index.imported(machine.outline, imported)
        machine.bind(alias.asname or alias.name, names.value_of(machine, meaning))


_EXECUTORS: dict[type[ast.stmt], Executor] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Delete: _delete,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
    ast.If: _if,
    ast.Match: _match,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _out_of_round,
    ast.Continue: _out_of_round,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
}
