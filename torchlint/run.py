"""A run: paths to files, files to findings, and of these the ones that are to be shown."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint import failures, profiling
from torchlint.findings import Finding, Report, Summary, Trouble
from torchlint.frozen import dataclass, replace
from torchlint.located import Look
from torchlint.settings import Settings, SettingsError
from torchlint.sources.discovery import STDIN, Discovered, discover, shown
from torchlint.sources.lines import split
from torchlint.sources.reading import Found, concerns_torch, decode, given, read
from torchlint.sources.source import Source
from torchlint.sources.syntax import refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from torchlint.analysis.shipping import Elsewhere
    from torchlint.baselines import Baselines
    from torchlint.comparing import Base
    from torchlint.engine import Resources
    from torchlint.releases import Releases
    from torchlint.settings import ConfirmSettings, SettingsOf
    from torchlint.sifting import Sieve

Progress = Callable[[str, int, int], None]
"""Hears what is being done, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class Stdin:
    """Code that lies in no file, and the name under which it is reported and finds its project."""

    data: bytes
    filename: str = "stdin.py"


def nobody(stage: str, done: int, total: int) -> None:
    """Hears, and says nothing."""


def may_suppress(source: Source) -> bool:
    """Whether there may be a comment in it that suppresses something, or is to."""
    return "torchlint:" in source.text or "noqa" in source.text.lower()


