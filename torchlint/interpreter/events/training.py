"""Events of the optimisation step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Gradients, Optimizer


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Step(Event):
    """An optimizer steps; ``gradients`` says in which phases its gradients were.

    ``address`` is None for a step of something that may be an optimizer.
    """

    address: int | None
    optimizer: Optimizer | None = None
    gradients: frozenset[Gradients] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clear(Event):
    """Gradients of an optimizer are cleared; ``gradients`` says in which phases they were."""

    address: int
    optimizer: Optimizer
    gradients: frozenset[Gradients] = frozenset()
