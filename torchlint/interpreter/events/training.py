"""Events of the optimisation step."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim
    from torchlint.interpreter.holdings import Stranger
    from torchlint.interpreter.optimisation import Gradients, Optimizer, Scaler, Stage
    from torchlint.interpreter.values import Node, Spot, Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Built(Event):
    """An optimizer is built; ``inherited`` says that what it holds is older than this round.

    ``drained`` is where the generator of its parameters was iterated before, ``empty`` says that
    it is given a collection of nothing, ``derived`` is what it is given that is no leaf.
    """

    address: int
    optimizer: Optimizer
    inherited: bool = False
    drained: Spot | None = None
    empty: bool = False
    derived: Node | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Step(Event):
    """An optimizer steps; ``gradients`` says in which phases its gradients were.

    ``address`` is None for a step of something that may be an optimizer. ``frozen`` says that
    nothing that it holds is trained, ``strangers`` are layers that were put below what it holds
    after it was built. ``closure`` is the event of the call of its closure, and ``holds`` are the
    modules whose parameters it steps, as far as they are known.
    """

    address: int | None
    optimizer: Optimizer | None = None
    gradients: frozenset[Gradients] = frozenset()
    frozen: bool = False
    strangers: tuple[Stranger, ...] = ()
    closure: Closure | None = None
    bare: bool = False
    holds: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Closure(Event):
    """What an optimizer was given as closure: it is called here, and gave ``result``.

    ``called`` says that it was called where it was to be handed over; ``start`` is the number of
    events before.
    """

    given: Value
    result: Value
    start: int
    called: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clear(Event):
    """Gradients of an optimizer are cleared; ``gradients`` says in which phases they were."""

    address: int
    optimizer: Optimizer
    gradients: frozenset[Gradients] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Summed(Event):
    """A backward adds to gradients that it has made in an earlier round, and no step has used.

    ``scaled_down`` says that the loss was made smaller for it.
    """

    address: int
    node: Node | None
    scaled_down: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clip(Event):
    """Gradients are clipped: those of the optimizers that hold them, as these were before.

    ``others`` are the optimizers that hold none of them; ``drained`` is where the generator of the
    parameters was iterated before.
    """

    optimizers: dict[int, Optimizer]
    others: frozenset[int] = frozenset()
    drained: Spot | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScalerBuilt(Event):
    """A scaler of losses is built."""

    address: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScalerCall(Event):
    """A scaler unscales the gradients of an optimizer, steps it, or is updated, by ``method``.

    ``stages`` are those of that optimizer, or of all of them.
    """

    method: str
    address: int
    scaler: Scaler
    optimizer: int | None = None
    stages: frozenset[Stage] = frozenset()
    gradients: frozenset[Gradients] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SchedulerBuilt(Event):
    """A scheduler of torch is built, of the class ``kind``, for an optimizer.

    ``length`` is how long it is laid out to be, and ``inherited`` says that the optimizer is older
    than this round. ``replaced`` is the scheduler of the optimizer that had its name before.
    """

    address: int
    kind: str
    optimizer: int
    options: dict[str, Value] = field(default_factory=dict)
    length: Dim = None
    inherited: bool = False
    replaced: int | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SchedulerStep(Event):
    """A scheduler steps; ``stepped`` says whether its optimizer has.

    ``bare`` is a step without arguments, ``one_of`` says that it may be another scheduler's, and
    ``sometimes`` that a test decides on it which may come out otherwise in another round.
    """

    address: int
    kind: str
    optimizer: int
    stepped: bool | None
    bare: bool
    one_of: bool = False
    sometimes: bool = False


class RatesComputed(Event):
    """A scheduler of torch's is asked for the rates that its next step would compute."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EpochTold(Event):
    """A scheduler of torch's that counts its steps is told which one this is.

    What it is told was ``measured``, as a loss is, and is the number of no epoch.
    """

    measured: bool
