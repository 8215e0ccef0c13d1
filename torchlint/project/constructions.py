"""Constructions: with which numbers a project builds the objects of a class."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.project.dependencies import BUILT
from torchlint.project.skimming import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.index import Index
    from torchlint.project.outline import Definition, Outline
    from torchlint.project.regions import Region
    from torchlint.sources.source import Source


@dataclass(frozen=True, slots=True)
class Construction:
    """A call of a class, and the whole numbers that it is given, by position or keyword."""

    region: Region
    call: ast.Call
    numbers: tuple[tuple[str, int], ...]


class Constructions:
    """The only calls of the classes of a project."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[Definition, Construction | None] = {}

    def of(self, definition: Definition) -> Construction | None:
        """The only call of a class, were it in a docstring, if it is code and gives numbers."""
        path, told = definition.outline.source.path, self.told(definition)
        self._index.dependencies.note(path, BUILT, definition.qualname, told)
        return self._known[definition]

    def told(self, definition: Definition) -> str:
        """Where that is, and with which numbers, in words."""
        if definition not in self._known:
            self._known[definition] = self._found(definition)
        found = self._known[definition]
        return "" if found is None else f"{found.region.place(found.call)} {found.numbers}"

    def _found(self, definition: Definition) -> Construction | None:
        name = definition.name
        called: tuple[Source, int] | None = None
        for source in self._index.speaking_of(name):
            for start in _calls(name, source.text):
                if called is not None:
                    return None
                called = source, start
        if called is None:
            return None
        source, offset = called
        outline = self._index.outlined(source)
        if outline is None or self._index.binding(outline, name) is not definition:
            return None
        return _construction(name, outline, outline.line_at(offset))


def _calls(name: str, text: str) -> Iterator[int]:
    """Where a text calls something by a bare name."""
    for start in places_of(name, text):
        is_bare = not text.endswith((".", "class "), 0, start)
        if is_bare and text.startswith("(", start + len(name)):
            yield start


def _construction(name: str, outline: Outline, line: int) -> Construction | None:
    # What is defined within something comes after it.
    defined = (each.region for each in reversed(outline.definitions))
    parts = (*defined, *outline.parts())
    region = next((part for part in parts if part.first <= line <= part.last), None)
    for statement in region.statements if region is not None else ():
        for node in ast.walk(statement):
            match node:
                case ast.Call(func=ast.Name(id=called)) if called == name:
                    numbers = tuple(_numbers(node))
                    assert region is not None
                    return Construction(region, node, numbers) if numbers else None
    return None


def _numbers(call: ast.Call) -> Iterator[tuple[str, int]]:
    if any(isinstance(each, ast.Starred) for each in call.args):
        return
    given = [(str(position), value) for position, value in enumerate(call.args)]
    given += [(each.arg, each.value) for each in call.keywords if each.arg is not None]
    for place, value in given:
        if isinstance(value, ast.Constant) and type(value.value) is int:
            yield place, value.value
