"""Findings as an editor shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import (
    CodeDescription,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
)

from torchlint.findings import Severity
from torchlint.frozen import dataclass
from torchlint.registry import rules
from torchlint.sources.lines import split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lsprotocol.types import Range

    from torchlint.findings import Finding, Place, Step
    from torchlint.server.analysis import Analysis
    from torchlint.server.positions import Ruler

SOURCE = "torchlint"

_SEVERITIES = {
    Severity.ERROR: DiagnosticSeverity.Error,
    Severity.WARNING: DiagnosticSeverity.Warning,
    Severity.NOTE: DiagnosticSeverity.Information,
}

# Editors strike out what is deprecated, and grey out what could as well not be there.
_TAGS = {
    "deprecated-api": [DiagnosticTag.Deprecated],
    "legacy-tensor-type": [DiagnosticTag.Deprecated],
    "torchvision-legacy": [DiagnosticTag.Deprecated],
    "unused-suppression": [DiagnosticTag.Unnecessary],
}


@dataclass(frozen=True, slots=True)
class View:
    """An analysis as this editor sees it: its units, and its names for files.

    ``relates`` says whether it shows other places beside the one that is flagged.
    """

    analysis: Analysis
    ruler: Ruler
    uri_of: Callable[[str, int | None], str]
    relates: bool = True

    def location(self, place: Place) -> Location:
        """Where a place is."""
        lines = split(self.analysis.texts.get(self.analysis.file(place.unit), ""))
        uri = self.uri_of(self.analysis.file(place.path), place.cell)
        return Location(uri, self.ruler.range(place, lines))

    def range(self, place: Place) -> Range:
        """The range of a place within its file."""
        return self.location(place).range

    def diagnostics(self, cell: int | None) -> list[Diagnostic]:
        """The findings in a cell, or in what has none."""
        own = (each for each in self.analysis.findings if each.place.cell == cell)
        return [self.diagnostic(finding) for finding in own]

    def diagnostic(self, finding: Finding) -> Diagnostic:
        """A finding, with the places that make it true, and the address of its rule's page."""
        related = [self._related(step) for step in finding.because]
        return Diagnostic(
            range=self.range(finding.place),
            message="\n".join(self._said(finding)),
            severity=_SEVERITIES[finding.severity],
            code=finding.code,
            code_description=CodeDescription(rules()[finding.code].url),
            source=SOURCE,
            tags=_TAGS.get(finding.name),
            related_information=related if related and self.relates else None,
        )

    def _related(self, step: Step) -> DiagnosticRelatedInformation:
        return DiagnosticRelatedInformation(self.location(step.place), step.message)

    def _said(self, finding: Finding) -> Iterator[str]:
        yield f"{finding.message} ({finding.name})"
        if not self.relates:
            for step in finding.because:
                yield f"{step.place.unit}:{step.place.line}: {step.message}"
