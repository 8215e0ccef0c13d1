"""Mistakes that are put into code that is right: one seed a way to get something wrong.

A seed is a small edit that people make without noticing: a line left out, two lines in the wrong
order, a call with one word less. It knows the places of a file where it can be made, and the codes
of the rules that are there for the mistake. Whether it is one there, in a given program, is a
reader's to say: code without ``zero_grad()`` may clear its gradients elsewhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Module
_N = TypeVar("_N", bound=ast.AST)


class Edit(NamedTuple):
    """Characters of a text that are replaced."""

    start: int
    end: int
    text: str


class Sown(NamedTuple):
    """A file with a mistake in it: which, where it was made, and the text as it is then."""

    seed: str
    line: int
    text: str


class Code:
    """A file that is right, taken apart; raises SyntaxError where it is no Python."""

    def __init__(self, text: str) -> None:
        """Parse the text."""
        self.text = text
        self.tree = ast.parse(text)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What each node stands in."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def _lines(self) -> list[int]:
        starts = [0]
        for line in self.text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def offset(self, line: int, column: int) -> int:
        """Where something stands that ``ast`` has in bytes of UTF-8."""
        begin = self._lines[line - 1]
        text = self.text[begin : self._lines[line]]
        return begin + len(text.encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        """Where a node begins and ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def of(self, node: ast.expr | ast.stmt) -> str:
        """What stands in the text for a node."""
        return self.text[slice(*self.span(node))]

    def put(self, node: ast.expr | ast.stmt | ast.keyword, text: str) -> Edit:
        """The text in place of a node."""
        return Edit(*self.span(node), text)

    def without(self, call: ast.Call, keyword: ast.keyword) -> Edit:
        """A call without one of its keywords, and without the comma that goes with it."""
        start, end = self.span(keyword)
        if comma := re.match(r"\s*,\s*", self.text[end:]):
            return Edit(start, end + comma.end(), "")
        if comma := re.search(r",\s*$", self.text[self.span(call.func)[1] : start]):
            return Edit(start - len(comma.group()), end, "")
        return Edit(start, end, "")

    def all(self, kind: type[_N]) -> Iterator[_N]:
        """All nodes of a kind, in the order of the text."""
        found = [node for node in ast.walk(self.tree) if isinstance(node, kind)]
        return iter(
            sorted(found, key=lambda n: (getattr(n, "lineno", 0), getattr(n, "col_offset", 0)))
        )

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node stands in, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def scope(self, node: ast.AST) -> Scope:
        """The function that a node is of, or the file."""
        return next(each for each in self.above(node) if isinstance(each, Scope))

    def within(self, node: ast.AST, kind: type[_N]) -> list[_N]:
        """What a node holds of a kind, in the order of the text, functions in it left out."""
        found: list[_N] = []
        stack = list(ast.iter_child_nodes(node))
        while stack:
            each = stack.pop()
            if isinstance(each, kind):
                found.append(each)
            if not isinstance(each, Scope | ast.Lambda | ast.ClassDef):
                stack.extend(ast.iter_child_nodes(each))
        return sorted(found, key=lambda n: (getattr(n, "lineno", 0), getattr(n, "col_offset", 0)))

    def in_loop(self, node: ast.AST) -> bool:
        """Whether a loop of the same function is around a node."""
        for each in self.above(node):
            if isinstance(each, Scope | ast.ClassDef):
                return False
            if isinstance(each, ast.For | ast.While):
                return True
        return False

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements among which one stands."""
        parent = self.parents[statement]
        for _, value in ast.iter_fields(parent):
            if isinstance(value, list) and statement in value:
                return value
        return [statement]

    def swapped(self, first: ast.stmt, second: ast.stmt) -> list[Edit]:
        """Two statements in each other's place."""
        return [self.put(first, self.of(second)), self.put(second, self.of(first))]

    def calls(self, scope: ast.AST, *methods: str) -> list[ast.Call]:
        """The calls of methods, or functions, by these names."""
        return [call for call in self.within(scope, ast.Call) if called(call) in methods]

    def statements(self, *methods: str) -> Iterator[tuple[ast.Expr, ast.Call]]:
        """Statements that are nothing but a call of one of these, in the order of the text."""
        for node in self.all(ast.Expr):
            if isinstance(node.value, ast.Call) and called(node.value) in methods:
                yield node, node.value


def called(call: ast.Call) -> str:
    """The last part of the name of what is called, or nothing."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def receiver(call: ast.Call) -> str:
    """What a method is called of, as ``ast`` writes it, or nothing."""
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""


def keyword(call: ast.Call, name: str) -> ast.keyword | None:
    """The argument of a call that has a name."""
    return next((each for each in call.keywords if each.arg == name), None)


Sower = Callable[[Code], Iterable[tuple[ast.expr | ast.stmt, list[Edit]]]]


@dataclass(frozen=True)
class Seed:
    """A way to get something wrong: the codes it is of, and where it can be made in a file."""

    name: str
    codes: tuple[str, ...]
    sower: Sower

    def sown(self, code: Code) -> Iterator[Sown]:
        """The file with the mistake, once for each place that there is for it."""
        for node, edits in self.sower(code):
            text = code.text
            for edit in sorted(edits, reverse=True):
                text = text[: edit.start] + edit.text + text[edit.end :]
            try:
                ast.parse(text)
            except SyntaxError:
                continue
            yield Sown(self.name, node.lineno, text)


SEEDS: dict[str, Seed] = {}
"""All seeds, by name."""


def seed(*codes: str) -> Callable[[Sower], Sower]:
    """Make a function a seed of the mistake of these rules."""

    def register(sower: Sower) -> Sower:
        name = sower.__name__.replace("_", "-")
        SEEDS[name] = Seed(name, codes, sower)
        return sower

    return register
