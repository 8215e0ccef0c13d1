"""Forms: how the dimensions of a tensor have come about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True)
class Whole:
    """One number that ``op`` has made of all of a tensor, which is at an address and of a shape.

    ``compared`` is where it was compared with something, of which the result is.
    """

    spot: Spot
    op: str
    source: int
    shape: Shape | None
    compared: Spot | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """What is known of how a tensor's dimensions came about: ``whole`` of one that has none."""

    whole: Whole | None = None


def joined(one: Form | None, other: Form | None) -> Form | None:
    """What two forms have in common."""
    return one if one == other else None
