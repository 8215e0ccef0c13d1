"""For people: each finding with its code, and how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from torchlint.reports._words import restraints, summary

if TYPE_CHECKING:
    from torchlint.findings import Report
    from torchlint.reports import Style


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write the findings as they are drawn; where there are none, a line takes no drawing."""
    if report.findings:
        from torchlint.reports import _drawn

        _drawn.render(report, out, style)
    elif not style.quiet:
        said = summary(report)
        out.write(f"\x1b[1m{said}\x1b[0m\n" if style.color else f"{said}\n")
        if report.enforced:
            out.write(f"{restraints(report)}\n")
