"""Doubts: names of modules that are bound in one of several ways, so that it is not known to what.

An import may lead to such a name, in this file or another one.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.project.dependencies import LINK
from torchlint.project.outline import Import, Outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.index import Index

_MISSING = frozenset({"AttributeError", "ImportError", "ModuleNotFoundError", "Exception", ""})
_TWO_WAYS = ("if", "try")
_AGAIN = r"\n{}[ \t]*=(?!=)"
_FARTHEST = 12


@dataclass(frozen=True, slots=True)
class Names:
    """Names of a file that are bound in several ways; those that were ``tried`` may be missing."""

    unsure: frozenset[str]
    tried: frozenset[str]


class Doubts:
    """Which names are in doubt, of the files that imports lead to."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[Outline, Names] = {}

    def of(self, outline: Outline) -> Names:
        """The names in doubt of a file."""
        known = self._known.get(outline)
        if known is None:
            known = self._known[outline] = _read(outline)
        return known

    def are_of(self, outline: Outline, name: str) -> bool:
        """Whether a name of a file is in doubt, there or where it is imported from."""
        for _ in range(_FARTHEST):
            if name in self.of(outline).unsure:
                return True
            imported = outline.bindings.get(name)
            if not isinstance(imported, Import):
                return False
            if re.search(_AGAIN.format(re.escape(name)), outline.text):
                # It was imported, and is something else by now.
                return True
            home = self._index.module(outline, imported.module, imported.level)
            if not isinstance(home, Outline) or not imported.attribute:
                return False
            self._index.dependencies.note(outline.source.path, LINK, home.source.path)
            outline, name = home, imported.attribute
        return False


def _read(outline: Outline) -> Names:
    """Who imports in one of two ways has met the other: what the name is, is not known."""
    unsure: set[str] = set()
    tried: set[str] = set()
    for region in outline.parts():
        if region.source.startswith(_TWO_WAYS) and isinstance(region.statement, (ast.If, ast.Try)):
            names = [name for child in ast.walk(region.statement) for name in bound(child)]
            twice = {name for name in names if names.count(name) > 1}
            unsure |= twice
            if tries_for_missing(region.statement):
                tried |= twice
    return Names(frozenset(unsure), frozenset(tried))


def bound(node: ast.AST) -> Iterator[str]:
    """The names that a node binds by itself."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ImportFrom(names=names) | ast.Import(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)


def tries_for_missing(node: ast.AST) -> bool:
    """Whether it is tried whether something is there."""
    return isinstance(node, ast.Try) and any(
        _MISSING.intersection(caught(handler.type)) for handler in node.handlers
    )


def caught(node: ast.expr | None) -> frozenset[str]:
    """The last parts of the names of exceptions that a handler is for, empty for one of all."""
    if node is None:
        return frozenset({""})
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return frozenset(ast.unparse(part).rpartition(".")[2] for part in parts)
