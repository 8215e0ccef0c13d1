"""Claims about what was there to find a mistake."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from ..claims import NOTHING, Sees
from ..sightings import Asked, Sightings

if TYPE_CHECKING:
    from ..claims import Sighting
    from ..loading import Program
    from ..places import Project
    from ..protocol import Job
    from ..recorder import Observer
    from ..tally import Answer

_PRINT = "builtins.print"
_STOPS = {"builtins.breakpoint", "pdb.set_trace"}


class Unattended(Sightings):
    """Looks at the calls where no debugger waits for anybody."""

    def watching(self) -> AbstractContextManager[Any]:
        """Debuggers return at once."""
        stack = ExitStack()
        stack.enter_context(mock.patch.object(sys, "breakpointhook", _return))
        stack.enter_context(mock.patch("pdb.set_trace", _return))
        stack.enter_context(super().watching())
        return stack


def _return(*args: Any, **kwargs: Any) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class Left(Sees):
    """What a call at the flagged place does to the run."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at the calls."""
        return Unattended(project, job.target, Asked(tuple(self.names.split()), self.judge, 1))


def _left_in(call: Sighting) -> Answer:
    if call.name in _STOPS:
        return "a debugger is started there"
    if call.name != _PRINT:
        return None
    if not any(isinstance(item, torch.Tensor) or "tensor(" in str(item) for item in call.args):
        return False
    last = call.memory.get("steps")
    call.memory["steps"] = call.steps
    if last is None:
        return None
    return (
        f"a tensor is printed after {call.steps} steps, and after {last}"
        if (call.steps == last + 1)
        else False
    )


debug_left_in = Left(f"{_PRINT} {' '.join(sorted(_STOPS))}", _left_in, matters=NOTHING)
