"""Events of the transforms of images."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot, Value


@dataclass(frozen=True, slots=True)
class Step:
    """A transform among others: the name of its class, where it is built, and its arguments."""

    name: str
    spot: Spot
    settings: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Made(Event):
    """A transform is built; its arguments are by position or name."""

    transform: int
    name: str
    settings: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Composed(Event):
    """Transforms are put together; a step of which nothing is known is None.

    ``second`` says that they are those of the second version of the API.
    """

    transforms: int
    steps: tuple[Step | None, ...]
    second: bool = False
