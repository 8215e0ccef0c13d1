"""Events of shapes that do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.forms import Layout, Whole
    from torchlint.interpreter.shaping.mismatch import Mismatch
    from torchlint.interpreter.spans import Span
    from torchlint.interpreter.values import Spot, Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Refused(Event):
    """An operation is given shapes that it can never take.

    ``op`` is what the source calls it, ``inputs`` are its arguments, settings of a layer included;
    a layer was ``built`` somewhere.
    """

    op: str
    mismatch: Mismatch
    inputs: Mapping[str, Value]
    built: Spot | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairUsed(Event):
    """The values and indices that an operation gives are used as one tensor.

    ``op`` has given them, ``how`` says what takes a tensor, ``operands`` are where they are named,
    ``want`` which of them is likely meant, if that is clear.
    """

    op: str
    how: str
    operands: tuple[Spot, ...]
    want: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Flattened(Event):
    """A tensor of several dimensions is put into one, which is ``length`` long."""

    before: Shape
    length: Dim


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FlatFed(Event):
    """A linear layer, ``op`` in the source, takes what is ``length`` long, if it is ``wanted``."""

    op: str
    length: Dim
    wanted: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OneCompared(Event):
    """One number for all samples of a batch is compared with what has a value for each of them."""

    whole: Whole


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ViewRefused(Event):
    """A view is asked for of dimensions that are torn apart, ``sure`` if for all sizes."""

    op: str
    layout: Layout
    before: Shape
    after: Shape
    sure: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reordered(Event):
    """A view of a tensor, ``op`` in the source, is asked for with a dimension in another place.

    It is ``sure`` where the shape was not handed over by a caller that decides on what is done.
    """

    op: str
    before: Shape
    after: Shape
    sure: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Folded(Event):
    """Samples are put into rows of a ``length`` by ``op``, however many rows that makes."""

    op: str
    before: Shape
    length: Dim


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pinned(Event):
    """A number stands where the size of a batch belongs, in a view or the state of a ``layer``."""

    number: int
    layer: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reread(Event):
    """What a ``first`` view has put in another order is viewed again."""

    first: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Squeezed(Event):
    """All dimensions of one are dropped, of which the batch may be one.

    It is ``even`` where every loader gives whole batches, so that none of one is what was left.
    """

    shape: Shape
    even: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SqueezedGiven(Event):
    """A module of the project is called, and gives what was squeezed in its forward."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SqueezedReturned(Event):
    """What was ``squeezed`` somewhere is what the run gives its caller."""

    squeezed: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Resized(Event):
    """What was ``squeezed`` somewhere is put into other dimensions, or these are asked about."""

    squeezed: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RankUsed(Event):
    """What was ``squeezed`` somewhere is used, with whatever dimensions are left of it.

    It is ``even`` where all comes out the same, whether the batch is among them or not.
    """

    squeezed: Spot
    even: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Beyond(Event):
    """Something is looked up that is not there: ``op`` has ``size`` of what it looks up in.

    The number that is not there is below zero where it is ``below``, else it is the largest of the
    ``span``; ``sure`` says that it is looked up in every run.
    """

    op: str
    size: Dim
    span: Span
    sure: bool
    below: bool = False
