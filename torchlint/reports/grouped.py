"""The findings of each file under its name, a line each."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, TextIO

from torchlint.reports._words import restraints, summary
from torchlint.reports.concise import in_one_line

if TYPE_CHECKING:
    from torchlint.findings import Finding, Place, Report
    from torchlint.reports import Style


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write file after file, and how much was found."""
    for path, group in groupby(report.findings, key=lambda finding: finding.place.path):
        findings = list(group)
        width = max(len(_position(finding.place)) for finding in findings)
        out.write(f"{path}:\n")
        out.writelines(_line(finding, width) for finding in findings)
        out.write("\n")
    if not style.quiet:
        out.writelines(f"{said}\n" for said in (summary(report), restraints(report)) if said)


def _line(finding: Finding, width: int) -> str:
    return f"  {_position(finding.place):<{width}}  {in_one_line(finding)}\n"


def _position(place: Place) -> str:
    cell = f"cell {place.cell}:" if place.cell is not None else ""
    return f"{cell}{place.line}:{place.column}"
