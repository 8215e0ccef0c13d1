"""Ways out of loops: where every one of them is taken in the first round, there is no second."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.interpreter import containers, loop_names
from torchlint.interpreter.events.statements import CutShort
from torchlint.interpreter.values import Const, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence as Nodes

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

    Loop = cst.For | cst.While

_OUT = (cst.Return, cst.Break)
_SCOPES = (cst.FunctionDef, cst.ClassDef, cst.Lambda)


def note(machine: Machine, loop: Loop, source: Value, start: int) -> None:
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
        loop=machine.spot(loop.iter if isinstance(loop, cst.For) else loop.test),
        returns=isinstance(out, cst.Return),
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


@lru_cache(maxsize=256)
def _of_first_round(loop: Loop) -> cst.Return | cst.Break | None:
    """The last way out of a round that ends the loop on each of its paths; None for other loops.

    What goes on under a constant condition, gives its items away one by one, or looks for the first
    of them with an ``else`` for there being none, is meant so.
    """
    if not _leaves(loop.body) or loop.orelse is not None:
        return None
    if isinstance(loop, cst.While) and not any(_names(loop.test)):
        return None
    own = list(_own(loop.body))
    if any(isinstance(part, (cst.Continue, cst.Yield)) for part in own):
        return None
    out = [part for part in own if isinstance(part, _OUT)]
    return out[-1] if out else None


def _names(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    return (part for part in _own(node) if isinstance(part, cst.Name) and part.value != "True")


def _own(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What belongs to the loop that a node is in: no functions, nor ``break`` of other loops."""
    yield node
    if isinstance(node, _SCOPES):
        return
    inner = isinstance(node, (cst.For, cst.While))
    for child in node.children:
        for part in _own(child):
            if not (inner and isinstance(part, (cst.Break, cst.Continue))):
                yield part


def _leaves(node: cst.CSTNode | None) -> bool:
    """Whether the program never goes on behind a statement or block."""
    match node:
        case cst.IndentedBlock(body=body) | cst.SimpleStatementSuite(body=body):
            return _any_leaves(body)
        case cst.SimpleStatementLine(body=body):
            return _any_leaves(body)
        case cst.Return() | cst.Break() | cst.Raise():
            return True
        case cst.If(body=body, orelse=otherwise):
            return _leaves(body) and _leaves(otherwise)
        case cst.Else(body=body) | cst.With(body=body) | cst.Finally(body=body):
            return _leaves(body)
        case cst.Try(body=body, handlers=handlers, orelse=otherwise, finalbody=final):
            done = _leaves(body) or _leaves(otherwise)
            return _leaves(final) or (done and all(_leaves(each.body) for each in handlers))
    return False


def _any_leaves(body: Nodes[cst.CSTNode]) -> bool:
    return any(map(_leaves, body))
