"""Ways out: of loops, which may all be taken in the first round, and of the program."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from torchlint.interpreter import containers, expressions, loop_names, names, syntax
from torchlint.interpreter.events.statements import CutShort
from torchlint.interpreter.values import Const, Sequence
from torchlint.project.children import children
from torchlint.project.index import External

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence as Nodes

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_OUT = (ast.Return, ast.Break)
_ENDS = frozenset(
    External(name) for name in ("sys.exit", "os._exit", "builtins.exit", "builtins.quit")
)
_NAMED_SO = frozenset(name.name.rpartition(".")[2] for name in _ENDS)
_SCOPES = (*syntax.FUNCTIONS, ast.ClassDef, ast.Lambda)


def ends_program(machine: Machine, node: ast.expr) -> bool:
    """Whether an expression is a call after which nothing runs any more."""
    if not isinstance(node, ast.Call):
        return False
    named = names.dotted(node.func).rpartition(".")[2]
    return named in _NAMED_SO and expressions.evaluate(machine, node.func) in _ENDS


def note(machine: Machine, loop: syntax.Loop, source: Value, start: int) -> None:
    """Note that a loop is over, after the first of the rounds that it has.

    ``start`` is the number of events before it.
    """
    out = _of_first_round(loop)
    if out is None or _has_one_round(machine, source):
        return
    record = machine.get(source)
    counts = isinstance(record, Sequence) and record.kind == "range"
    machine.emit(
        CutShort,
        out,
        loop=machine.spot(loop.test if isinstance(loop, ast.While) else loop.iter),
        returns=isinstance(out, ast.Return),
        counts=counts,
        carries=loop_names.carries(loop),
        start=start,
    )


def _has_one_round(machine: Machine, source: Value) -> bool:
    """Whether a loop over this surely has no second round, whatever happens in the first."""
    items = containers.known_items(machine, source)
    if items is not None:
        return len(items) <= 1
    record = machine.get(source)
    return isinstance(record, Sequence) and record.bound in (Const(0), Const(1))


@lru_cache(maxsize=64)
def _of_first_round(loop: syntax.Loop) -> ast.Return | ast.Break | None:
    """The last way out of a round that ends the loop on each of its paths; None for other loops.

    What goes on under a constant condition, gives its items away one by one, or looks for the first
    of them with an ``else`` for there being none, is meant so.
    """
    if not _any_leaves(loop.body) or loop.orelse:
        return None
    if isinstance(loop, ast.While) and not any(_names(loop.test)):
        return None
    own = [part for statement in loop.body for part in _own(statement)]
    if any(isinstance(part, (ast.Continue, ast.Yield, ast.YieldFrom)) for part in own):
        return None
    out = [part for part in own if isinstance(part, _OUT)]
    return out[-1] if out else None


def _names(node: ast.AST) -> Iterator[ast.AST]:
    return (part for part in _own(node) if isinstance(part, ast.Name))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What belongs to the loop that a node is in: no functions, nor ``break`` of other loops."""
    yield node
    if isinstance(node, _SCOPES):
        return
    inner = isinstance(node, syntax.LOOPS)
    for child in children(node):
        for part in _own(child):
            if not (inner and isinstance(part, (ast.Break, ast.Continue))):
                yield part


def _leaves(node: ast.stmt) -> bool:
    """Whether the program never goes on behind a statement."""
    match node:
        case ast.Return() | ast.Break() | ast.Raise():
            return True
        case ast.If(body=body, orelse=otherwise):
            return _any_leaves(body) and _any_leaves(otherwise)
        case ast.With(body=body) | ast.AsyncWith(body=body):
            return _any_leaves(body)
        case ast.Try(body=body, handlers=handlers, orelse=otherwise, finalbody=final):
            done = _any_leaves(body) or _any_leaves(otherwise)
            handled = all(_any_leaves(each.body) for each in handlers)
            return _any_leaves(final) or (done and handled)
    return False


def _any_leaves(body: Nodes[ast.stmt]) -> bool:
    return any(map(_leaves, body))
