"""Events of layers of sequences, and of what is read of their outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.values import Node, Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sequenced(Event):
    """A layer that takes time first is given a tensor of some shape.

    ``result`` is the address of its output; ``fed`` says that what comes first is a batch as a
    loader makes it, ``state`` how many samples its first state is for, ``made`` that a dimension
    for a single sample may have been made just before. ``placed`` says that the samples of an image
    layer come first in it, and their places second; ``node`` is that of what it is given.
    """

    kind: str
    result: int
    shape: Shape | None
    built: Spot | None
    fed: bool
    state: Dim = None
    made: bool = False
    placed: bool = False
    node: Node | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StepsRead(Event):
    """Of the tensor at an address the last is read along the second dimension, or all as one.

    ``note`` says what that is, where the samples of a batch are there.
    """

    of: int
    note: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Positioned(Event):
    """To a tensor a table of the module's is added that has one for all of the first dimension.

    It was cut along the second, where the steps of time are then.
    """
