"""Events of the autograd graph: gradients computed, read, and broken by changes in place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Node, Tensor


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Backward(Event):
    """Gradients are computed back from ``node``, whose graph is freed unless it is ``retained``."""

    node: Node | None
    retained: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GradientRead(Event):
    """Gradients are read by something other than an optimizer."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Mutation(Event):
    """``tensor`` is changed in place, as ``how`` writes it.

    ``keepers`` are the operations that keep the version that is lost, empty unless that holds for
    all the memory that the tensor may mean; ``opaque`` says that something unseen gave the tensor,
    ``optional`` that the change is made only if asked for by the name of ``inplace``, ``sure`` that
    it is made whatever the settings are.
    """

    tensor: Tensor
    how: str
    keepers: tuple[Node, ...] = ()
    opaque: bool = False
    optional: bool = False
    sure: bool = True

    @property
    def written(self) -> str:
        """How the change is written, for a sentence."""
        return self.how if " " in self.how else f"`{self.how}`"
