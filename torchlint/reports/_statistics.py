"""How often each rule speaks, in place of what it says."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, TextIO

from torchlint.findings import Status
from torchlint.frozen import dataclass
from torchlint.reports._words import summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchlint.findings import Finding, Report
    from torchlint.reports import Style


@dataclass(frozen=True, slots=True)
class _Tally:
    """A rule, how many findings it has, and how many of them have a fix or were confirmed."""

    code: str
    name: str
    count: int
    fixable: int
    confirmed: int

    @property
    def mark(self) -> str:
        """Whether all of them, some or none have a fix."""
        return "[*]" if self.fixable == self.count else "[-]" if self.fixable else "[ ]"


def render(report: Report, format_name: str, out: TextIO, style: Style) -> None:
    """Write the rules with most findings first: a list of objects in json, lines elsewhere."""
    tallies = _tallies(report)
    if format_name == "json":
        json.dump([asdict(tally) for tally in tallies], out, indent=2)
        out.write("\n")
        return
    width = max((len(str(tally.count)) for tally in tallies), default=0)
    out.writelines(
        f"{each.count:>{width}}  {each.code} {each.mark} {each.name}\n" for each in tallies
    )
    if any(tally.fixable for tally in tallies):
        out.write("[*] all have a fix, [-] some do\n")
    if not style.quiet:
        out.write(f"{summary(report)}\n")


def _tallies(report: Report) -> list[_Tally]:
    by_code = sorted(report.findings, key=lambda finding: finding.code)
    groups = (list(group) for _, group in groupby(by_code, key=lambda finding: finding.code))
    return sorted(map(_tally, groups), key=lambda tally: (-tally.count, tally.code))


def _tally(findings: Sequence[Finding]) -> _Tally:
    verdicts = [finding.verdict.status for finding in findings if finding.verdict]
    return _Tally(
        findings[0].code,
        findings[0].name,
        count=len(findings),
        fixable=sum(finding.fix is not None for finding in findings),
        confirmed=verdicts.count(Status.CONFIRMED),
    )
