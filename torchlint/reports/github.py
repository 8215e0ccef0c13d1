"""Workflow commands: GitHub shows them at the lines of a pull request.

It shows ten of a kind and drops the rest without a word, so the gravest come first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from torchlint.findings import Status
from torchlint.registry import rules
from torchlint.reports import where

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.findings import Finding, Report, Trouble
    from torchlint.reports import Style

_KINDS = ("error", "warning", "notice")


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write what could not be done, then the findings by severity."""
    out.writelines(f"{_of_trouble(trouble)}\n" for trouble in report.troubles)
    ordered = sorted(report.findings, key=lambda finding: _KINDS.index(_kind(finding)))
    out.writelines(f"{_of_finding(finding)}\n" for finding in ordered)


def _kind(finding: Finding) -> str:
    if finding.verdict and finding.verdict.status is Status.REFUTED:
        return "notice"
    return finding.level.severity


def _of_finding(finding: Finding) -> str:
    place = finding.place
    properties = {
        "title": f"{finding.code} {finding.name}",
        "file": place.path,
        "line": str(place.line),
        "endLine": str(place.end_line),
    }
    if place.line == place.end_line:  # GitHub rejects columns of an annotation over lines
        properties |= {"col": str(place.column), "endColumn": str(place.end_column)}
    return _command(_kind(finding), properties, "\n".join(_message(finding)))


def _message(finding: Finding) -> Iterator[str]:
    yield finding.message
    for step in finding.because:
        yield f"{where(step.place)}: {step.message}"
    if finding.fix:
        yield f"help: {finding.fix.title}"
    if finding.verdict:
        yield f"{finding.verdict.status}: {finding.verdict.evidence or finding.verdict.reason}"
    yield rules()[finding.code].url


def _of_trouble(trouble: Trouble) -> str:
    properties = {"title": "torchlint"}
    if trouble.path:
        properties["file"] = trouble.path
    return _command("error", properties, trouble.message)


def _command(kind: str, properties: dict[str, str], message: str) -> str:
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
