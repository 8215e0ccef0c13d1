"""TL611: samples that are drawn for an evaluation, and were drawn for the training as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch.utils.data import Subset

from .draws import Draw, Draws
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .ways import Question, investigate

if TYPE_CHECKING:
    from .protocol import Job

Sample = tuple[int, int]


class Leaks(Draws):
    """Compares what the flagged loader draws with what optimizers have stepped on."""

    def conclude(self, ended: bool) -> Observation:
        """How many samples are common."""
        trained = {sample for each in self.passes if each.steps for sample in _samples(each)}
        measured = {
            sample
            for each in self.passes
            if not each.backwards and self.is_flagged(each.loader)
            for sample in _samples(each)
        }
        if not measured or not trained:
            return Observation(OPEN, reason="a training and an evaluation were not both seen")
        common = trained & measured
        if common:
            return Observation(
                SHOWN,
                evidence=f"of the {len(measured)} samples that were drawn for the evaluation, "
                f"{len(common)} were drawn for the training as well",
            )
        if not ended:
            return Observation(OPEN, reason="the run was cut before its end")
        return Observation(
            ABSENT,
            evidence=f"none of the {len(measured)} samples of the evaluation is among the "
            f"{len(trained)} that were trained on",
        )


def _samples(each: Draw) -> list[Sample]:
    """What was drawn, as indices of the dataset that no other one was made from."""
    return [_origin(each.loader.dataset, index) for index in each.indices]


def _origin(dataset: Any, index: Any) -> Sample:
    while isinstance(dataset, Subset):
        index, dataset = dataset.indices[index], dataset.dataset
    return id(dataset), int(index)


def split_leak(job: Job) -> Observation:
    """TL611: the flagged loader draws samples that were trained on."""
    return investigate(job, Question(watch=lambda project, program: Leaks(project, job.target)))
