"""``path:line:col: TL301 message``: one line a finding, for editors and grep."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from torchlint.reports import Style, where
from torchlint.reports._words import one_line

if TYPE_CHECKING:
    from torchlint.findings import Finding, Report


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write a line for each finding."""
    out.writelines(_line(finding) + "\n" for finding in report.findings)


def _line(finding: Finding) -> str:
    return f"{where(finding.place)}: {in_one_line(finding)}"


def in_one_line(finding: Finding) -> str:
    """Code, message and verdict."""
    verdict = f" [{finding.verdict.status}]" if finding.verdict else ""
    return f"{finding.code} {one_line(finding.message)}{verdict}"
