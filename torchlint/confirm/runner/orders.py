"""In which order loaders draw: the same in every epoch of a training, another for a measurement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .draws import Draw, Draws
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .ways import Question, investigate

if TYPE_CHECKING:
    from .protocol import Job

_ENOUGH = 3
_LEAST = 4
_SHOWN = 6


class Orders(Draws):
    """Compares the passes over the flagged loader (TL606)."""

    def _told(self) -> list[Draw]:
        return [
            each
            for each in self.passes
            if self.is_flagged(each.loader) and len(each.indices) >= _LEAST
        ]

    def has_seen_enough(self) -> bool:
        """Some passes tell."""
        return len(self._told()) > _ENOUGH

    def conclude(self, ended: bool) -> Observation:
        """Whether the order stays where it should change, or changes where it may stay."""
        passes = self._told()
        training = [each for each in passes if each.steps and each.loader is passes[0].loader]
        if training:
            return _trained(training)
        if not passes or not ended:
            return Observation(OPEN, reason="no pass over the loader was seen to its end")
        if any(each.backwards for each in passes):
            return Observation(OPEN, reason="gradients are computed in a pass over it")
        return _measured(passes)


def _trained(passes: list[Draw]) -> Observation:
    if len(passes) < 2:
        return Observation(OPEN, reason="no two epochs of training were seen")
    shortest = min(len(each.indices) for each in passes)
    orders = [each.indices[:shortest] for each in passes]
    if all(order == orders[0] for order in orders):
        shown = ", ".join(map(str, orders[0][:_SHOWN]))
        steps = sum(each.steps for each in passes)
        return Observation(
            SHOWN,
            evidence=f"{len(passes)} epochs with {steps} steps draw in the same order: {shown}, …",
        )
    return Observation(ABSENT, evidence=f"{len(passes)} epochs draw in different orders")


def _measured(passes: list[Draw]) -> Observation:
    for each in passes:
        if each.indices != sorted(each.indices):
            shown = ", ".join(map(str, each.indices[:_SHOWN]))
            return Observation(
                SHOWN, evidence=f"without a step of an optimizer it draws in the order {shown}, …"
            )
    return Observation(ABSENT, evidence="it draws in the order of the dataset")


def loader_shuffle(job: Job) -> Observation:
    """TL606: all epochs of a training have one order, or a measurement has an order by chance."""
    return investigate(job, Question(watch=lambda project, program: Orders(project, job.target)))
