"""What several formats say in the same words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from torchlint.findings import Safety, Status
from torchlint.reports import count, where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.findings import Finding, Place, Report, Verdict

KINDS = ("error", "warning", "note")
"""How grave a finding is for those who look at a run, the gravest first."""


def kind(finding: Finding) -> str:
    """One of ``KINDS``: what an execution has refuted is a note."""
    if finding.verdict and finding.verdict.status is Status.REFUTED:
        return "note"
    return finding.severity


def gravest_first(findings: Iterable[Finding]) -> list[Finding]:
    """The findings by kind, for readers that are shown the first ones only."""
    return sorted(findings, key=lambda finding: KINDS.index(kind(finding)))


def one_line(text: str) -> str:
    """The text without line ends and runs of blanks."""
    return " ".join(text.split())


def judged(verdict: Verdict) -> str:
    """``confirmed: what was observed``, or why nothing was."""
    return f"{verdict.status}: {verdict.evidence or verdict.reason}"


def explained(finding: Finding) -> Iterator[str]:
    """The message, the places that make it true, the repair and the verdict, a line each."""
    yield message_of(finding)
    for step in finding.because:
        yield f"{where(step.place)}: {step.message}"
    if finding.fix:
        yield f"help: {finding.fix.title}"
    if finding.verdict:
        yield judged(finding.verdict)


def message_of(finding: Finding) -> str:
    """The message; with the place in a notebook, whose readers do not see the lines of the file."""
    place = finding.place
    if place.cell is None:
        return finding.message
    return f"cell {place.cell}, line {place.line}: {finding.message}"


def in_file(place: Place) -> tuple[int, int, int, int]:
    """Line, column, last line and end column in the file; of a notebook, where the line begins."""
    if place.cell is not None:
        row = place.row or 1
        return row, 1, row, 1
    return place.line, place.column, place.end_line, place.end_column


def summary(report: Report) -> str:
    """How much was found, in a sentence."""
    counts = report.summary
    if not report.findings:
        said = f"Found nothing in {count(counts.files, 'file')}"
        said += f" ({counts.checked} with torch)" if counts.files else ""
    else:
        files = len({finding.place.path for finding in report.findings})
        said = f"Found {count(len(report.findings), 'problem')} in {count(files, 'file')}"
    verdicts = Counter(finding.verdict.status for finding in report.findings if finding.verdict)
    if verdicts:
        parts = (f"{verdicts[status]} {status}" for status in Status if verdicts[status])
        said += f": {', '.join(parts)}"
    said += _fixable(report.findings)
    if counts.known:
        said += f"; {counts.known} known from before left out"
    if counts.hidden_pedantic:
        said += f"; {counts.hidden_pedantic} pedantic hidden, --pedantic shows them"
    return said + "."


def restraints(report: Report) -> str:
    """What restrained the code that was run, in a sentence; empty where none was."""
    if not report.enforced:
        return ""
    return f"While the code ran, this was enforced: {', '.join(report.enforced)}."


def _fixable(findings: Iterable[Finding]) -> str:
    """How many findings a run with one option or the other would fix."""
    fixes = Counter(finding.fix.safety for finding in findings if finding.fix)
    safe, unsafe = fixes[Safety.SAFE], fixes[Safety.UNSAFE]
    if not safe:
        return f"; {unsafe} fixable with --fix --unsafe-fixes" if unsafe else ""
    more = f", {unsafe} more with --unsafe-fixes" if unsafe else ""
    return f"; {safe} fixable with --fix{more}"
