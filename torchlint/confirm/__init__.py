"""Puts findings to the test by running the flagged code, shut in, in the user's interpreter.

The evidence comes from the code itself: a finding is confirmed only if what its rule predicts was
observed at the flagged place, and refuted only if it would have had to be.
"""

from __future__ import annotations

from dataclasses import field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from torchlint.confirm import plan, verdicts
from torchlint.confirm.runner.experiments import EXPERIMENTS, OF_DEVICES
from torchlint.confirm.sandbox import Sandbox, SandboxError, passed_on
from torchlint.findings import Finding, Status, Verdict
from torchlint.frozen import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torchlint.cache.store import Store
    from torchlint.confirm.kept import Kept
    from torchlint.confirm.runner.protocol import Job, Observation
    from torchlint.confirm.sandbox import Bench
    from torchlint.settings import ConfirmSettings

__all__ = ["Program", "SandboxError", "confirm"]


def confirm(
    findings: Sequence[Finding],
    settings: ConfirmSettings,
    on_verdict: Callable[[Finding], None] = lambda finding: None,
    on_enforced: Callable[[tuple[str, ...]], None] = lambda restrictions: None,
    programs: Mapping[Finding, Program] = MappingProxyType({}),
    elsewhere: Callable[[], Bench] | None = None,
) -> list[Finding]:
    """The findings, each with its verdict; ``on_verdict`` is told of every one as it falls.

    ``on_enforced`` is told once which restrictions held while the code ran. ``programs`` are what
    to run where that is not the file as it lies; ``elsewhere`` is where to do it, if that is not
    this machine. Raises SandboxError where the interpreter cannot run experiments.
    """
    trials = [
        _Trial(finding, programs.get(finding, Program()), _device(finding, settings))
        for finding in findings
    ]
    waiting = [trial for trial in trials if not trial.obstacle]
    for trial in waiting:
        trial.plan(settings)
    store = _Store.of(settings) if waiting else None
    if store is not None:
        for trial in waiting:
            trial.known = store.kept.get(trial.finding, trial.jobs[0])
    for trial in trials:
        if trial.obstacle or trial.known is not None:
            on_verdict(trial.judged())
    waiting = [trial for trial in waiting if trial.known is None]
    if waiting:
        here = partial(Sandbox, settings.python, settings.seconds, settings.jobs)
        with (elsewhere or here)() as sandbox:
            _run(waiting, sandbox, settings, on_verdict)
        # What ended before it was shut in ran nothing; what held for all the rest can be promised.
        each = [one.enforced for trial in waiting for one in trial.seen if one.enforced]
        held = [what for what in each[0] if all(what in others for others in each)] if each else []
        if held:
            on_enforced(tuple(held))
    judged = [trial.judged() for trial in trials]
    if store is not None:
        for trial in waiting:
            store.kept.put(trial.finding, trial.jobs[0], trial.verdict())
        store.base.save()
    return judged


@dataclass(frozen=True, slots=True)
class _Store:
    """What earlier runs have left, and the verdicts in it."""

    base: Store
    kept: Kept

    @classmethod
    def of(cls, settings: ConfirmSettings) -> _Store | None:
        if not settings.cache_dir:
            return None
        from torchlint.cache.store import Store
        from torchlint.confirm.kept import Kept

        base = Store(Path(settings.cache_dir))
        return cls(base, Kept(base, settings.python, passed_on()))


@dataclass(frozen=True, slots=True)
class Program:
    """What to run for a finding: the code of files, by path, that lies there in another form.

    ``obstacle`` says why it cannot be run, if that is so.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    obstacle: str = ""


@dataclass
class _Trial:
    """A finding on its way to a verdict."""

    finding: Finding
    program: Program
    device: str
    jobs: list[Job] = field(default_factory=list)
    seen: list[Observation] = field(default_factory=list)
    twin: Observation | None = None
    known: Verdict | None = None

    @property
    def obstacle(self) -> str:
        """Why nothing can be run for it, empty where something can."""
        if self.finding.code not in EXPERIMENTS:
            return f"{self.finding.code} has no experiment"
        if self.device == "mps":
            # What its driver needs of a sandbox is not known.
            return f"no experiment runs on {self.device}"
        return self.program.obstacle

    def plan(self, settings: ConfirmSettings) -> None:
        """Make the jobs that decide it."""
        seconds, texts = settings.seconds, self.program.texts
        self.jobs = plan.jobs(self.finding, self.device, seconds, texts, settings.command)

    def verdict(self) -> Verdict:
        """What there is to say; where nothing can be run the matter is open."""
        if self.obstacle:
            return Verdict(Status.INCONCLUSIVE, reason=self.obstacle, device=self.device)
        return self.known or verdicts.verdict(self.seen, self.twin, self.device)

    def judged(self) -> Finding:
        """The finding with its verdict."""
        return replace(self.finding, verdict=self.verdict())


def _device(finding: Finding, settings: ConfirmSettings) -> str:
    """Where a finding is put to the test.

    Where its claim is about no device there is none to ask: what is computed on one may differ
    between two runs of the same program, which could pass for what was to be shown.
    """
    return settings.device if finding.code in OF_DEVICES else "cpu"


def _run(
    trials: list[_Trial],
    sandbox: Bench,
    settings: ConfirmSettings,
    on_verdict: Callable[[Finding], None],
) -> None:
    of_job: dict[int, tuple[_Trial, bool]] = {}
    for trial in trials:
        of_job[sandbox.submit(trial.jobs[0])] = (trial, False)
    for number, observation in sandbox.observations():
        trial, is_twin = of_job[number]
        if is_twin:
            trial.twin = observation
        else:
            trial.seen.append(observation)
            # What one seed leaves open no other decides.
            if len(trial.seen) < len(trial.jobs) and not verdicts.is_open(trial.seen):
                of_job[sandbox.submit(trial.jobs[len(trial.seen)])] = (trial, False)
                continue
            repaired = plan.twin(trial.finding, trial.jobs[0])
            if repaired is not None and verdicts.undecided(trial.seen):
                of_job[sandbox.submit(repaired)] = (trial, True)
                continue
        on_verdict(trial.judged())
