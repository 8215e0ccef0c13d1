"""Loops over the rows of tensors: which of them do no more than one expression could do at once.

The text of a loop tells what has to be true for that: what it indexes are tensors, what it computes
are operations that take rows as they take tensors, and all else are numbers. Whether it is true is
looked up when the loop has been walked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.interpreter import expressions, loop_names, names
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.speed import RowLoop, RowWork
from torchlint.interpreter.values import Const, Module, Ref, Sequence, Tensor
from torchlint.project.index import External

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_LONGEST = 6
_FEW = 8
_CASTS = frozenset({"float"})


@dataclass(slots=True)
class Plan:
    """What has to be true: ``tensors`` are tensors, ``others`` none, ``work`` is done on rows.

    ``lists`` are appended to, and have to become a tensor after the loop. ``count`` is how many
    rounds there are, where the loop says it.
    """

    tensors: list[cst.BaseExpression] = field(default_factory=list)
    others: list[cst.BaseExpression] = field(default_factory=list)
    work: list[cst.BaseExpression] = field(default_factory=list)
    lists: list[cst.BaseExpression] = field(default_factory=list)
    count: cst.BaseExpression | None = None


def work(machine: Machine, spot: Spot) -> None:
    """An operation is applied that takes a row as it takes all of them."""
    loop = machine.loop
    if isinstance(loop, cst.For) and plan_of(loop) is not None:
        machine.emit(RowWork, spot)


def passed(machine: Machine, loop: cst.For | cst.While) -> None:
    """A loop of unknown length has been walked."""
    plan = plan_of(loop) if isinstance(loop, cst.For) else None
    if plan is None or not isinstance(loop, cst.For):
        return
    done = {event.spot.node for event in machine.trace.of(RowWork)}
    if not done.issuperset(plan.work) or not all(_is_tensor(machine, one) for one in plan.tensors):
        return
    if not all(_is_plain(machine, one) for one in plan.others):
        return
    if plan.count is not None and _is_few(expressions.evaluate(machine, plan.count)):
        return
    held = [expressions.evaluate(machine, one) for one in plan.lists]
    lists = tuple(value.address for value in held if isinstance(value, Ref))
    if all(isinstance(machine.get(value), Sequence) for value in held):
        machine.emit(RowLoop, loop.iter, lists=lists)


def _is_few(count: Value) -> bool:
    """Whether there are so few rounds that it makes no difference."""
    return isinstance(count, Const) and isinstance(count.value, int) and count.value <= _FEW


def _is_tensor(machine: Machine, node: cst.BaseExpression) -> bool:
    record = machine.get(expressions.evaluate(machine, node))
    return isinstance(record, Tensor) and not record.scalar


def _is_plain(machine: Machine, node: cst.BaseExpression) -> bool:
    value = expressions.evaluate(machine, node)
    record = machine.get(value)
    if isinstance(record, Tensor):
        return record.scalar
    return isinstance(value, (External, Module, Const, Number))


@lru_cache(maxsize=256)
def plan_of(loop: cst.For) -> Plan | None:
    """What the text asks for; None where no single expression could take the loop's place."""
    body = loop.body.body if isinstance(loop.body, cst.IndentedBlock) else ()
    if loop.orelse is not None or not 0 < len(body) <= _LONGEST:
        return None
    reader = _Reader(loop)
    if not reader.heads():
        return None
    kept = [
        len(line.body) == 1 and reader.does(line.body[0])
        for line in body
        if isinstance(line, cst.SimpleStatementLine)
    ]
    # Something has to come of each round, and to be computed in it.
    whole = len(kept) == len(body) and all(kept) and reader.results and reader.plan.work
    return reader.plan if whole else None


