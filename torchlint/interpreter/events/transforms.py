"""Events of the transforms of images."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot, Value


@dataclass(frozen=True, slots=True)
class Step:
    """A transform among others: the name of its class, where it is built, and its arguments.

    ``draws`` says that what it does is another thing each time, ``channels`` how many of an image
    it gives, or has numbers for.
    """

    name: str
    spot: Spot
    settings: tuple[tuple[str, Value], ...] = ()
    draws: bool = False
    channels: int | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Made(Event):
    """A transform is built; its arguments are by position or name."""

    transform: int
    name: str
    settings: tuple[tuple[str, Value], ...] = ()
    draws: bool = False
    channels: int | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OneChannel(Event):
    """A dataset whose images have one channel is built, with transforms for them."""

    dataset: str
    transforms: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Composed(Event):
    """Transforms are put together; a step of which nothing is known is None.

    ``lenient`` says that they pass on what they do not know.
    """

    transforms: int
    steps: tuple[Step | None, ...]
    lenient: bool = False
