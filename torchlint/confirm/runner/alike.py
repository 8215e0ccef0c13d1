"""Watches whether the rows of weights that are filled at the flagged place ever come to differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from .protocol import ABSENT, OPEN, SHOWN, Observation
from .roles import MODEL
from .sightings import Asked, Sightings
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .protocol import Job

_WRITES = "torch.Tensor.fill_ torch.Tensor.zero_ torch.Tensor.copy_ torch.Tensor.data.__set__"
_INITS = " ".join(
    f"torch.nn.init.{name}_"
    for name in ("constant", "normal", "uniform", "kaiming_uniform", "kaiming_normal")
)
_DRAWS = "torch.Tensor.normal_ torch.Tensor.uniform_"
_STEPS = 3
_CLOSE = 1e-3


class Alike(Sightings):
    """Compares the rows of each weight, and of its gradient, at the steps of optimizers."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._filled: list[Tensor] = []
        self._alike = self._differ = 0
        self._shape: tuple[int, ...] = ()

    def see(self, name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Keep what is written at the target."""
        out = function(*args, **kwargs)
        given = args[0] if args else kwargs.get("tensor")
        if not self._busy and self._project.is_at(self._target) and isinstance(given, Tensor):
            self._filled.append(given)
        return out

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Compare the rows of what has gradients now."""
        with self._apart():
            found = [weight for weight in self._weights(optimizer) if _is_same(weight.detach())]
            same = [weight for weight in found if weight.grad is None or _is_same(weight.grad)]
        if any(weight.grad is not None for weight in same):
            self._alike += 1
            self._shape = tuple(same[0].shape)
        elif any(weight.grad is not None for weight in self._weights(optimizer)):
            self._differ += 1

    def _weights(self, optimizer: torch.optim.Optimizer) -> Iterator[Tensor]:
        places = {tensor.untyped_storage().data_ptr() for tensor in self._filled}
        for group in optimizer.param_groups:
            for weight in group["params"]:
                held = weight.untyped_storage().data_ptr() in places
                if held and weight.dim() > 1 and len(weight) > 1:
                    yield weight

    def has_seen_enough(self) -> bool:
        """Some steps tell."""
        return self._alike + self._differ >= _STEPS

    def conclude(self, ended: bool) -> Observation:
        """What the steps have shown."""
        if self._differ:
            return Observation(ABSENT, evidence="the rows of weights have gradients that differ")
        if self._alike > 1:
            rows, size = self._shape[0], "x".join(map(str, self._shape))
            return Observation(
                SHOWN,
                evidence=f"the {rows} rows of a weight of {size} are the same after "
                f"{self._alike - 1} steps, and so are their gradients",
            )
        return Observation(OPEN, reason="no second step with these weights was seen")


def _is_same(values: Tensor) -> bool:
    """Whether all rows are the same, but for rounding."""
    rows = values.flatten(1)
    return bool(torch.allclose(rows, rows[:1].expand_as(rows), rtol=_CLOSE, atol=0.0))


def constant_weights(job: Job) -> Observation:
    """TL323: units that stay the same."""
    asked = Asked((*_WRITES.split(), *_DRAWS.split(), *_INITS.split()), lambda call: None, times=1)
    question = Question(watch=lambda project, _: Alike(project, job.target, asked), matters=MODEL)
    return investigate(job, question)
