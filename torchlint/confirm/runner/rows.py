"""Reads a loop over the rows of tensors, and writes a round of it as a function of the rows."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .statements import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACE, TOTAL, LIST = "place", "total", "list"
_ARITHMETIC = (
    *(ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop),
    *(ast.keyword, ast.expr_context),
)
_MEASURES = ("len", "size", "dim", "min", "max")


class NoRowsError(Exception):
    """The loop does something else, or more."""


@dataclass(frozen=True)
class Result:
    """What a round leaves: an element of a place, a part of a total, an item of a list.

    ``owner`` is the place, the total or the list, ``rest`` what of a row of a place is written.
    """

    kind: str
    owner: str
    rest: tuple[ast.expr, ...] = ()


@dataclass
class Rows:
    """A loop, taken apart.

    ``sources`` are the tensors whose rows a round takes, ``iterated`` those among them that are
    walked to their end; ``count`` is the number of rounds where the loop says it. ``fixed`` are the
    names that are the same in all rounds. ``round`` is the body of a function of the rows, in the
    order of ``sources``, that gives the values of ``results``.
    """

    node: ast.For
    sources: list[str] = field(default_factory=list)
    iterated: list[str] = field(default_factory=list)
    count: ast.expr | None = None
    fixed: set[str] = field(default_factory=set)
    results: list[Result] = field(default_factory=list)
    round: list[ast.stmt] = field(default_factory=list)

    @property
    def held(self) -> list[str]:
        """What the loop changes."""
        return list(dict.fromkeys(result.owner for result in self.results))

    def arguments(self) -> list[str]:
        """The names of a round's arguments."""
        return [f"_row{number}" for number in range(len(self.sources))]


def read(node: ast.For) -> Rows:
    """Take a loop apart; raises NoRowsError where it does not compute row by row."""
    reader = _Reader(node)
    reader.heads()
    for statement in node.body:
        reader.does(statement)
    found = reader.found
    if not found.results or not found.sources or node.orelse:
        raise NoRowsError("it leaves nothing that is computed of rows")
    once = [result.owner for result in found.results if result.kind != PLACE]
    if len(set(once)) < len(once) or found.fixed & set(found.held):
        raise NoRowsError("what it leaves is used in the loop")
    return found


def renamed(node: ast.stmt, names: dict[str, str]) -> ast.stmt:
    """A copy of a statement in which dotted names are replaced by others."""
    made: ast.stmt = _Renamer(names).visit(copy.deepcopy(node))
    return made


