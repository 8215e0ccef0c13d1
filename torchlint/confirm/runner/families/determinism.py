"""Claims about what gives other results from run to run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..claims import LINE, NOTHING, Raises
from ..protocol import ABSENT, OPEN, Observation
from ..refusals import Refused

if TYPE_CHECKING:
    from ..loading import Program
    from ..places import Project
    from ..protocol import Job
    from ..recorder import Observer


class _Unsettled(Refused):
    """Listens to the refusal; that there is none says nothing, but for what CUDA would do."""

    def conclude(self, ended: bool) -> Observation:
        """What was seen."""
        seen = super().conclude(ended)
        if seen.outcome != ABSENT:
            return seen
        reason = "it is CUDA's algorithms that differ from run to run, and none of them failed here"
        return Observation(OPEN, reason=reason)


@dataclass(frozen=True)
class _Refuses(Raises):
    """Torch refuses the flagged call, as it was told to."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Listens to failures."""
        return _Unsettled(project, job.target, self.predicts, LINE)


nondeterministic = _Refuses("does not have a deterministic implementation", matters=NOTHING)
