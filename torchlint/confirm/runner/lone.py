"""TL613: a batch of one sample, the last of the flagged loader, on which batch norm raises."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from .draws import Draws
from .experiments import describe
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .roles import ALL
from .ways import Question, investigate

if TYPE_CHECKING:
    from .protocol import Job

_PREDICTED = "Expected more than 1 value per channel"


class LastBatch(Draws):
    """Listens to batch norm while the flagged loader is gone over."""

    _error: Exception | None = None
    _drawn = 0

    def watching(self) -> AbstractContextManager[Any]:
        """Batch norm is listened to."""
        stack = ExitStack()
        stack.enter_context(super().watching())
        norm = torch.nn.functional.batch_norm

        def listened(*args: Any, **options: Any) -> Any:
            try:
                return norm(*args, **options)
            except ValueError as error:
                if _PREDICTED in str(error) and self._is_last_of_flagged():
                    self._error = error
                raise

        stack.enter_context(mock.patch.object(torch.nn.functional, "batch_norm", listened))
        return stack

    def _is_last_of_flagged(self) -> bool:
        """Whether the latest pass is over the flagged loader, and is at a batch of one."""
        latest = self.passes[-1] if self.passes else None
        if latest is None or not self.is_flagged(latest.loader):
            return False
        size = latest.loader.batch_size or 0
        self._drawn = len(latest.indices)
        return size > 1 and self._drawn % size == 1

    def has_seen_enough(self) -> bool:
        """One exception tells."""
        return self._error is not None

    def conclude(self, ended: bool) -> Observation:
        """The exception is the evidence."""
        if self._error is not None:
            return Observation(
                SHOWN,
                evidence=f"with sample {self._drawn}, alone in the last batch, batch norm raised "
                f"{describe(self._error)}",
            )
        passes = [each for each in self.passes if self.is_flagged(each.loader) and each.steps]
        if ended and passes:
            return Observation(ABSENT, evidence=f"{len(passes)} epoch(s) end without the exception")
        return Observation(OPEN, reason="no training on the loader was seen to its end")


def batch_norm_last_batch(job: Job) -> Observation:
    """TL613: the last batch of the training has one sample."""
    return investigate(
        job,
        Question(watch=lambda project, program: LastBatch(project, job.target), matters=ALL),
    )
