"""What is said of code, said of the files that it stands in: the last step of every run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.findings import Edit, Place, Step
from torchlint.frozen import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from torchlint.findings import Finding, Fix, Report, Verdict
    from torchlint.sources.source import Source

# Of another file than the finding's, its name comes before.
_LINE = re.compile(r"(?<!\.py, )\bline (\d+)\b")


@dataclass(frozen=True, slots=True)
class Look:
    """A report whose places are those of the code, and the sources that it is on, by path."""

    report: Report
    sources: Mapping[str, Source]

    def located(self) -> Report:
        """The report as readers know the files."""
        findings = tuple(map(self.finding, self.report.findings))
        return replace(self.report, findings=findings, texts=dict(self._texts(findings)))

    def finding(self, finding: Finding) -> Finding:
        """A finding as readers know its files."""
        return replace(
            finding,
            place=self.place(finding.place),
            because=tuple(Step(self.place(step.place), step.message) for step in finding.because),
            fix=self._fix(finding.fix) if finding.fix else None,
            verdict=self._verdict(finding.verdict, finding.place.path) if finding.verdict else None,
        )

    def can_be_made(self, fix: Fix | None) -> bool:
        """Whether the edits of a fix are such as can be made in their files."""
        return all(self._edits(edit) for edit in fix.edits) if fix else True

    def place(self, place: Place) -> Place:
        """A place as readers know its file."""
        source = self.sources.get(place.path)
        return place if source is None else source.place(place)

    def _fix(self, fix: Fix) -> Fix:
        return replace(fix, edits=tuple(each for edit in fix.edits for each in self._edits(edit)))

    def _verdict(self, verdict: Verdict, path: str) -> Verdict:
        """A verdict, whose sentences speak of lines of the code."""

        def located(line: re.Match[str]) -> str:
            number = int(line[1])
            place = self.place(Place(path, number, 1, number, 1))
            return line[0] if place.cell is None else f"cell {place.cell}, line {place.line}"

        return replace(
            verdict,
            evidence=_LINE.sub(located, verdict.evidence),
            reason=_LINE.sub(located, verdict.reason),
        )

    def _edits(self, edit: Edit) -> Iterable[Edit]:
        source = self.sources.get(edit.place.path)
        return (edit,) if source is None else source.edits((edit,)) or ()

    def _texts(self, findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
        """The texts that the findings speak of."""
        for place in {place for finding in findings for place in _places(finding)}:
            source = self.sources.get(place.path)
            if source is not None and place.cell in source.texts:
                yield place.unit, source.texts[place.cell]


def _places(finding: Finding) -> Iterator[Place]:
    yield finding.place
    yield from (step.place for step in finding.because)
    if finding.fix:
        yield from (edit.place for edit in finding.fix.edits)
