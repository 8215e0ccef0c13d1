"""Events of loaders as they are built: of what, and with which settings."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.events.data import Pass
    from torchlint.interpreter.values import Spot, Value

MAP, STREAM = "map", "stream"


@dataclass(frozen=True, slots=True, eq=False)
class Portion:
    """What a loader has of a dataset, which does not change: all of it, or what ``cuts`` leave.

    A cut is a part of a random split, by the number of its event and its place in it, or the
    address of a list of indices; the first one was made last.
    """

    base: int
    cuts: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Split(Event):
    """A dataset is split at random into ``parts``; ``seeded`` says that the caller sees to how."""

    parts: tuple[int, ...]
    seeded: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoaderBuilt(Event):
    """A loader is built: for the ``dataset`` at an address, with settings by name, later ones too.

    ``open`` says that there may be other settings. ``style`` is `MAP` or `STREAM` where it is known
    how items are had. ``mixed`` says that the items are in a random order anyway, since they were
    drawn at random, or the dataset sees to the order itself. ``length`` is how many there are, and
    ``portion`` what it has of which dataset, where that is known; ``augmented`` is where a
    transform of its items draws at random.
    """

    loader: int
    dataset: int | None
    base: int | None = None
    settings: dict[str, Value] = field(default_factory=dict)
    open: bool = False
    style: str = ""
    mixed: bool = False
    length: int | None = None
    portion: Portion | None = None
    augmented: Spot | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Trained(Event):
    """Lightning is given a ``loader``, to train on it epoch after epoch."""

    loader: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Source(Event):
    """A ``stream`` goes through something; ``whole`` says that every worker does through all.

    It does through an ``inner`` stream as through what that has.
    """

    stream: int
    whole: bool
    inner: int = 0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WorkerAsked(Event):
    """A worker asks which of them it is."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Imported(Event):
    """A statement of the top level leads to a loop over loaders, also where a file is imported."""

    what: Pass


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoneNorm(Event):
    """Batch norm is applied to one value for each sample and channel; ``sure`` if that is known."""

    sure: bool
