"""What a step of training is made of: gradients in their phases, optimizers, scalers of losses."""

from __future__ import annotations

from dataclasses import field
from enum import Enum, auto
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter.values import Parameters

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot, Value


class Phase(Enum):
    """Where an optimizer's gradients stand in the optimisation step.

    UNSEEN are those that something out of sight may have cleared, or computed.
    """

    CLEAR = auto()
    FRESH = auto()
    USED = auto()
    STALE = auto()
    UNSEEN = auto()


@dataclass(frozen=True, slots=True)
class Gradients:
    """A phase, and the places of the step and the backward that led to it.

    ``sure`` is False where it is not known whether that backward reaches these gradients.
    ``scaled`` says whether they are of a loss that a scaler has scaled, None where that is not
    known; ``unscaled`` that they have been divided again.
    """

    phase: Phase
    step: Spot | None = None
    backward: Spot | None = None
    sure: bool = True
    scaled: bool | None = None
    unscaled: bool = False

    @property
    def may_be_clear(self) -> bool:
        """Whether nothing need be in them."""
        return self.phase in {Phase.CLEAR, Phase.UNSEEN}

    @property
    def are_there(self) -> bool:
        """Whether a step surely finds some, and changes parameters by them."""
        return self.sure and not self.may_be_clear


CLEAR = Gradients(Phase.CLEAR)
HIDDEN = Gradients(Phase.UNSEEN)


@dataclass(frozen=True, slots=True)
class Optimizer:
    """An optimizer: whose parameters it holds and in which phases its gradients can be.

    ``held`` are the modules that were below these when it was built, ``kind`` is its class,
    ``options`` are the arguments of the constructor. ``stepped`` says whether it has taken a
    step since a scheduler was built for it, None where that depends; ``hinted`` that only its
    name tells that it is one; ``local`` that it was built in sight, ``escaped`` that something
    unseen has it, ``altered`` that its groups of parameters were got hold of, ``cleared`` that its
    gradients have been cleared at least once, so that it is no first round that leaves them clear,
    ``blind`` that its steps use no gradients, as those of projections. One that stands for
    ``either_of`` two others is the same wherever it is either of them. ``before`` is the phase that
    its gradients were in when something turned out to be an optimizer, and are in still where it
    has not.
    """

    spot: Spot | None
    parameters: Parameters | None
    gradients: frozenset[Gradients] = frozenset({CLEAR})
    hinted: bool = False
    local: bool = True
    escaped: bool = False
    kind: str = ""
    options: dict[str, Value] = field(default_factory=dict, compare=False)
    held: frozenset[int] = frozenset()
    stepped: bool | None = False
    altered: bool = False
    cleared: bool = False
    blind: bool = False
    either_of: frozenset[int] = frozenset()
    before: Gradients | None = None

    def joined(self, other: Optimizer) -> Optimizer:
        """What stands for the optimizer on either of two paths."""
        return replace(
            self,
            gradients=self.gradients | other.gradients,
            escaped=self.escaped or other.escaped,
            parameters=self.parameters if self.parameters == other.parameters else None,
            held=self.held | other.held,
            stepped=self.stepped if self.stepped == other.stepped else None,
            altered=self.altered or other.altered,
            cleared=self.cleared or other.cleared,
        )

    @property
    def may_have_been_cleared(self) -> bool:
        """Whether some way may have cleared the gradients, other than by having made none yet."""
        phases = {gradients.phase for gradients in self.gradients}
        return Phase.UNSEEN in phases or (Phase.CLEAR in phases and self.cleared)

    def standing_for(self, other: Optimizer, either_of: frozenset[int]) -> Optimizer:
        """What stands for this optimizer or another, by the addresses of both."""
        parameters = None
        if self.parameters is not None and other.parameters is not None:
            owners = self.parameters.owners | other.parameters.owners
            parameters = Parameters(owners, self.parameters.whole and other.parameters.whole)
        return replace(
            self,
            parameters=parameters,
            gradients=self.gradients | other.gradients,
            cleared=self.cleared or other.cleared,
            either_of=either_of,
        )


class Stage(Enum):
    """How far a scaler has come with an optimizer since its last update."""

    READY = auto()
    UNSCALED = auto()
    STEPPED = auto()
    UNSEEN = auto()


@dataclass(frozen=True, slots=True)
class Scaler:
    """A scaler of losses, with the stages in which each optimizer can be.

    ``enabled`` is None where it depends; ``used`` says that it has scaled something, or may have.
    """

    spot: Spot | None
    enabled: bool | None = True
    stages: dict[int, frozenset[Stage]] = field(default_factory=dict)
    used: bool = False
    hinted: bool = False
    local: bool = True
    escaped: bool = False

    def joined(self, other: Scaler) -> Scaler:
        """What stands for the scaler on either of two paths."""
        optimizers = self.stages | other.stages
        return replace(
            self,
            stages={key: self.stages_of(key) | other.stages_of(key) for key in optimizers},
            used=self.used or other.used,
            escaped=self.escaped or other.escaped,
        )

    def stages_of(self, optimizer: int) -> frozenset[Stage]:
        """The stages in which an optimizer can be."""
        return self.stages.get(optimizer, frozenset({Stage.READY}))
