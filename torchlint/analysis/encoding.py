"""Outcomes as JSON, which is what goes from one process to another."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from torchlint.analysis.units import Outcome
from torchlint.findings import Edit, Finding, Fix, Level, Place, Safety, Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.project.outline import Outline


class Encoding:
    """How outcomes are written: definitions go by their number in the outlines, in their order."""

    def __init__(self, outlines: Iterable[Outline]) -> None:
        self._definitions = [item for outline in outlines for item in outline.definitions]
        self._numbers = {item: number for number, item in enumerate(self._definitions)}

    def encode(self, outcome: Outcome) -> bytes:
        """Bytes that ``decode`` makes the same of, in any process that has these outlines."""
        numbers = self._numbers
        entered = sorted(numbers[item] for item in outcome.entered if item in numbers)
        return json.dumps([[_finding(each) for each in outcome.findings], entered]).encode()

    def decode(self, data: bytes) -> Outcome:
        """The outcome that was encoded."""
        findings, entered = json.loads(data)
        return Outcome(
            tuple(map(_decoded, findings)),
            frozenset(self._definitions[number] for number in entered),
        )


def _finding(finding: Finding) -> list[Any]:
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
    ]


def _decoded(data: list[Any]) -> Finding:
    code, name, level, message, place, scope, because, fix = data
    return Finding(
        code=code,
        name=name,
        level=Level(level),
        message=message,
        place=Place(*place),
        scope=scope,
        because=tuple(Step(Place(*where), text) for where, text in because),
        fix=fix and _fix(*fix),
    )


def _fix(title: str, safety: str, edits: list[Any]) -> Fix:
    return Fix(title, Safety(safety), tuple(Edit(Place(*where), text) for where, text in edits))
