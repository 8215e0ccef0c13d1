"""``path:line:col: TL301 message``: one line a finding, for editors and grep."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from torchlint.reports import Style, where

if TYPE_CHECKING:
    from torchlint.findings import Finding, Report


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write a line for each finding."""
    out.writelines(_line(finding) + "\n" for finding in report.findings)


def _line(finding: Finding) -> str:
    verdict = f" [{finding.verdict.status}]" if finding.verdict else ""
    message = " ".join(finding.message.split())
    return f"{where(finding.place)}: {finding.code} {message}{verdict}"
