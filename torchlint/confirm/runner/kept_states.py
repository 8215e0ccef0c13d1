"""States that are kept (TL216): whether they change while the training goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from .namings import assigned_name
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .ways import Question, investigate

if TYPE_CHECKING:
    from types import FrameType

    from .protocol import Job

_STEPS = 3


class KeptState(Observer):
    """Holds the tensors that the flagged line keeps, and looks at them after every step."""

    def __init__(self, code: Any) -> None:
        super().__init__()
        self._code = code
        self._kept: list[tuple[str, Tensor, Tensor]] = []
        self._changed = ""
        self._steps = 0

    def passed_target(self, frame: FrameType) -> None:
        """Take hold of what is kept, the first time."""
        if self._code is None or self._kept:
            return
        try:
            value = eval(self._code, frame.f_globals, frame.f_locals)
        except Exception:
            return
        if isinstance(value, torch.nn.Module):
            value = value.state_dict()
        if isinstance(value, dict):
            self._kept = [
                (str(name), item, item.detach().clone())
                for name, item in value.items()
                if isinstance(item, Tensor)
            ]

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Compare."""
        if not self._kept:
            return
        self._steps += 1
        for name, tensor, before in self._kept:
            if not self._changed and not torch.equal(tensor, before):
                size = float((tensor.double() - before.double()).abs().max())
                self._changed = f"the kept `{name}` has changed by {size:.3g} after the next step"

    def has_seen_enough(self) -> bool:
        """A change tells at once, its absence after some steps."""
        return bool(self._changed) or self._steps > 4 * _STEPS

    def conclude(self, ended: bool) -> Observation:
        """What the steps have done to it."""
        if self._changed:
            return Observation(SHOWN, evidence=self._changed)
        if self._steps >= _STEPS:
            return Observation(ABSENT, evidence=f"{self._steps} steps leave what is kept as it is")
        return Observation(OPEN, reason="no steps follow what is kept")


def best_state_alias(job: Job) -> Observation:
    """TL216: what is kept changes with the next step."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: KeptState(assigned_name(program.tree(), job.target))
        ),
    )
