"""Sketches: what an outline holds as plain data, with the words of its regions.

They go from one process to another, and are kept for later runs: to outline a file takes several
times as long as to read its sketch.
"""

from __future__ import annotations

import json
import sys
from dataclasses import astuple
from functools import partial
from typing import TYPE_CHECKING, Any

from torchlint.project.outline import Alias, Definition, Import, Outline
from torchlint.project.regions import Region

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.sources.source import Source

_ALIAS, _DEFINITION, _IMPORT, _STATEMENTS = "alias", "definition", "import", "statements"


def sketch(outline: Outline) -> bytes:
    """All of an outline but its text."""
    return _Sketch(outline).data()


class _Sketch:
    """Regions, definitions and words go by their number."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._regions: dict[Region, int] = {}
        self._words: dict[str, int] = {}
        definitions = outline.definitions
        self._definitions = {each: number for number, each in enumerate(definitions)}

    def data(self) -> bytes:
        definitions = [self._definition(each) for each in self._outline.definitions]
        bindings = [(name, *self._bound(each)) for name, each in self._outline.bindings.items()]
        statements = list(map(self._region, self._outline.statements))
        regions = list(self._regions)
        stars = [astuple(star) for star in self._outline.stars]
        redefined = {
            name: [self._definitions[each] for each in several]
            for name, several in self._outline.redefined.items()
        }
        places = [self._place(region) for region in regions]
        classes = {each.region for each in self._outline.definitions if each.is_class}
        said = [
            (region, tuple(sorted(self._outline.words_of(region))))
            for region in regions
            if region not in classes
        ]
        used = [(self._regions[region], self._numbers(words)) for region, words in said]
        # Until it is known which of them matter, there are too many for sets.
        self._outline.forget_words()
        self._outline.hear_words_of_all(lambda: said)
        parts = (
            [places, definitions, bindings, redefined, stars, statements, self._outline.last],
            [list(self._words), used],
        )
        return b"\n".join(json.dumps(part, separators=(",", ":")).encode() for part in parts)

    def _definition(self, each: Definition) -> tuple[Any, ...]:
        return (
            each.name,
            each.qualname,
            self._region(each.region),
            each.is_class,
            each.bases,
            None if each.nested_in is None else self._definitions[each.nested_in],
            {name: self._definitions[member] for name, member in each.members.items()},
            {name: self._region(region) for name, region in each.assignments.items()},
        )

    def _bound(self, bound: Import | Definition | Alias | list[Region]) -> tuple[Any, ...]:
        match bound:
            case Import():
                return _IMPORT, astuple(bound)
            case Definition():
                return _DEFINITION, self._definitions[bound]
            case Alias(dotted=dotted, region=region):
                return _ALIAS, (dotted, self._region(region))
        return _STATEMENTS, list(map(self._region, bound))

    def _region(self, region: Region) -> int:
        return self._regions.setdefault(region, len(self._regions))

    def _place(self, region: Region) -> tuple[Any, ...]:
        return region.first, region.last, region.indent, region.scope, region.docstring

    def _numbers(self, words: Iterable[str]) -> list[int]:
        return [self._words.setdefault(word, len(self._words)) for word in words]


def outlined(source: Source, data: bytes) -> Outline:
    """The outline of a source of whose text this is the sketch."""
    shape, used = data.split(b"\n")
    places, definitions, bindings, redefined, stars, statements, last = json.loads(shape)
    outline = Outline.blank(source)
    outline.last = last
    regions = [_region(outline, *place) for place in places]
    outline.definitions += _definitions(definitions, regions)
    outline.redefined |= {
        name: [outline.definitions[number] for number in several]
        for name, several in redefined.items()
    }
    outline.stars += (Import(*star) for star in stars)
    outline.statements += (regions[number] for number in statements)
    for name, kind, what in bindings:
        outline.bindings[name] = _bound(kind, what, outline.definitions, regions)
    outline.hear_words_of_all(partial(_words, regions, used))
    return outline


def _region(
    outline: Outline, first: int, last: int, indent: int, scope: str, docstring: list[int] | None
) -> Region:
    region = Region(outline, first, last, indent, scope)
    if docstring is not None:
        region.docstring = docstring[0], docstring[1]
    return region


def _definitions(data: list[Any], regions: list[Region]) -> list[Definition]:
    made: list[Definition] = []
    filled: list[tuple[dict[str, Definition], dict[str, int]]] = []
    for name, qualname, number, is_class, bases, outer, members, assignments in data:
        held: dict[str, Any] = {}
        if is_class:
            within: dict[str, Definition] = {}
            assigned = {name: regions[each] for name, each in assignments.items()}
            held = {"bases": tuple(bases), "members": within, "assignments": assigned}
            filled.append((within, members))
        owner = made[outer] if outer is not None else None
        region = regions[number]
        made.append(Definition(name, qualname, region, is_class, nested_in=owner, **held))
    for within, members in filled:
        within.update((name, made[number]) for name, number in members.items())
    return made


def _bound(
    kind: str, what: Any, definitions: list[Definition], regions: list[Region]
) -> Import | Definition | Alias | list[Region]:
    if kind == _IMPORT:
        return Import(*what)
    if kind == _ALIAS:
        return Alias(what[0], regions[what[1]])
    return definitions[what] if kind == _DEFINITION else [regions[number] for number in what]


def _words(regions: list[Region], data: bytes) -> Iterator[tuple[Region, Iterator[str]]]:
    words, used = json.loads(data)
    words = list(map(sys.intern, words))
    for number, numbers in used:
        yield regions[number], (words[each] for each in numbers)
