"""Events of what costs more than it has to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Node, Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Created(Event):
    """A factory makes a tensor, and nothing says on which device; ``drawn`` if at random."""

    drawn: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Moved(Event):
    """What the expression at ``source`` gives is moved to another device than the CPU.

    The statement before may have given that to a name, to which the next gives what is moved.

    ``follows`` says that it goes where a tensor is, and takes its type; what is not moved
    ``as_made`` has been cast or reshaped before. ``built`` says that it is done once for an
    object, which it builds.
    """

    source: Spot
    follows: bool
    as_made: bool
    built: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SetUp(Event):
    """A model is moved to a device where it has been built or loaded."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Compiled(Event):
    """The same thing is compiled in every round of a loop, or in every call of a forward."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Flushed(Event):
    """In every round of a loop a cache is emptied, garbage collected or the device waited for.

    What has an address above ``since`` was made in that round.
    """

    name: str
    since: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FromArrays(Event):
    """A tensor is made of a sequence that holds arrays."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Zeroed(Event):
    """Gradients are filled with zeros; ``told`` if by an argument that asks for it."""

    told: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clock(Event):
    """A clock is read, and gives the object at an address."""

    address: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Elapsed(Event):
    """One object is subtracted from another: the time between two reads, if they are such."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Worked(Event):
    """A module that was moved to a device is applied: the device has work, and nobody waits."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Waited(Event):
    """Something waits for the device; where that is not ``sure``, it may do so unseen."""

    sure: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Joined(Event):
    """Tensors are joined to a larger one."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Regrown(Event):
    """In a loop a name is given what a call makes of a list that holds its last value.

    ``call`` is where, and nothing else in the loop reads the name. ``changes`` says that the loop
    changes in place what it puts into the list, ``few`` that there are so few rounds, unless
    somebody asks for more, that it does not matter.
    """

    name: str
    call: Spot
    changes: bool
    few: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fetched(Event):
    """Something is brought to the CPU."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Returned(Event):
    """A tensor is moved that was an array, of values that were brought to the CPU at ``left``.

    ``applied`` says that a model is being applied.
    """

    left: Spot
    applied: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArrayTouched(Event):
    """An array of values that were brought to the CPU at ``left`` has got others, or may have."""

    left: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowWork(Event):
    """In a loop over rows an operation is applied that takes one row as it takes all of them."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowLoop(Event):
    """A loop computes row by row what could be computed at once, if ``lists`` become tensors."""

    lists: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Gathered(Event):
    """A list, by its address, is made a tensor, or is added up."""

    held: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Synced(Event):
    """In every round of a loop the program needs the values of a tensor that was moved."""

    how: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rebuilt(Event):
    """The same tensor is made in every round of a loop, in the memory ``storages``.

    ``changed`` says that the round before has changed it, None that this is the first round.
    """

    name: str
    storages: frozenset[int]
    changed: bool | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Weighted(Event):
    """Values are multiplied, as matrices, with what may be the weights of an attention."""

    weights: Node


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FusedAttention(Event):
    """The attention of torch is applied."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Descended(Event):
    """In a loop one leaf after the other is changed by a multiple of its own gradient."""
