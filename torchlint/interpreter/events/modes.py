"""Events of modules being switched to training or evaluation, and applied in either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.switches import Modes
    from torchlint.interpreter.values import Node, Spot

NORM = "batch norm"
UNSEEN = "unseen"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Switch(Event):
    """A module is switched to training or evaluation, or to what is not known."""

    module: int
    training: bool | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Freeze(Event):
    """The parameters of modules are frozen, or trained again."""

    modules: frozenset[int]
    frozen: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LayerUse(Event):
    """A layer that does not do the same in training and in evaluation is applied.

    ``kind`` says what it is, ``UNSEEN`` where a module holds what cannot be seen; ``built`` is the
    place where it was built, ``froze`` where its parameters were frozen, if they were.
    """

    layer: int
    kind: str
    modes: Modes
    built: Spot | None = None
    froze: Spot | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pass(Event):
    """A model is applied to data, other than by the forward of another one.

    ``layers`` are the uses within it of layers that depend on the mode, ``modes`` those of the
    model itself; ``nodes`` are the graph nodes of what it gives, ``grad`` the grad mode. It is made
    ``rarely`` where a remainder decides in which rounds. ``calls`` are those in progress, from the
    first on, ``given`` the addresses of the arguments.
    """

    model: int
    modes: Modes
    layers: tuple[LayerUse, ...]
    nodes: tuple[Node, ...]
    grad: bool | None
    rarely: bool
    calls: tuple[Spot, ...] = ()
    given: frozenset[int] = frozenset()

    @property
    def known(self) -> tuple[LayerUse, ...]:
        """The layers that are seen to depend on the mode."""
        return tuple(layer for layer in self.layers if layer.kind != UNSEEN)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Exported(Event):
    """A model is recorded in training mode, with a layer that depends on it.

    ``how`` is what records it, ``kind`` says what the layer is, ``built`` where it was built and
    ``switched`` where it, or the model, was switched to training.
    """

    how: str
    kind: str
    built: Spot | None
    switched: tuple[Spot, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Metric(Event):
    """What a model gave is compared with what was expected; ``origin`` is the model's pass."""

    origin: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Difference(Event):
    """How far what a model gave in the pass ``origin`` is from data, while nothing is recorded."""

    origin: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reading(Event):
    """Numbers are read of what was computed of what a model gave in the pass ``origin``.

    They may be what it ``decided``, such as the classes of a batch.
    """

    origin: int
    decided: bool = False
