"""Turns a finding into jobs: the flagged code under two seeds, and its repaired twin."""

from __future__ import annotations

import tokenize
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.confirm.runner.protocol import Job, Target
from torchlint.findings import Place

if TYPE_CHECKING:
    from torchlint.findings import Edit, Finding, Step

SEEDS = (0, 1)


def jobs(finding: Finding, device: str, seconds: float) -> list[Job]:
    """The flagged code, once a seed."""
    file = Path(finding.place.path).resolve()
    job = Job(
        code=finding.code,
        target=_target(finding.place, finding.message),
        scope=finding.scope,
        root=str(import_root(file)),
        because=tuple(_because(step) for step in finding.because),
        device=device,
        # The process is stopped at the limit; the experiment is to end by itself before.
        seconds=0.8 * seconds,
    )
    return [replace(job, seed=seed) for seed in SEEDS]


def twin(finding: Finding, job: Job) -> Job | None:
    """The job on the code with the finding's fix applied, None where there is no fix."""
    if finding.fix is None:
        return None
    edits: dict[str, list[Edit]] = {}
    for edit in finding.fix.edits:
        edits.setdefault(edit.place.path, []).append(edit)
    texts = {}
    for path, changes in edits.items():
        texts[str(Path(path).resolve())] = apply(_read(path), changes)
    here = edits.get(finding.place.path, [])
    place = moved(finding.place, _read(finding.place.path), here)
    return replace(job, texts=texts, target=_target(place, finding.message))


def import_root(file: Path) -> Path:
    """The folder from which absolute imports resolve: the first above without ``__init__.py``."""
    folder = file.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def apply(text: str, edits: list[Edit]) -> str:
    """The text with the edits made; they do not overlap."""
    lines = _line_starts(text)
    for edit in sorted(edits, key=lambda edit: edit.place, reverse=True):
        start, end = _span(lines, edit.place)
        text = text[:start] + edit.text + text[end:]
    return text


def moved(place: Place, text: str, edits: list[Edit]) -> Place:
    """Where the place has got to by the edits; one that an edit replaced becomes its text."""
    lines = _line_starts(text)
    start, end = _span(lines, place)
    first, last = start, end
    for edit in edits:
        begin, stop = _span(lines, edit.place)
        growth = len(edit.text) - (stop - begin)
        if stop <= start and begin < end:
            first, last = first + growth, last + growth
        elif begin < end:
            last += growth
    edited = _line_starts(apply(text, edits))
    line, column = _position(edited, first)
    end_line, end_column = _position(edited, max(first, last))
    return Place(place.path, line, column, end_line, end_column, place.cell)


def _target(place: Place, message: str) -> Target:
    return Target(
        file=str(Path(place.path).resolve()),
        line=place.line,
        column=place.column,
        end_line=place.end_line,
        end_column=place.end_column,
        message=message,
    )


def _because(step: Step) -> Target:
    return _target(step.place, step.message)


def _read(path: str) -> str:
    with tokenize.open(path) as stream:
        return stream.read()


def _line_starts(text: str) -> list[int]:
    return [0, *(index + 1 for index, character in enumerate(text) if character == "\n")]


def _span(lines: list[int], place: Place) -> tuple[int, int]:
    start = lines[place.line - 1] + place.column - 1
    return start, lines[place.end_line - 1] + place.end_column - 1


def _position(lines: list[int], offset: int) -> tuple[int, int]:
    line = max(index for index, start in enumerate(lines) if start <= offset)
    return line + 1, offset - lines[line] + 1
