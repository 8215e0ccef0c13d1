"""TL611: samples that are drawn for an evaluation, and were drawn for the training as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch.utils.data import Subset

from .draws import Draw, Draws, is_stand_in
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .places import Project
    from .protocol import Job, Target

Sample = tuple[int, int]

_PLAIN = (str, int, float, type(None))
"""What says how something is to be done, and is no data."""


class Leaks(Draws):
    """Compares what the flagged loader draws with what optimizers have stepped on."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__(project, target)
        self._data: list[Any] = []
        self._numbers: dict[int, int] = {}

    def conclude(self, ended: bool) -> Observation:
        """How many samples are common."""
        trained = {sample for each in self.passes if each.steps for sample in self._samples(each)}
        measured = {
            sample
            for each in self.passes
            if not each.backwards and self.is_flagged(each.loader)
            for sample in self._samples(each)
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
        if any(is_stand_in(each.loader.dataset) for each in self.passes):
            return Observation(OPEN, reason="the dataset is not there, and had to be stood in for")
        return Observation(
            ABSENT,
            evidence=f"none of the {len(measured)} samples of the evaluation is among the "
            f"{len(trained)} that were trained on",
        )

    def _samples(self, each: Draw) -> Iterator[Sample]:
        """What was drawn, as indices of the data that no other was made from."""
        for drawn in each.indices:
            index, dataset = drawn, each.loader.dataset
            while isinstance(dataset, Subset):
                index, dataset = dataset.indices[index], dataset.dataset
            yield self._number(dataset), int(index)

    def _number(self, dataset: Any) -> int:
        """One number for all datasets that hold the same data."""
        if id(dataset) not in self._numbers:
            alike = (at for at, other in enumerate(self._data) if _hold_same(other, dataset))
            self._numbers[id(dataset)] = next(alike, len(self._data))
            self._data.append(dataset)
        return self._numbers[id(dataset)]


def _hold_same(one: Any, other: Any) -> bool:
    """Whether two datasets were given the same data, however they change it."""
    held, others = _held(one), _held(other)
    return (
        type(one) is type(other)
        and not is_stand_in(one)
        and any(not isinstance(value, _PLAIN) for value in held.values())
        and held.keys() == others.keys()
        and all(_is_same(value, others[name]) for name, value in held.items())
    )


def _held(dataset: Any) -> dict[str, Any]:
    attributes = getattr(dataset, "__dict__", {})
    return {name: value for name, value in attributes.items() if "transform" not in name}


def _is_same(one: Any, other: Any) -> bool:
    if one is other:
        return True
    try:
        alike = one == other
        return bool(alike.all()) if hasattr(alike, "all") else bool(alike)
    except Exception:
        return False


def split_leak(job: Job) -> Observation:
    """TL611: the flagged loader draws samples that were trained on."""
    return investigate(job, Question(watch=lambda project, program: Leaks(project, job.target)))
