"""What a file has to say about who calls whom, as plain data that is made once for all jobs."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
from dataclasses import dataclass
from typing import Any

from .statements import dotted

_WORDS = re.compile(r"[^\W\d]\w*")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_OPEN = (ast.If, ast.Try, ast.With)


@dataclass(frozen=True)
class Part:
    """A function or method, by its dotted name, its lines and the names that it reads.

    A file's own code, without its definitions, has no name and no lines.
    """

    scope: str
    first: int
    last: int
    mentions: frozenset[str]


@dataclass(frozen=True)
class Outline:
    """The parts of a file, its classes with the last parts of their bases' names, and its words.

    ``imports`` are the last parts of the names of modules that it may import.
    """

    parts: tuple[Part, ...]
    bases: dict[str, frozenset[str]]
    imports: frozenset[str]
    words: frozenset[str]

    def dump(self) -> str:
        """As JSON."""
        parts = [(one.scope, one.first, one.last, sorted(one.mentions)) for one in self.parts]
        bases = {name: sorted(of) for name, of in self.bases.items()}
        return json.dumps([parts, bases, sorted(self.imports), sorted(self.words)])

    @classmethod
    def parse(cls, text: str) -> Outline:
        """The outline that :meth:`dump` wrote."""
        parts, bases, imports, words = json.loads(text)
        return cls(
            tuple(
                Part(scope, first, last, frozenset(mentions))
                for scope, first, last, mentions in parts
            ),
            {name: frozenset(of) for name, of in bases.items()},
            frozenset(imports),
            frozenset(words),
        )


def outline(text: str, tree: ast.Module | None = None) -> Outline:
    """The outline of a text; SyntaxError, ValueError or RecursionError where there is none."""
    reader = _Reader()
    reader.file(tree or ast.parse(text))
    words = frozenset(_WORDS.findall(text))
    return Outline(tuple(reader.parts), reader.bases, frozenset(reader.imports), words)


def kept_at(folder: str, file: str) -> str:
    """Where the outline of a file is kept for jobs to read."""
    return os.path.join(folder, hashlib.sha1(os.fsencode(file)).hexdigest() + ".json")


class _Reader:
    """Goes through a file once; names count for each part that is open."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._depth = 0
        self._order: list[tuple[bool, int, int]] = []
        self.bases: dict[str, frozenset[str]] = {}
        self.imports: set[str] = set()
        self._own: set[str] = set()
        self._open: list[set[str]] = [self._own]

    def file(self, tree: ast.Module) -> None:
        """Read all of it."""
        for node in tree.body:
            self._top(node)
        # Methods first, those of outer classes before those of inner ones.
        ordered = sorted(zip(self._order, self.parts, strict=True), key=lambda pair: pair[0])
        own = Part("", 0, 0, frozenset(self._own))
        self.parts = [own, *(part for _, part in ordered)]

    def _top(self, node: ast.AST) -> None:
        """A statement of a file, which is a definition or may hold some."""
        if isinstance(node, _FUNCTIONS):
            self._part(node, node.name)
        elif isinstance(node, _OPEN):
            body = set(node.body)
            for child in ast.iter_child_nodes(node):
                (self._top if child in body else self._read)(child)
        else:
            self._read(node)

    def _part(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: str) -> None:
        outer = self._open
        names: set[str] = set()
        self._open = [*(each for each in outer if each is not self._own), names]
        self._depth += 1
        self._children(node)
        self._depth -= 1
        self._open = outer
        self.parts.append(Part(scope, node.lineno, node.end_lineno or 0, frozenset(names)))
        self._order.append(("." not in scope, self._depth, node.lineno))

    def _read(self, node: Any) -> None:
        if isinstance(node, ast.Name):
            self._name(node.id)
        elif isinstance(node, ast.Attribute):
            self._name(node.attr)
            self._read(node.value)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(node)
        elif isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, _FUNCTIONS):
            outer = self._open
            self._open = [each for each in outer if each is not self._own]
            self._children(node)
            self._open = outer
        elif not isinstance(node, (ast.Constant, ast.expr_context, ast.operator)):
            self._children(node)

    def _class(self, node: ast.ClassDef) -> None:
        names = (dotted(base).rpartition(".")[2] for base in node.bases)
        self.bases[node.name] = frozenset(name for name in names if name)
        outer = self._open
        self._open = [each for each in outer if each is not self._own]
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _FUNCTIONS):
                self._part(child, f"{node.name}.{child.name}")
            else:
                self._read(child)
        self._open = outer

    def _children(self, node: ast.AST) -> None:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                self._read(value)
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, ast.AST):
                        self._read(item)

    def _name(self, name: str) -> None:
        for names in self._open:
            names.add(name)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.ImportFrom) and node.module:
            self.imports.add(node.module.rpartition(".")[2])
        self.imports.update(alias.name.rpartition(".")[2] for alias in node.names)
