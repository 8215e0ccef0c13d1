"""Events of datasets and loaders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetModule(Event):
    """A Dataset stores, builds or calls a module that has parameters."""

    dataset: str
    module: str
    how: str
    frozen: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Loading(Event):
    """A loader is built for a dataset; ``in_process`` says that it names no workers expressly."""

    dataset: str
    in_process: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SamplerBuilt(Event):
    """A sampler of one process's share is built; ``shuffles`` says that it surely shuffles."""

    sampler: int
    shuffles: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EpochSet(Event):
    """A sampler is told the epoch; None stands for what may be any sampler."""

    sampler: int | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pass(Event):
    """A loop over loaders begins, in the order of their ``samplers``.

    ``loop`` is the number that its rounds have; ``sure`` says that it is over these loaders and no
    others, whatever way the program has come.
    """

    loop: int
    loaders: frozenset[int]
    samplers: frozenset[int]
    sure: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Cycled(Event):
    """A ``generator`` is made that yields the batches of loaders, in epoch after epoch."""

    generator: int
    loaders: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Taken(Event):
    """Something that may be a ``generator`` is asked for its next item."""

    generator: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WholeLoader(Event):
    """A loader is built that goes over all of its dataset, in whatever process."""

    loader: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RankGiven(Event):
    """Something is told the rank, and may divide data by it, or draw its own random numbers."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoaderRefused(Event):
    """A loader is built with arguments of these ``names``, for which it raises.

    It is not ``sure`` where some way of the program leaves one of them away.
    """

    names: tuple[str, ...]
    reason: str
    sure: bool = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContractBroken(Event):
    """A dataset has not the method that it is ``missing`` where something ``asks`` for it.

    The place is the name of the class.
    """

    dataset: str
    missing: str
    asks: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Begun(Event):
    """An iterator is made of a loader; ``sure`` says that the program always comes there."""

    loader: int
    sure: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OldNext(Event):
    """The iterator of a loader is asked for a batch by a method that it had for Python 2.

    Where it is not ``sure``, the loader is one by its name.
    """

    sure: bool = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Exhausted(Event):
    """A loop begins over an iterator that the loop ``before`` has surely brought to its end."""

    before: Spot
