"""reviewdog's diagnostics, which it posts to reviews on many hosts; columns count UTF-8 bytes."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TextIO

from torchlint.findings import Edit, Place
from torchlint.registry import rules
from torchlint.reports._words import in_file, judged, kind, message_of
from torchlint.sources.lines import between, split

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torchlint.findings import Finding, Report, Step
    from torchlint.reports import Style

    Lines = Mapping[str, Sequence[str]]

_SEVERITY = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}
_HOME = "https://github.com/torchlint/torchlint"


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write the object."""
    lines = {path: split(text) for path, text in report.texts.items()}
    diagnostics = {
        "source": {"name": "torchlint", "url": _HOME},
        "severity": "WARNING",
        "diagnostics": [_diagnostic(finding, lines) for finding in report.findings],
    }
    json.dump(diagnostics, out, indent=2)
    out.write("\n")


def _diagnostic(finding: Finding, lines: Lines) -> dict[str, Any]:
    verdict = f"\n{judged(finding.verdict)}" if finding.verdict else ""
    diagnostic: dict[str, Any] = {
        "message": message_of(finding) + verdict,
        "location": _location(finding.place, lines),
        "severity": _SEVERITY[kind(finding)],
        "code": {"value": finding.code, "url": rules()[finding.code].url},
    }
    if finding.because:
        diagnostic["related_locations"] = [_related(step, lines) for step in finding.because]
    repair = _as_one(finding, lines) if finding.fix else None
    if repair:
        diagnostic["suggestions"] = [{"range": _range(repair.place, lines), "text": repair.text}]
    return diagnostic


def _as_one(finding: Finding, lines: Lines) -> Edit | None:
    """The edits of the fix in one, since each suggestion is offered by itself.

    None where they are in another file: a suggestion names none, and is one for the finding's.
    """
    path = finding.place.path
    edits = sorted(finding.fix.edits if finding.fix else (), key=lambda edit: edit.place)
    if not edits or any((edit.place.path, edit.place.cell) != (path, None) for edit in edits):
        return None
    if len(edits) > 1 and path not in lines:
        return None
    text = edits[0].text
    for last, edit in pairwise(edits):
        gap = Place(
            path, last.place.end_line, last.place.end_column, edit.place.line, edit.place.column
        )
        text += between(lines[path], gap) + edit.text
    begin, end = edits[0].place, edits[-1].place
    return Edit(Place(path, begin.line, begin.column, end.end_line, end.end_column), text)


def _related(step: Step, lines: Lines) -> dict[str, Any]:
    return {"message": step.message, "location": _location(step.place, lines)}


def _location(place: Place, lines: Lines) -> dict[str, Any]:
    return {"path": place.path, "range": _range(place, lines)}


def _range(place: Place, lines: Lines) -> dict[str, Any]:
    own = lines.get(place.path, ()) if place.cell is None else ()
    line, column, end_line, end_column = in_file(place)
    return {
        "start": {"line": line, "column": _in_bytes(own, line, column)},
        "end": {"line": end_line, "column": _in_bytes(own, end_line, end_column)},
    }


def _in_bytes(lines: Sequence[str], line: int, column: int) -> int:
    """The column in bytes from 1; as it is where the line is not known."""
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    return column + len(before.encode("utf-8", "surrogatepass")) - len(before)
