"""Events of what goes into the workers of a loader."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot, Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unpicklable(Event):
    """Something is made that cannot be pickled; ``shared`` is what processes must not share.

    ``sure`` says that it is made whatever the program is told.
    """

    value: int
    what: str
    shared: bool
    sure: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Closed(Event):
    """A file or the like is closed."""

    value: int


@dataclass(frozen=True, slots=True)
class Load:
    """What an attribute of a dataset holds that cannot be pickled, and where that was made.

    ``lasting`` says that processes must not share it, and that it is there in any case.
    """

    owner: str
    name: str
    what: str
    shared: bool
    lasting: bool
    spot: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetMade(Event):
    """A dataset has been built that holds these lasting ``loads``.

    ``apart`` says that the project has loaders with workers somewhere.
    """

    loads: tuple[Load, ...]
    apart: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Loaded(Event):
    """A loader with these settings is about to be built for a dataset that holds ``loads``."""

    loads: tuple[Load, ...]
    settings: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StartMethod(Event):
    """The program says how processes begin; empty where it is not known how."""

    method: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GeneratorMade(Event):
    """A generator of random numbers is made; ``fresh`` where that is for one item or one epoch."""

    generator: int
    fresh: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reseeded(Event):
    """A generator is given another state, by what does not belong to its making.

    It is None for numpy's global one.
    """

    generator: int | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Drawn(Event):
    """A method of a ``dataset`` that gives its items draws random numbers.

    ``generator`` is the one that it draws from, None for numpy's global one. ``owner`` is the class
    of the dataset, ``apart`` says that the project has loaders with workers, and does nothing about
    each of them when it begins.
    """

    dataset: int
    owner: str
    method: str
    generator: int | None
    apart: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Accelerated(Event):
    """A tensor is moved to an accelerator, or ``made`` there; ``sure`` where it can be no other.

    ``dataset`` is the one whose item it is for, by its address and the name of its class.
    """

    sure: bool
    made: int | None
    dataset: int | None
    owner: str
    apart: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Collated(Event):
    """A loader has a function that makes batches, and what it does is between two ``events``."""

    loader: int
    events: range


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TensorHeld(Event):
    """The dataset of a loader holds a ``tensor``, which was moved at ``moved`` if it was."""

    loader: int
    tensor: int
    moved: Spot | None
