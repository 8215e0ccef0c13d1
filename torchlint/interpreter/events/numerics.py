"""Events of numbers: what is computed of values at the edge of their range."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.edges import Edge
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Hazard(Event):
    """Values at an edge are given to something that cannot take them."""

    edge: Edge


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Logarithm(Hazard):
    """The logarithm of something that is zero at its edge."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Quotient(Hazard):
    """A division by something that is zero at its edge."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Root(Hazard):
    """A root of something that is zero at its edge."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MaskedSoftmax(Hazard):
    """A softmax over rows that may be minus infinity throughout."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LeftOut(Event):
    """A condition leaves out values for which what was computed at ``steep`` has no slope.

    ``what`` names that operation.
    """

    steep: Spot
    what: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tested(Event):
    """The program looks whether values are at the edge that comes from ``origins``."""

    origins: frozenset[Spot]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ComparedWithNan(Event):
    """Something is compared with NaN: equal to it nothing is, unequal to it everything.

    ``tensor`` says that what is compared is known to be one.
    """

    equal: bool
    tensor: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Floored(Event):
    """Something that may be zero is kept away from there: ``origins`` are its edge's."""

    origins: frozenset[Spot]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ranked(Event):
    """Logarithms that were taken somewhere are ordered: minus infinity comes last, as it should."""

    taken: Spot


class Fate(Enum):
    """What becomes of a number that float16 does not hold."""

    ADDS_NOTHING = auto()
    IS_ZERO = auto()
    IS_INFINITE = auto()
    IS_REFUSED = auto()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unheld(Event):
    """A number meets a tensor of float16, which does not hold it.

    ``autocast`` says that the tensor may be of that type for an autocast's sake.
    """

    number: float
    fate: Fate
    autocast: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LossBuilt(Event):
    """A loss is built, and its constructor given what the loss itself should get."""

    kind: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScalarIndexed(Event):
    """A tensor without dimensions is indexed."""
