"""Loops over the rows of tensors: which of them do no more than one expression could do at once.

The text of a loop tells what has to be true for that: what it indexes are tensors, what it computes
are operations that take rows as they take tensors, and all else are numbers. Whether it is true is
looked up when the loop has been walked.
"""

from __future__ import annotations

import ast
from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import expressions, loop_names, names, syntax
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.speed import RowLoop, RowWork
from torchlint.interpreter.values import Const, Module, Ref, Sequence, Tensor
from torchlint.project import paired
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

    tensors: list[ast.expr] = field(default_factory=list)
    others: list[ast.expr] = field(default_factory=list)
    work: list[ast.expr] = field(default_factory=list)
    lists: list[ast.expr] = field(default_factory=list)
    count: ast.expr | None = None


def work(machine: Machine, spot: Spot) -> None:
    """An operation is applied that takes a row as it takes all of them."""
    loop = machine.loop
    if isinstance(loop, ast.For) and plan_of(loop) is not None:
        machine.emit(RowWork, spot)


def passed(machine: Machine, loop: syntax.Loop) -> None:
    """A loop of unknown length has been walked."""
    plan = plan_of(loop) if isinstance(loop, ast.For) else None
    if plan is None or not isinstance(loop, ast.For):
        return
    done = {event.spot.node for event in machine.trace.of(RowWork)}
    if not done.issuperset(plan.work) or not all(_is_tensor(machine, one) for one in plan.tensors):
        return
    if not all(_is_plain(machine, one) for one in plan.others):
        return
    if any(_may_be_list(machine, one) for one in plan.tensors):
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


def _may_be_list(machine: Machine, node: ast.expr) -> bool:
    """Whether a caller may have given a list by this name, which nothing says to be a tensor.

    It is joined, or nothing is asked of it but its items.
    """
    function, name = machine.activation.function, names.dotted(node)
    if function is None:
        return False
    if paired.is_joined(name, function.node, machine.region.text):
        return True
    record = machine.get(expressions.evaluate(machine, node))
    if not isinstance(record, Tensor) or not record.argument or not isinstance(node, ast.Name):
        return False
    return not _says_tensor(function.node, name)


def _says_tensor(function: ast.AST, name: str) -> bool:
    """Whether a parameter has an annotation, or something is asked of it that a list has not."""
    for node in ast.walk(function):
        match node:
            case ast.arg(arg=arg, annotation=ast.expr()) if arg == name:
                return True
            case ast.Attribute(value=ast.Name(id=owner)) if owner == name:
                return True
    return False


def _is_tensor(machine: Machine, node: ast.expr) -> bool:
    record = machine.get(expressions.evaluate(machine, node))
    return isinstance(record, Tensor) and not record.scalar


def _is_plain(machine: Machine, node: ast.expr) -> bool:
    value = expressions.evaluate(machine, node)
    record = machine.get(value)
    if isinstance(record, Tensor):
        return record.scalar
    return isinstance(value, (External, Module, Const, Number))


@lru_cache(maxsize=64)
def plan_of(loop: ast.For) -> Plan | None:
    """What the text asks for; None where no single expression could take the loop's place."""
    if loop.orelse or not 0 < len(loop.body) <= _LONGEST:
        return None
    reader = _Reader(loop)
    if not reader.heads():
        return None
    # Something has to come of each round, and to be computed in it.
    whole = all(map(reader.does, loop.body)) and reader.results and reader.plan.work
    return reader.plan if whole else None


class _Reader:
    """Reads a loop, and notes what would have to be true; False says that it cannot be."""

    def __init__(self, loop: ast.For) -> None:
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
            case ast.Call(func=ast.Name(id="range"), args=[count], keywords=[]):
                self.plan.count = count
                self._index = target.id if isinstance(target, ast.Name) else ""
                return bool(self._index)
            case ast.Call(func=ast.Name(id="enumerate"), args=[value], keywords=[]):
                match target:
                    case ast.Tuple(elts=[ast.Name(id=index), row]):
                        self._index = index
                        return self._iterates([row], [value])
                return False
            case ast.Call(func=ast.Name(id="zip"), args=args):
                return isinstance(target, ast.Tuple) and self._iterates(target.elts, args)
        return self._iterates([target], [source])

    def _iterates(self, targets: list[ast.expr], sources: list[ast.expr]) -> bool:
        for target, source in zip(targets, sources, strict=False):
            if not isinstance(target, ast.Name) or not self._is_fixed(source):
                return False
            self._rows.add(target.id)
            self.plan.tensors.append(source)
        return len(targets) == len(sources)

    def does(self, statement: ast.stmt) -> bool:
        """A statement gives a name or a place to what it computes of rows, or adds it up."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if name in self._rows or not self._reads(value):
                    return False
                self._rows.add(name)
                return True
            case ast.Assign(targets=[ast.Subscript() as place]):
                self.results += 1
                return self._is_row(place) and self._reads(statement.value)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if (
                loop_names.mentions(self._loop, name) == 1
            ):
                self.results += 1
                return self._reads(value)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name() as owner, attr="append"),
                    args=[value],
                    keywords=[],
                )
            ) if loop_names.mentions(self._loop, owner.id) == 1:
                self.results += 1
                self.plan.lists.append(owner)
                return self._reads(value)
        return False

    def _reads(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=int() | float() | str()):
                return True
            case ast.Name(id=name) if name in self._rows:
                return True
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return self._reads(inner)
            case ast.BinOp(left=left, right=right):
                self.plan.work.append(node)
                return self._reads(left) and self._reads(right)
            case ast.Subscript():
                return self._is_row(node)
            case ast.Call(func=func):
                self.plan.work.append(node)
                called = (
                    self._reads(func.value)
                    if isinstance(func, ast.Attribute)
                    else isinstance(func, ast.Name) and func.id in _CASTS
                )
                spreads = any(keyword.arg is None for keyword in node.keywords)
                return called and not spreads and all(map(self._reads, syntax.given(node)))
        if not self._is_fixed(node):
            return False
        self.plan.others.append(node)
        return True

    def _is_fixed(self, node: ast.expr) -> bool:
        """Whether it is a name, dotted or not, that is the same in all rounds."""
        name = names.dotted(node)
        parts = {name, name.partition(".")[0]}
        return bool(name) and parts.isdisjoint({*self._given, *self._rows, self._index})

    def _is_row(self, node: ast.Subscript) -> bool:
        """``x[i]``, or a fixed part of it."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not (parts and isinstance(parts[0], ast.Name) and parts[0].id == self._index):
            return False
        if not self._is_fixed(node.value):
            return False
        self.plan.tensors.append(node.value)
        return all(map(_is_whole, parts[1:]))


def _targets(loop: ast.For) -> Iterator[str]:
    """The names that the statements of a loop give values to."""
    for statement in loop.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
                yield name


def _is_whole(part: ast.expr) -> bool:
    match part:
        case ast.Constant():
            return _is_number(part)
        case ast.Slice(lower=lower, upper=upper, step=None):
            return all(end is None or _is_number(end) for end in (lower, upper))
    return False


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, int)