class _Reader(ast.NodeTransformer):
    """Turns what a round reads into rows."""

    def __init__(self, node: ast.For) -> None:
        self.found = Rows(node)
        self._index = ""
        self._names: set[str] = set()
        self._written: set[str] = set()
        given = [part for line in node.body for part in ast.walk(line)]
        self._given = {
            part.id
            for part in given
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }

    def heads(self) -> None:
        """Who is walked, and by what names."""
        target, source = self.found.node.target, self.found.node.iter
        called, given = _plain_call(source)
        if called == "range" and len(given) == 1 and isinstance(target, ast.Name):
            if not all(map(_is_measure, ast.walk(given[0]))):
                raise NoRowsError("the number of rounds is computed by more than sizes")
            self._index, self.found.count = target.id, given[0]
            return
        pairs: list[tuple[ast.expr, ast.expr]] = [(target, source)]
        if called and isinstance(target, ast.Tuple):
            parts = target.elts
            if called == "enumerate" and len(parts) == 2 and isinstance(parts[0], ast.Name):
                self._index, parts = parts[0].id, parts[1:]
            if len(parts) != len(given):
                raise NoRowsError("it is not known what the names of the loop stand for")
            pairs = list(zip(parts, given, strict=True))
        for name, value in pairs:
            if not isinstance(name, ast.Name):
                raise NoRowsError("rows are taken apart")
            self._gives(name.id, ast.Name(self._row(value), ast.Load()))
            self.found.iterated.append(ast.unparse(value))

    def does(self, statement: ast.stmt) -> None:
        """What a statement adds to the round."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._gives(name, self.visit(copy.deepcopy(value)))
            case ast.Assign(targets=[ast.Subscript() as place], value=value):
                owner, rest = self._part(place)
                self._leaves(Result(PLACE, owner, rest), value)
                self._written.add(owner)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
                self._leaves(Result(TOTAL, name), value)
            case ast.Expr(
                ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                    args=[value],
                    keywords=[],
                )
            ):
                self._leaves(Result(LIST, name), value)
            case _:
                raise NoRowsError(f"line {statement.lineno} does more than compute of rows")

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """A row, or a part of one."""
        owner, rest = self._part(node)
        if owner in self._written:
            raise NoRowsError("what it leaves is used in the loop")
        row = ast.Name(self._row(node.value), ast.Load())
        if not rest:
            return row
        part = rest[0] if len(rest) == 1 else ast.Tuple(list(rest), ast.Load())
        return ast.Subscript(row, part, ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call of torch's; what makes a number of a tensor is left out, as rows are many."""
        if any(word.arg in (None, "out") for word in node.keywords):
            raise NoRowsError("a call is given what is not known")
        match node:
            case ast.Call(func=ast.Name(id="float"), args=[value], keywords=[]):
                return self._visited(value)
            case ast.Call(func=ast.Attribute(value=value, attr="item"), args=[], keywords=[]):
                return self._visited(value)
            case ast.Call(func=ast.Attribute(attr=name)) if not name.endswith("_"):
                return self._each(node)
        raise NoRowsError("it calls what is not torch's")

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """A name with dots that is the same in all rounds, or what is called of a row."""
        name = dotted(node)
        if name and name.partition(".")[0] not in self._names:
            self._keep(name)
            return node
        return self._each(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A row, what was computed of rows, or the same in all rounds."""
        if node.id not in self._names:
            self._keep(node.id)
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Numbers and arithmetic are all else that there may be."""
        if not isinstance(node, _ARITHMETIC):
            raise NoRowsError(f"it has `{type(node).__name__}` in it")
        return super().generic_visit(node)

    def _visited(self, node: ast.expr) -> ast.expr:
        made: ast.expr = self.visit(node)
        return made

    def _each(self, node: ast.Call | ast.Attribute) -> ast.expr:
        made: ast.expr = super().generic_visit(node)  # type: ignore[assignment]
        return made

    def _gives(self, name: str, value: ast.expr) -> None:
        self._names.add(name)
        self.found.round.append(ast.Assign([ast.Name(name, ast.Store())], value))

    def _leaves(self, result: Result, value: ast.expr) -> None:
        name = f"_left{len(self.found.results)}"
        self.found.results.append(result)
        self._gives(name, self._visited(copy.deepcopy(value)))

    def _part(self, node: ast.Subscript) -> tuple[str, tuple[ast.expr, ...]]:
        """What ``x[i]`` is a row of, and the rest of the subscript."""
        inner = node.slice
        first, *rest = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        is_row = isinstance(first, ast.Name) and first.id == self._index
        if not is_row or not all(map(_is_constant, rest)):
            raise NoRowsError("an element is taken that is not of the round's row")
        return self._source(node.value), tuple(rest)

    def _source(self, node: ast.expr) -> str:
        name = dotted(node)
        self._check(name)
        return name

    def _row(self, node: ast.expr) -> str:
        name = self._source(node)
        if name not in self.found.sources:
            self.found.sources.append(name)
        return f"_row{self.found.sources.index(name)}"

    def _keep(self, name: str) -> None:
        self._check(name)
        self.found.fixed.add(name)

    def _check(self, name: str) -> None:
        first = name.partition(".")[0]
        if not first or first == self._index or first in self._given:
            raise NoRowsError("a value is used that changes from round to round")


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        new = self._names.get(dotted(node))
        if new:
            return ast.Name(new, node.ctx)
        made: ast.expr = self.generic_visit(node)  # type: ignore[assignment]
        return made

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)


def loops(tree: ast.AST) -> Iterator[ast.For]:
    """All loops of a file."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.For))


def _plain_call(node: ast.expr) -> tuple[str, list[ast.expr]]:
    """The function and the arguments of a call that has no more to it."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return name, args
    return "", []


def _is_measure(node: ast.AST) -> bool:
    """Whether a part of an expression asks for sizes, and does nothing."""
    if isinstance(node, ast.Call):
        return dotted(node.func).rpartition(".")[2] in _MEASURES
    allowed = (
        *(ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.BinOp, ast.UnaryOp),
        *(ast.operator, ast.unaryop, ast.expr_context),
    )
    return isinstance(node, allowed)


def _is_constant(node: ast.expr) -> bool:
    allowed = (ast.Constant, ast.Slice, ast.UnaryOp, ast.USub)
    return all(isinstance(part, allowed) for part in ast.walk(node))
