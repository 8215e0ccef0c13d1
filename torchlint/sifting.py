"""What of the findings is shown: not what comments suppress, settings turn off, or was known."""

from __future__ import annotations

import os
from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.baselines import Located
from torchlint.findings import Level
from torchlint.frozen import dataclass, replace
from torchlint.known import identity
from torchlint.selection import Standing, repair, severity, standing
from torchlint.sources.lines import split
from torchlint.suppressing import FAILURES, suppress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from torchlint.baselines import Baselines
    from torchlint.findings import Finding, Place
    from torchlint.known import Known
    from torchlint.located import Look
    from torchlint.settings import SettingsOf


@dataclass(slots=True)
class Sieve:
    """Sifts the findings of a run; ``files`` are those that were looked at, by path.

    ``hidden`` counts those that are pedantic and not asked for, ``known`` those that would be shown
    if they were new.
    """

    look: Look
    files: Mapping[str, Path]
    settings: SettingsOf
    hidden: int = 0
    known: int = 0
    _lines: dict[str, list[str]] = field(default_factory=dict)

    def sift(self, findings: list[Finding], baselines: Baselines | None) -> list[Finding]:
        """The findings that are to be shown, in order."""
        left = self._standing(findings)
        known = [False] * len(left)
        if baselines is not None:
            failed = {finding.place.path for finding in findings if finding.code in FAILURES}
            ours = [
                each
                for each in self.look.sources.values()
                if each.reported and each.path not in failed
            ]
            baselines.analysed = {os.path.abspath(source.file) for source in ours}
            known = baselines.take(self.located([finding for finding, _ in left]))
        shown = []
        for (finding, stands), is_known in zip(left, known, strict=True):
            if is_known:
                self.known += stands is Standing.SHOWN
            elif stands is Standing.SHOWN:
                shown.append(finding)
            else:
                self.hidden += finding.level is Level.PEDANTIC
        return shown

    def new(self, findings: list[Finding], known: Known) -> list[Finding]:
        """The findings that are not known."""
        lines = self.located(findings).lines
        flags = known.take([identity(finding, lines) for finding in findings])
        self.known += sum(flags)
        return [each for each, flag in zip(findings, flags, strict=True) if not flag]

    def located(self, findings: Sequence[Finding]) -> Located:
        """The findings with their files."""
        paths = {finding.place.path for finding in findings} - self._lines.keys()
        self._lines |= {
            each.path: split(each.text) for each in self.look.sources.values() if each.path in paths
        }
        return Located(findings, self.files, self._lines)

    def _standing(self, findings: list[Finding]) -> list[tuple[Finding, Standing]]:
        """What comments and settings leave: what is shown, in order, then what is hidden."""
        left = []
        for finding in suppress(findings, self.look.sources.values(), self.settings):
            settings = self.settings.of(self.files[finding.place.path])
            stands = standing(finding, settings)
            if stands is not Standing.OFF:
                fix = repair(finding, settings) if self.look.can_be_made(finding.fix) else None
                own = severity(finding, settings)
                left.append((replace(finding, set_severity=own, fix=fix), stands))
        return sorted(left, key=lambda each: (each[1] is not Standing.SHOWN, order(each[0])))


def order(finding: Finding) -> tuple[Place, str]:
    """Where a finding comes among others."""
    return finding.place, finding.code