class _Reader:
    """Reads a loop, and notes what would have to be true; False says that it cannot be."""

    def __init__(self, loop: cst.For) -> None:
        self.plan = Plan()
        self.results = 0
        self._loop = loop
        self._index = ""
        self._rows: set[str] = set()
        self._given = set(_targets(loop))

    def heads(self) -> bool:
        """``for i in range(n)``, ``for row in x``, and the latter with ``zip`` or ``enumerate``."""
        target, source = self._loop.target, self._loop.iter
        match source:
            case cst.Call(func=cst.Name(value="range"), args=[cst.Arg(star="", value=count)]):
                self.plan.count = count
                self._index = target.value if isinstance(target, cst.Name) else ""
                return bool(self._index)
            case cst.Call(func=cst.Name(value="enumerate"), args=[cst.Arg(star="", value=value)]):
                match target:
                    case cst.Tuple(elements=[cst.Element(value=cst.Name() as index), row]):
                        self._index = index.value
                        return self._iterates([row.value], [value])
                return False
            case cst.Call(func=cst.Name(value="zip"), args=args):
                if not isinstance(target, cst.Tuple):
                    return False
                each = [element.value for element in target.elements]
                return self._iterates(each, [argument.value for argument in args])
        return self._iterates([target], [source])

    def _iterates(
        self, targets: list[cst.BaseExpression], sources: list[cst.BaseExpression]
    ) -> bool:
        for target, source in zip(targets, sources, strict=False):
            if not isinstance(target, cst.Name) or not self._is_fixed(source):
                return False
            self._rows.add(target.value)
            self.plan.tensors.append(source)
        return len(targets) == len(sources)

    def does(self, statement: cst.BaseSmallStatement) -> bool:
        """A statement gives a name or a place to what it computes of rows, or adds it up."""
        match statement:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value):
                if name in self._rows or not self._reads(value):
                    return False
                self._rows.add(name)
                return True
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript() as place)]):
                self.results += 1
                return self._is_row(place) and self._reads(statement.value)
            case cst.AugAssign(
                target=cst.Name(value=name), operator=cst.AddAssign(), value=value
            ) if loop_names.mentions(self._loop, name) == 1:
                self.results += 1
                return self._reads(value)
            case cst.Expr(
                value=cst.Call(
                    func=cst.Attribute(value=cst.Name() as owner, attr=cst.Name(value="append")),
                    args=[cst.Arg(keyword=None, star="", value=value)],
                )
            ) if loop_names.mentions(self._loop, owner.value) == 1:
                self.results += 1
                self.plan.lists.append(owner)
                return self._reads(value)
        return False

    def _reads(self, node: cst.BaseExpression) -> bool:
        match node:
            case cst.Integer() | cst.Float() | cst.SimpleString():
                return True
            case cst.Name(value=name) if name in self._rows:
                return True
            case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
                return self._reads(inner)
            case cst.BinaryOperation(left=left, right=right):
                self.plan.work.append(node)
                return self._reads(left) and self._reads(right)
            case cst.Subscript():
                return self._is_row(node)
            case cst.Call(func=func, args=args):
                self.plan.work.append(node)
                called = (
                    self._reads(func.value)
                    if isinstance(func, cst.Attribute)
                    else isinstance(func, cst.Name) and func.value in _CASTS
                )
                return called and all(arg.star == "" and self._reads(arg.value) for arg in args)
        if not self._is_fixed(node):
            return False
        self.plan.others.append(node)
        return True

    def _is_fixed(self, node: cst.BaseExpression) -> bool:
        """Whether it is a name, dotted or not, that is the same in all rounds."""
        name = names.dotted(node)
        parts = {name, name.partition(".")[0]}
        return bool(name) and parts.isdisjoint({*self._given, *self._rows, self._index})

    def _is_row(self, node: cst.Subscript) -> bool:
        """``x[i]``, or a fixed part of it."""
        first, *rest = [element.slice for element in node.slice]
        match first:
            case cst.Index(value=cst.Name(value=name)) if name == self._index:
                pass
            case _:
                return False
        if not self._is_fixed(node.value):
            return False
        self.plan.tensors.append(node.value)
        return all(_is_whole(part) for part in rest)


def _targets(loop: cst.For) -> Iterator[str]:
    """The names that the statements of a loop give values to."""
    for line in loop.body.body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            match statement:
                case (
                    cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))])
                    | cst.AugAssign(target=cst.Name(value=name))
                ):
                    yield name


def _is_whole(part: cst.BaseSlice) -> bool:
    match part:
        case cst.Index(value=cst.Integer()):
            return True
        case cst.Slice(lower=lower, upper=upper, step=None):
            return all(end is None or _is_number(end) for end in (lower, upper))
    return False


def _is_number(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation):
        node = node.expression
    return isinstance(node, cst.Integer)
