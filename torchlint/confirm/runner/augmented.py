"""TL612: a dataset that gives another item each time, though a model is only evaluated on it."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import torch

from .draws import Draws, is_stand_in
from .experiments import describe
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .ways import Question, investigate

if TYPE_CHECKING:
    from .protocol import Job

_TRIES = 8


class Augmented(Draws):
    """Asks the flagged loader's dataset for the first item that it drew, again and again."""

    def conclude(self, ended: bool) -> Observation:
        """Whether it is the same each time, where no optimizer steps on it."""
        passes = [each for each in self.passes if self.is_flagged(each.loader) and each.indices]
        if not passes:
            return Observation(OPEN, reason="the flagged loader was not iterated")
        if any(each.backwards or each.steps for each in passes):
            return Observation(ABSENT, evidence="it is trained on")
        index, dataset = passes[0].indices[0], passes[0].loader.dataset
        if is_stand_in(dataset):
            return Observation(OPEN, reason="the dataset is not there, and had to be stood in for")
        try:
            items = {_print(dataset[index]) for _ in range(_TRIES)}
        except Exception as error:
            return Observation(OPEN, reason=f"the dataset could not be asked: {describe(error)}")
        if len(items) > 1:
            return Observation(
                SHOWN,
                evidence=f"item {index} of the dataset, asked for {_TRIES} times, came in "
                f"{len(items)} forms, and no gradient is computed in a pass over it",
            )
        return Observation(ABSENT, evidence=f"item {index} is the same {_TRIES} times")


def _print(item: Any) -> bytes:
    """Bytes that are equal for equal items."""
    if isinstance(item, torch.Tensor):
        return repr(item.tolist()).encode()
    if isinstance(item, (list, tuple)):
        return b",".join(map(_print, item))
    if isinstance(item, dict):
        return b",".join(map(_print, item.values()))
    return pickle.dumps(item)


def augmented_evaluation(job: Job) -> Observation:
    """TL612: the samples of an evaluation are changed at random."""
    return investigate(job, Question(watch=lambda project, program: Augmented(project, job.target)))
