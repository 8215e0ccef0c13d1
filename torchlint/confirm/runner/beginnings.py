"""TL610: a loader that is begun at the flagged place again and again, for one batch each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest import mock

from torch.utils.data import DataLoader, SequentialSampler

from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from types import FrameType

    from .places import Project
    from .protocol import Job, Target

_ENOUGH = 3


class Beginnings(Observer):
    """Counts how often loaders are begun at the flagged place, and what is drawn of each."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._passes = 0
        self._draws: dict[int, list[int]] = {}
        self._mixed = False

    def watching(self) -> AbstractContextManager[Any]:
        """Loaders tell when they are begun, and each time they are drawn from."""
        old = DataLoader.__iter__

        def begun(loader: Any) -> Iterator[Any]:
            if not self._project.is_at(self._target):
                return old(loader)
            return self._counted(loader, old(loader))

        return mock.patch.object(DataLoader, "__iter__", begun)

    def _counted(self, loader: Any, items: Iterator[Any]) -> Iterator[Any]:
        self._mixed = self._mixed or not isinstance(loader.sampler, SequentialSampler)
        drawn = self._draws.setdefault(id(loader), [])
        place = len(drawn)
        drawn.append(0)
        for item in items:
            drawn[place] += 1
            yield item

    def passed_target(self, frame: FrameType) -> None:
        """The flagged line has run."""
        self._passes += 1

    def has_seen_enough(self) -> bool:
        """A few beginnings tell."""
        return any(len(drawn) >= _ENOUGH for drawn in self._draws.values())

    def conclude(self, ended: bool) -> Observation:
        """Whether one loader was begun more than once, and never gave a second batch."""
        if not self._passes:
            return Observation(OPEN, reason="the flagged line did not run")
        most = max(self._draws.values(), key=len, default=[])
        if any(count > 1 for drawn in self._draws.values() for count in drawn):
            return Observation(ABSENT, evidence="what is begun there gives more than one batch")
        if len(most) < 2:
            return Observation(OPEN, reason="no loader is begun there more than once")
        if self._mixed:
            return Observation(OPEN, reason="the loader has an order of its own")
        return Observation(
            SHOWN,
            evidence=f"the loader was begun {len(most)} times and gave one batch each time, in the "
            "order of the dataset: always the first",
        )


def first_batch_forever(job: Job) -> Observation:
    """TL610: the same loader, from its beginning in each round."""
    question = Question(watch=lambda project, program: Beginnings(project, job.target))
    return investigate(job, question)
