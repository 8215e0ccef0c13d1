"""The contract with machines: one JSON object, versioned."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from torchlint.registry import rules

if TYPE_CHECKING:
    from torchlint.findings import Edit, Finding, Fix, Place, Report, Step
    from torchlint.reports import Style

VERSION = 1


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write the object; in ASCII, so that no encoding of the output can break it."""
    json.dump(as_object(report), out, indent=2)
    out.write("\n")


def as_object(report: Report) -> dict[str, Any]:
    """The report in dicts and lists."""
    return {
        "version": VERSION,
        "findings": [finding_as_object(finding) for finding in report.findings],
        "errors": [asdict(trouble) for trouble in report.troubles],
        "summary": asdict(report.summary),
        "enforced": list(report.enforced),
    }


def finding_as_object(finding: Finding) -> dict[str, Any]:
    """A finding in dicts and lists."""
    return {
        "code": finding.code,
        "name": finding.name,
        "level": str(finding.level),
        "message": finding.message,
        **_span(finding.place),
        "scope": finding.scope,
        "because": [_step(step) for step in finding.because],
        "fix": _fix(finding.fix) if finding.fix else None,
        "fingerprint": finding.fingerprint,
        "url": rules()[finding.code].url,
        "verdict": asdict(finding.verdict) if finding.verdict else None,
    }


def _span(place: Place) -> dict[str, Any]:
    return {
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "cell": place.cell,
    }


def _step(step: Step) -> dict[str, Any]:
    return {**_span(step.place), "message": step.message}


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "title": fix.title,
        "safety": str(fix.safety),
        "edits": [_edit(edit) for edit in fix.edits],
    }


def _edit(edit: Edit) -> dict[str, Any]:
    return {**_span(edit.place), "text": edit.text}
