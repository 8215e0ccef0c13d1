"""Reads a verdict off the observations of a finding's jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.confirm.runner.protocol import ABSENT, OPEN, SHOWN, Observation
from torchlint.findings import Series, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence


def is_open(seen: Sequence[Observation]) -> bool:
    """Whether some run has left the matter open, and with it the verdict."""
    return any(observation.outcome == OPEN for observation in seen)


def undecided(seen: Sequence[Observation]) -> bool:
    """Whether the flagged code showed the mistake each time, so that its repaired twin decides."""
    return all(observation.outcome == SHOWN for observation in seen)


def verdict(seen: Sequence[Observation], twin: Observation | None, asked: str) -> Verdict:
    """Confirmed or refuted where every seed says so and the twin agrees, else inconclusive.

    Runs that were ended do not say where they ran: then it is the device that was ``asked`` for.
    """
    ran = [*seen, twin] if twin is not None else list(seen)
    seconds = round(sum(observation.seconds for observation in ran), 3)
    outcomes = {observation.outcome for observation in seen}
    device = next((each.device for each in ran if each.device), asked)
    if outcomes == {ABSENT}:
        return Verdict(Status.REFUTED, seen[0].evidence, "", device, seconds, _measured(seen[0]))
    if outcomes == {SHOWN} and (twin is None or twin.outcome != SHOWN):
        evidence = seen[0].evidence
        if twin is not None and twin.outcome == ABSENT:
            evidence += Verdict.REPAIRED
        return Verdict(Status.CONFIRMED, evidence, "", device, seconds, _measured(seen[0]))
    return Verdict(Status.INCONCLUSIVE, "", _reason(seen, outcomes), device, seconds)


def _measured(seen: Observation) -> tuple[Series, ...]:
    return tuple(Series(each.of, each.per, each.values) for each in seen.measured)


def _reason(seen: Sequence[Observation], outcomes: set[str]) -> str:
    if is_open(seen):
        return next(observation.reason for observation in seen if observation.outcome == OPEN)
    if outcomes == {SHOWN}:
        return "the repaired code shows it as well"
    return "runs with different random numbers disagree"