@dataclass(slots=True)
class Run:
    """A run under way: what it has read and found so far."""

    settings: SettingsOf
    progress: Progress
    texts: Mapping[str, str]
    base: Base | None = None
    resources: Resources | None = None
    elsewhere: Elsewhere | None = None
    started: float = field(default_factory=time.perf_counter)
    discovered: Discovered = field(default_factory=Discovered)
    sources: list[Source] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    files_of: dict[str, Path] = field(default_factory=dict)
    stdin: str | None = None
    files: int = 0
    sieve: Sieve | None = None
    enforced: tuple[str, ...] = ()
    baselines: Baselines | None = None

    def go(self, paths: Sequence[str], stdin: Stdin | None) -> None:
        """Find what there is to show; SettingsError where that cannot be known."""
        if isinstance(self.settings, Settings):
            self._hold(self.settings)
        if self.base is not None:
            self.base.resolve()
        with profiling.phase("reading"):
            self.read(paths, stdin)
        self.analyse()
        if self.findings or self.baselines is not None or any(map(may_suppress, self.sources)):
            self.select(paths)

    def _hold(self, settings: Settings) -> None:
        from torchlint.selection import complaints

        wrong = complaints(settings)
        if wrong:
            raise SettingsError(*wrong)

    def read(self, paths: Sequence[str], stdin: Stdin | None) -> None:
        """Find and decode the files, and those of the same project that they import."""
        named = [path for path in paths if path != STDIN]
        self.discovered = discover(
            named, lambda folder: self.settings.of_folder(folder).filter, self.texts.keys()
        )
        self.files_of = {found.path: found.file for found in self.discovered.files}
        self.files = len(self.discovered.files) + (stdin is not None)
        if stdin is not None:
            self.stdin = shown(Path(stdin.filename))
            self.files_of[self.stdin] = Path(stdin.filename)
            self._keep(self._read(Found(self.stdin, Path(stdin.filename)), stdin.data))
        for done, found in enumerate(self.discovered.files):
            self.progress("Reading", done, len(self.discovered.files))
            self._keep(self._read(found))
        if any(map(concerns_torch, self.sources)):
            from torchlint.sources.context import context

            self.sources.extend(context(self.sources, self._roots, self._read))
        # Whatever is wrong with a configuration is said before the work of a run is done.
        for file in self.files_of.values():
            if self.settings.of(file).baseline and self.baselines is None:
                from torchlint.baselines import Baselines

                self.baselines = Baselines(self.settings)
        if self.baselines is not None:
            for file in self.files_of.values():
                self.baselines.of(file)

    def _read(self, found: Found, data: bytes | None = None) -> Source | Finding | Trouble:
        text = self.texts.get(found.path)
        if text is not None:
            return given(found, text)
        return read(found) if data is None else decode(found, data)

    def _keep(self, outcome: Source | Finding | Trouble) -> None:
        if isinstance(outcome, Source):
            self.sources.append(outcome)
            self.findings.extend(outcome.broken)
        elif isinstance(outcome, Finding):
            self.findings.append(outcome)
        else:
            self.discovered.troubles.append(outcome)

    def analyse(self) -> None:
        """Ask the rules; a failure of the whole engine leaves what was found until then."""
        if not any(map(concerns_torch, self.sources)):
            # The interpreter takes longer to load than most such runs take in all.
            self.findings += filter(None, map(refusal, self.sources))
            return
        from torchlint import releases
        from torchlint.engine import analyse
        from torchlint.selection import enabled_rules

        releases.forget()
        resources = self.resources or self._usual_resources()
        reported = {source.path for source in self.sources if source.reported}
        enabled = enabled_rules(map(self.settings.of, self.files_of.values()))
        try:
            heard = partial(self.progress, "Analysing")
            for finding in analyse(
                self.sources, enabled, heard, self._torch, self._roots, resources
            ):
                if finding.place.path in reported:
                    self.findings.append(finding)
        except Exception as error:
            message = failures.sentence(error)
            self.discovered.troubles.append(Trouble("", message, fatal=True))

    def _usual_resources(self) -> Resources:
        from torchlint.cache.store import Store
        from torchlint.engine import Resources

        cache = self._here.cache_dir
        store = Store(Path(cache)) if cache else None
        return Resources(self._here.jobs, store, self.elsewhere)

    @property
    def _here(self) -> Settings:
        """What holds in the working directory, and with it for the run as a whole."""
        return self.settings.of_folder(os.getcwd())

    def _torch(self, file: Path) -> Releases | None:
        return self.settings.of(file).torch

    def _roots(self, file: Path) -> tuple[str, ...]:
        return self.settings.of(file).src

    def select(self, paths: Sequence[str]) -> None:
        """Leave only what is to be shown, in order."""
        from torchlint.sifting import Sieve

        self.sieve = Sieve(self.looked(Report()), self.files_of, self.settings)
        self.findings = self.sieve.sift(self.findings, self.baselines)
        if self.base is None:
            return
        self.sieve.hidden = 0  # of these it is not known which are new
        if self.findings:
            known = self.base.known(self.files_of.values(), paths, self.settings, self._again)
            self.findings = self.sieve.new(self.findings, known)

    def _again(self, paths: Sequence[str], settings: SettingsOf) -> Report:
        run = Run(settings, self.progress, {})
        run.go(paths, None)
        return run.report()

    def confirm(self, settings: ConfirmSettings) -> None:
        """Run the flagged code."""
        from torchlint.judging import judged

        settings = replace(settings, cache_dir=settings.cache_dir or self._here.cache_dir or "")
        if self._here.jobs is not None:
            settings = replace(settings, jobs=self._here.jobs)
        sources = self.looked(Report()).sources
        result = judged(
            self.findings,
            settings,
            self.progress,
            self.stdin,
            sources,
            self.texts.keys(),
            self.elsewhere,
        )
        self.findings, self.enforced = result.findings, result.enforced
        self.discovered.troubles += result.troubles

    def looked(self, report: Report) -> Look:
        """The report, with what it is on."""
        return Look(report, {source.path: source for source in self.sources})

    def report(self) -> Report:
        """All of it, in order."""
        stale = self.baselines.stale() if self.baselines is not None else ([], [])
        warnings, troubles = stale
        warnings += self.base.warnings if self.base is not None else []
        texts = self._texts(self.findings)
        return Report(
            findings=self._named(texts),
            troubles=(*self.discovered.troubles, *troubles),
            summary=self._summary(),
            warnings=(*self.discovered.warnings, *warnings),
            enforced=self.enforced,
            texts=texts,
            files={source.path: source.file for source in self.sources if source.reported},
            read=frozenset(source.file for source in self.sources),
        )

    def _named(self, texts: Mapping[str, str]) -> tuple[Finding, ...]:
        """The findings with their fingerprints; those that were run come in any order."""
        if not self.findings:
            return ()
        from torchlint.fingerprints import with_fingerprints
        from torchlint.sifting import order

        lines = {path: split(text) for path, text in texts.items()}
        return tuple(with_fingerprints(sorted(self.findings, key=order), lines))

    def _texts(self, findings: Iterable[Finding]) -> dict[str, str]:
        paths = {finding.place.path for finding in findings}
        paths |= {step.place.path for finding in findings for step in finding.because}
        fixes = (finding.fix for finding in findings if finding.fix)
        paths |= {edit.place.path for fix in fixes for edit in fix.edits}
        return {source.path: source.text for source in self.sources if source.path in paths}

    def _summary(self) -> Summary:
        return Summary(
            files=self.files,
            checked=sum(source.reported and concerns_torch(source) for source in self.sources),
            hidden_pedantic=self.sieve.hidden if self.sieve is not None else 0,
            known=self.sieve.known if self.sieve is not None else 0,
            seconds=round(time.perf_counter() - self.started, 3),
        )
