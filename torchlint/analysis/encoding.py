"""Outcomes as JSON: what goes from one process to another, and what is kept for later runs."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from torchlint.analysis.units import Outcome, Written
from torchlint.findings import Edit, Finding, Fix, Level, Place, Safety, Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.analysis.units import Unit
    from torchlint.project.outline import Definition, Outline

Name = tuple[str, int]

UnitName = tuple[str, str, int | None, tuple[str, ...]]
"""What a unit goes by: its kind, its file, its definition's number there, and the methods."""


class Encoding:
    """How outcomes are written: a definition goes by its file, and its number there."""

    def __init__(self, outlines: Iterable[Outline]) -> None:
        self._definitions = {outline.source.path: outline.definitions for outline in outlines}
        self._names: dict[Definition, Name] = {
            definition: (path, number)
            for path, definitions in self._definitions.items()
            for number, definition in enumerate(definitions)
        }

    def unit(self, unit: Unit) -> UnitName:
        """What a unit goes by."""
        path = unit.outline.source.path
        if isinstance(unit, Written):
            return "classes", path, None, ()
        kind = "names" if unit.sought is not None else "code"
        number = None if unit.definition is None else self._names[unit.definition][1]
        return kind, path, number, unit.methods

    def encode(self, outcome: Outcome) -> bytes:
        """Bytes that ``decode`` makes the same of, where the files that it speaks of are."""
        entered = sorted(self._names[definition] for definition in outcome.entered)
        return json.dumps([list(map(write, outcome.findings)), entered]).encode()

    def decode(self, data: bytes) -> Outcome:
        """The outcome that was encoded."""
        findings, entered = json.loads(data)
        definitions = (self._definitions[path][number] for path, number in entered)
        return Outcome(tuple(map(read, findings)), tuple(definitions))


def write(finding: Finding) -> list[Any]:
    """A finding as rules make it, in lists that JSON has too."""
    fix = finding.fix
    return [
        finding.code,
        finding.name,
        finding.level,
        finding.message,
        astuple(finding.place),
        finding.scope,
        [(astuple(step.place), step.message) for step in finding.because],
        fix and [fix.title, fix.safety, [(astuple(edit.place), edit.text) for edit in fix.edits]],
        finding.about,
    ]


def read(data: list[Any]) -> Finding:
    """The finding that was written."""
    code, name, level, message, place, scope, because, fix, about = data
    return Finding(
        code=code,
        name=name,
        level=Level(level),
        message=message,
        place=Place(*place),
        scope=scope,
        because=tuple(Step(Place(*where), text) for where, text in because),
        fix=fix and _fix(*fix),
        about=tuple((name, fact) for name, fact in about),
    )


def _fix(title: str, safety: str, edits: list[Any]) -> Fix:
    return Fix(title, Safety(safety), tuple(Edit(Place(*where), text) for where, text in edits))
