"""Events of autograd's own tools: leaves, grad modes, flags, functions and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LeafWrite(Event):
    """A leaf that requires grad, or a ``view`` of one, is changed in place while grad mode is on.

    ``made`` is where the leaf was made; ``local`` says that the running functions made it, so that
    they decide the grad mode it is used in; ``parameter`` that it belongs to a module.
    """

    how: str
    made: Spot | None
    view: bool
    parameter: bool
    local: bool

    @property
    def written(self) -> str:
        """How the change is written, for a sentence."""
        return self.how if " " in self.how else f"`{self.how}`"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class IdleMode(Event):
    """A grad mode that switches nothing: its class is entered uncalled, or nobody enters it."""

    mode: str
    entered: bool

    @property
    def short(self) -> str:
        """The name as the source writes it, more or less."""
        return f"torch.{self.mode.rpartition('.')[2]}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModuleFlag(Event):
    """``requires_grad`` is set as an attribute of a module, which has none of this name."""

    cls: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StateFlag(Event):
    """What a state dict holds is told to require no grad, as it never does: nothing is frozen."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Misspelt(Event):
    """``name`` is given where ``requires_grad`` is meant: an attribute, ``keyword``, ``method``."""

    name: str
    keyword: bool = False
    method: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class IntegerGrad(Event):
    """A tensor of a type that has no gradients is told to require grad."""

    dtype: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LostWrite(Event):
    """A tensor is changed that was copied on the way, at ``copied``, and that nothing holds."""

    copied: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RepeatedWrite(Event):
    """Something is added at an index that may come twice, which ``made`` it so, for a reason."""

    made: Spot
    reason: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OverlapWrite(Event):
    """An expanded tensor is written into: torch refuses, or all its ``rows`` are changed."""

    how: str
    expanded: Spot
    rows: bool = False

    @property
    def written(self) -> str:
        """How the change is written, for a sentence."""
        return self.how if " " in self.how else f"`{self.how}`"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Anomaly(Event):
    """Anomaly detection is switched on, or off; ``asked`` if a flag of the program says so."""

    on: bool
    asked: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Checkpoint(Event):
    """Activations are checkpointed by ``function``, without saying in which of the two ways.

    ``named`` says that the call can be of nothing else.
    """

    function: str
    named: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LegacyHook(Event):
    """A backward hook of the old kind is registered on a module."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DataUsed(Event):
    """The ``data`` of a tensor is read, or ``replaced``."""

    replaced: bool
