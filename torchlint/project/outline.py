"""The outline of a file: what it imports and defines, and which words each part uses.

One pass of the standard parser over the top level and the class bodies; function bodies are only
searched for words, which the text itself tells fastest.
"""

from __future__ import annotations

import ast
import re
from array import array
from bisect import bisect_right
from dataclasses import field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from torchlint.frozen import dataclass
from torchlint.project import bodies, flow, usual, words
from torchlint.project.annotations import assigning
from torchlint.project.regions import Region, Trees
from torchlint.project.spelling import usual_spelling
from torchlint.sources.packing import packed, unpacked
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from torchlint.sources.source import Source

    Words = Callable[[], Iterable[tuple["Region", Iterable[str]]]]

_NEWLINE = Pattern(r"\r\n?|\n")
_VARIANT = Pattern(r"[ \t]*@.*\b(?:overload|register)\b")
_DEVICES = Pattern(r"^[^#\n]*\b(?:device|cuda|mps|accelerator)\b", re.MULTILINE)
_BORDER = Pattern(r"^# ?(?:%%|In ?\[)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Import:
    """A name bound by an import: an attribute of a module, or a module (``attribute`` empty)."""

    module: str
    level: int
    attribute: str


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that one assignment makes another name for something, such as ``nn = torch.nn``."""

    dotted: str
    region: Region


_NOTHING: Mapping[str, Any] = MappingProxyType({})
"""What has been found in each function."""


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """A function or class of the top level or of a class body."""

    name: str
    qualname: str
    region: Region
    is_class: bool
    bases: tuple[str, ...] = ()
    members: Mapping[str, Definition] = field(default_factory=lambda: _NOTHING)
    assignments: Mapping[str, Region] = field(default_factory=lambda: _NOTHING)
    nested_in: Definition | None = None

    @property
    def outline(self) -> Outline:
        """The outline of the file that holds it."""
        return self.region.outline


class Outline:
    """Names, definitions and statements of one file.

    ``bindings`` are the names bound at the top level: an :class:`Import`, a :class:`Definition`, an
    :class:`Alias`, or the regions of the statements that assign the name; ``redefined`` are all
    definitions of a name that has several. What stands behind the ``last`` line never runs, as the
    program ends there. Raises SyntaxError for a file that Python cannot parse.
    """

    def __init__(self, source: Source) -> None:
        self._begin(source)
        for statement in ast.parse(self.text).body:
            self._visit(assigning(statement), top=True)
            if self._never_passes(statement):
                self.last = self._end(statement)
                break

    @classmethod
    def blank(cls, source: Source) -> Outline:
        """An outline without anything in it, for those who know what is."""
        outline = cls.__new__(cls)
        outline._begin(source)
        return outline

    def _begin(self, source: Source) -> None:
        self.source = source
        text = _NEWLINE.sub("\n", source.text) if "\r" in source.text else source.text
        if not text.endswith("\n"):
            text += "\n"
        self._packed = source.packed if text == source.text else packed(text)
        self._ends = array("I", (match.end() for match in re.finditer("\n", text)))
        self.bindings: dict[str, Import | Definition | Alias | list[Region]] = {}
        self.stars: list[Import] = []
        self._vocabulary: frozenset[str] | None = None
        self._tell_words: Words | None = None
        self._words_of: dict[Region, frozenset[str]] = {}
        self._own_names_of: dict[Region, frozenset[str]] = {}
        self.trees = Trees()
        self.definitions: list[Definition] = []
        self.redefined: dict[str, list[Definition]] = {}
        self.statements: list[Region] = []
        self.last = len(self._ends)

    @property
    def text(self) -> str:
        """The file's code, with newlines as Python has them, and one at its end."""
        return unpacked(self._packed)

    @cached_property
    def _renaming(self) -> usual.Renaming | None:
        return usual.renaming(self.text)

    def in_usual_form(self, text: str) -> str:
        """A part of the file's code with torch and its modules under the names that most files use,
        in the usual spelling.
        """
        return usual_spelling(text if self._renaming is None else self._renaming(text))

    @property
    def said(self) -> str:
        """The file's code in its usual form."""
        return self.in_usual_form(self.text)

    def parts(self) -> Iterator[Region]:
        """All that runs, stretch by stretch: the statements, what is defined, and imports."""
        outermost = (each.region for each in self.definitions if each.nested_in is None)
        known = [*self.statements, *(region for region in outermost if not region.indent)]
        after = 1
        for region in sorted(known, key=lambda region: region.first):
            if after < region.first:
                yield Region(self, after, region.first - 1, 0, "")
            yield region
            after = region.last + 1
        if after <= self.last:
            yield Region(self, after, self.last, 0, "")

    @cached_property
    def moves(self) -> bool:
        """Whether the file ever speaks of devices, and not in comments only."""
        return _DEVICES.search(self.text) is not None

    @cached_property
    def ends_of_cells(self) -> frozenset[int]:
        """The last line of code in each cell; none where the file has no cells."""
        if _BORDER.search(self.text) is None:
            return frozenset()
        ends, last = set(), 0
        for number, line in enumerate(self.text.split("\n"), start=1):
            if _BORDER.match(line):
                ends.add(last)
            elif line.strip() and line.lstrip()[0] != "#":
                last = number
        return frozenset({*ends, last})

    def words_of(self, region: Region) -> frozenset[str]:
        """Every identifier in a region, and pseudo-words: ``name()`` for a function or method
        that it calls, and those of what it writes into.
        """
        if self._tell_words is not None:
            self._hear_words()
        known = self._words_of.get(region)
        if known is None:
            known = words.words(region.code)
            if self._vocabulary is not None:
                known &= self._vocabulary
            self._words_of[region] = known
        return known

    def hear_words_of_all(self, tell: Words) -> None:
        """Be told the words of regions, when they are first asked for."""
        self._tell_words = tell

    def expect(self, vocabulary: frozenset[str]) -> None:
        """From now on only these words will be looked for."""
        self._vocabulary = vocabulary
        self._words_of = {region: found & vocabulary for region, found in self._words_of.items()}

    def _hear_words(self) -> None:
        tell, self._tell_words = self._tell_words, None
        for region, found in tell() if tell is not None else ():
            if self._vocabulary is None:
                self._words_of[region] = frozenset(found)
            else:
                self._words_of[region] = self._vocabulary.intersection(found)

    def own_names_of(self, region: Region) -> frozenset[str]:
        """The names of what a method uses of its own object or class."""
        known = self._own_names_of.get(region)
        if known is None:
            known = self._own_names_of[region] = words.own(region.code)
        return known

    def lines(self, first: int, last: int) -> str:
        """The lines from one to another, both included, counted from 1."""
        start = self._ends[first - 2] if first > 1 else 0
        return self.text[start : self._ends[last - 1]]

    def line_at(self, offset: int) -> int:
        """The line that a character of the text stands in."""
        return bisect_right(self._ends, offset) + 1

    def forget_words(self) -> None:
        """Let go of the words of all regions, which are looked for again when asked for again."""
        self._words_of.clear()
        self._own_names_of.clear()

    def _region(self, node: ast.stmt, scope: str) -> Region:
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        line = self.lines(first, first).lstrip("\f")
        indent = len(line) - len(line.lstrip())
        region = Region(self, first, self._end(node), indent, scope)
        docstring = _docstring(node)
        if docstring is not None and self.lines(docstring[0], docstring[0]).lstrip()[0] in "\"'rR":
            region.docstring = docstring
        return region

    def _end(self, node: ast.stmt) -> int:
        """The last line of a statement, and the blank ones that a backslash makes part of it."""
        last = node.end_lineno or node.lineno
        while last < len(self._ends) and self.lines(last, last).rstrip("\r\n").endswith("\\"):
            if self.lines(last + 1, last + 1).strip(" \t\f\r\n\\"):
                break  # The backslash ends a comment.
            last += 1
        return last

    def _never_passes(self, statement: ast.stmt) -> bool:
        """Whether the program ends with a statement of the top level; cells run one by one."""
        if not self.source.is_module or flow.completes([statement]) or self.ends_of_cells:
            return False
        return not isinstance(self.bindings.get("exit") or self.bindings.get("quit"), Definition)

    def _visit(self, node: ast.stmt, *, top: bool) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                definition = self._define(node, None)
                known = self.bindings.get(node.name)
                if top and isinstance(known, Definition) and not self._is_variant(known):
                    self.redefined.setdefault(node.name, [known]).append(definition)
                is_value = not isinstance(known, Definition) and self._is_beside(known)
                if top or definition.is_class or not is_value:
                    self.bindings[node.name] = definition
                return
            case ast.Import() | ast.ImportFrom():
                self._import(node)
                return
        if top and self.statements and self.statements[-1].last >= node.lineno:
            # Several statements on a line are one region, as regions are whole lines.
            self.statements[-1].last = max(self.statements[-1].last, self._end(node))
        elif top:
            self.statements.append(self._region(node, ""))
        region = self.statements[-1]
        for name in bodies.assigned(node):
            known = self.bindings.get(name)
            if known is None and isinstance(node, ast.Assign | ast.AnnAssign):
                dotted = bodies.dotted(node.value)
                if dotted:
                    self.bindings[name] = Alias(dotted, region)
                    continue
            if isinstance(known, Alias):
                known = self.bindings[name] = [known.region]
            if isinstance(known, list):
                known.append(region)
            elif known is None or self._is_beside(known):
                self.bindings[name] = [region]
        for child in bodies.blocks(node):
            self._visit(assigning(child), top=False)

    def _is_beside(self, bound: Import | Definition | Alias | list[Region] | None) -> bool:
        """Whether the statement that is read has bound a name on another way, to no class."""
        match bound:
            case Definition(is_class=False, region=region):
                return bool(self.statements) and self.statements[-1].first <= region.first
            case Alias(region=region) | [region]:
                return region is self.statements[-1]
        return False

    def _is_variant(self, definition: Definition) -> bool:
        """Whether what is defined again is there only for its type, or beside the other."""
        first = definition.region.first
        return _VARIANT.match(self.lines(first, first)) is not None

    def _define(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, outer: Definition | None
    ) -> Definition:
        qualname = f"{outer.qualname}.{node.name}" if outer else node.name
        region = self._region(node, qualname)
        if not isinstance(node, ast.ClassDef):
            definition = Definition(node.name, qualname, region, is_class=False, nested_in=outer)
            self.definitions.append(definition)
            return definition
        bases = tuple(text for base in node.bases if (text := bodies.dotted(base)))
        members: dict[str, Definition] = {}
        assignments: dict[str, Region] = {}
        definition = Definition(
            node.name,
            qualname,
            region,
            is_class=True,
            bases=bases,
            members=members,
            assignments=assignments,
            nested_in=outer,
        )
        self.definitions.append(definition)
        self._fill(node.body, definition, members, assignments)
        return definition

    def _fill(
        self,
        body: Iterable[ast.stmt],
        owner: Definition,
        members: dict[str, Definition],
        assignments: dict[str, Region],
    ) -> None:
        """Find what a class has in its body."""
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    known = members.get(node.name)
                    if known is None or not _is_accessor(node):
                        members[node.name] = self._define(node, owner)
                case ast.If() | ast.Try():
                    self._fill(bodies.blocks(node), owner, members, assignments)
                case _:
                    region = self._region(node, owner.qualname)
                    assignments.update((name, region) for name in bodies.assigned(node))
                    # Its value is not that of an assignment any more.
                    changed = assignments.keys() & set(bodies.changed(node))
                    assignments.update((name, region) for name in changed)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                module = alias.name if alias.asname else bound
                self.bindings[bound] = Import(module, 0, "")
            return
        for alias in node.names:
            imported = Import(node.module or "", node.level, alias.name)
            if alias.name == "*":
                self.stars.append(imported)
            elif not isinstance(self.bindings.get(alias.asname or alias.name), Definition):
                self.bindings[alias.asname or alias.name] = imported


def _docstring(node: ast.stmt) -> tuple[int, int] | None:
    """The first and last line of a function's docstring, where no other statement is on these."""
    match node:
        case (
            ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str())) as text, following, *_])
            | ast.AsyncFunctionDef(
                body=[ast.Expr(value=ast.Constant(value=str())) as text, following, *_]
            )
        ):
            last = text.end_lineno or text.lineno
            if node.lineno < text.lineno and last < following.lineno:
                return text.lineno, last
    return None


def _is_accessor(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Whether this is the setter or deleter of a property, or an overload."""
    return any(
        isinstance(decorator, ast.Attribute) and decorator.attr in {"setter", "deleter"}
        for decorator in node.decorator_list
    )
