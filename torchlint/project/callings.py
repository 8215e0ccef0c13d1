"""Callings: from where a project calls those of its functions that are nobody else's to call."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.project.children import children
from torchlint.project.dependencies import CALLED, LINK
from torchlint.project.outline import Import
from torchlint.project.skimming import word_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.index import Index
    from torchlint.project.outline import Definition, Outline
    from torchlint.project.regions import Region

_MOST = 12
"""What is mentioned more often than that is called in too many ways to look at them all."""

_METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)
_PRIVATE = Pattern(r"_(?!_)\w+")
_PLAIN = Pattern(r"(?:abc\.)?abstractmethod|staticmethod|classmethod|torch\..+")
"""Decorators that hand a function to nobody who would call it."""


@dataclass(frozen=True, slots=True)
class Calling:
    """A call, in what it stands from the inside out, and the function that this is in, if any."""

    region: Region
    path: tuple[ast.AST, ...]
    caller: Definition | None


class Callings:
    """All calls of the private functions of a project, and those of the others by their names."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[Definition, tuple[Calling, ...]] = {}
        self._named: dict[Definition, tuple[Calling, ...]] = {}
        self._applied: dict[Definition, tuple[ast.Call, ...]] = {}

    def forget(self) -> None:
        """Let go of the calls that were found, which hold what is parsed."""
        self._known = {each: found for each, found in self._known.items() if not found}
        self._named = {each: found for each, found in self._named.items() if not found}
        self._applied.clear()

    def of(self, definition: Definition) -> tuple[Calling, ...]:
        """The calls of a private function but for its own; none where others may call it too.

        For a method these are the calls of whatever has a method of that name.
        """
        if definition.is_class or not _PRIVATE.fullmatch(definition.name):
            return ()
        known = self._known.get(definition)
        if known is None:
            found = list(self._found(definition))
            known = tuple(each for each in found if each is not None and each.caller != definition)
            known = self._known[definition] = () if None in found else known
        note, path = self._index.dependencies.note, definition.outline.source.path
        note(path, CALLED, definition.name, self.told(definition.name))
        for calling in known:
            note(path, LINK, calling.region.outline.source.path)
        return known

    def within(self, definition: Definition) -> tuple[Calling, ...]:
        """The calls of a method by the other methods of its class, of the object that they have."""
        owner, name = definition.nested_in, definition.name
        methods = owner.members.values() if owner is not None else ()
        found = [
            each
            for method in methods
            if method is not definition and name in method.outline.own_names_of(method.region)
            for each in self._in_region(definition, method.region, method)
        ]
        return tuple(each for each in found if each is not None and _is_of_self(each))

    def by_name(self, definition: Definition) -> tuple[Calling, ...]:
        """The calls of a class or function by its name, whatever else the project does with it."""
        if definition not in self._named:
            found = (
                each
                for region, caller in self._regions(definition, "")
                for each in self._in_region(definition, region, caller)
            )
            self._named[definition] = tuple(each for each in found if each is not None)
        self._depends(definition)
        return self._named[definition]

    def applications(self, definition: Definition) -> tuple[ast.Call, ...]:
        """The calls of the ``apply`` of a class, whatever else the project does with the class."""
        if definition not in self._applied:
            self._applied[definition] = tuple(
                node
                for region, _ in self._regions(definition, ".apply")
                for statement in region.statements
                for node in ast.walk(statement)
                if isinstance(node, ast.Call) and _applies(node, definition.name)
            )
        self._depends(definition)
        return self._applied[definition]

    def _regions(
        self, definition: Definition, method: str
    ) -> Iterator[tuple[Region, Definition | None]]:
        """Where a class or function is called by its name, or a method of a class."""
        name = definition.name
        for source in self._index.speaking_of(name)[:_MOST]:
            outline = self._index.outlined(source)
            if outline is not None and self._index.binding(outline, name) is definition:
                calls = re.finditer(rf"(?<![.\w]){name}{re.escape(method)}\(", outline.text)
                lines = sorted({outline.line_at(each.start()) for each in calls})
                for region, caller in dict.fromkeys(around(outline, line) for line in lines):
                    if region is not None:
                        yield region, caller

    def _depends(self, definition: Definition) -> None:
        name, path = definition.name, definition.outline.source.path
        self._index.dependencies.note(path, CALLED, name, self.told(name))
        for source in self._index.speaking_of(name)[:_MOST]:
            self._index.dependencies.note(path, LINK, source.path)

    def told(self, name: str) -> str:
        """The files that mention a function."""
        return " ".join(source.path for source in self._index.speaking_of(name))

    def _found(self, definition: Definition) -> Iterator[Calling | None]:
        """The calls, and None for what may be another way to get there."""
        name, sources = definition.name, self._index.speaking_of(definition.name)
        word = Pattern(rf"{word_of(name)}\b")
        decorators = definition.region.statement.decorator_list
        # Each of these files mentions it: what hundreds of them do is not counted in their texts.
        many = len(sources) > _MOST
        many = many or sum(len(word.findall(source.text)) for source in sources) > _MOST
        if many or not all(_PLAIN.match(ast.unparse(each)) for each in decorators):
            yield None
            return
        for source in sources:
            outline = self._index.outlined(source)
            if outline is None or any(
                isinstance(bound, Import) and bound.attribute == name != local
                for local, bound in outline.bindings.items()
            ):
                yield None
                return
            lines = sorted({outline.line_at(each.start()) for each in word.finditer(outline.text)})
            for region, caller in dict.fromkeys(around(outline, line) for line in lines):
                if region is not None:
                    yield from self._in_region(definition, region, caller)

    def _in_region(
        self, definition: Definition, region: Region, caller: Definition | None
    ) -> Iterator[Calling | None]:
        name = definition.name
        is_ours = self._index.binding(region.outline, name) is definition
        pending: list[tuple[ast.AST, ...]] = [(node,) for node in region.statements]
        while pending:
            path = pending.pop()
            if isinstance(path[0], _METHODS) and caller is not None and caller.is_class:
                continue  # It is read by itself.
            pending.extend((child, *path) for child in children(path[0]))
            match path[0]:
                case ast.Constant(value=value) if value == name:
                    yield None
                case ast.alias(name=imported) if imported == name:
                    yield None
                case ast.Attribute(attr=attribute) if attribute == name:
                    yield _called(region, path, caller)
                case ast.Name(id=named) if named == name and is_ours:
                    yield _called(region, path, caller)
                case ast.Name(id=named) if named == name and definition.nested_in is not None:
                    if caller is definition.nested_in:
                        yield None


def around(outline: Outline, line: int) -> tuple[Region | None, Definition | None]:
    """The innermost definition that a line is in, or what else of the file that is no import."""
    for definition in reversed(outline.definitions):
        # What is defined within something comes after it.
        if definition.region.first <= line <= definition.region.last:
            return definition.region, definition
    around = (region for region in outline.statements if region.first <= line <= region.last)
    return next(around, None), None


def _applies(node: ast.Call, name: str) -> bool:
    match node.func:
        case ast.Attribute(attr="apply", value=ast.Name(id=named)) if named == name:
            return True
    return False


def _is_of_self(calling: Calling) -> bool:
    """Whether a call is one of a method of the object whose own method makes it."""
    match calling.path[0]:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"))):
            return True
    return False


def _called(region: Region, path: tuple[ast.AST, ...], caller: Definition | None) -> Calling | None:
    """The call that a name stands in as what is called; None for one that is handed on."""
    around = path[1] if len(path) > 1 else None
    is_called = isinstance(around, ast.Call) and around.func is path[0]
    return Calling(region, path[1:], caller) if is_called else None
