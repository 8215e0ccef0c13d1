"""Cuts: where a value leaves the autograd graph, and numbers that were read out of it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.amounts import Amount
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.formulas import Formula
    from torchlint.interpreter.values import Node, Spot

_MOST = 4
"""So many cuts tell why something has no graph."""


class By(Enum):
    """What cuts a graph, as a sentence says it."""

    DETACH = "`.detach()`"
    DATA = "`.data`"
    NUMBER = "a Python number"
    COPY = "a new tensor made of its values"
    VARIABLE = "`Variable`"
    NUMPY = "NumPy"
    PYTHON = "Python's own arithmetic"
    NO_GRAD = "grad mode switched off"
    WHOLE = "an operation that has no gradient"
    COLLATION = "what makes batches of its own kind"
    GRADIENT = "a gradient without `create_graph=True`"


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Where and how a graph was left; ``of`` is the graph that it would have gone on."""

    by: By
    spot: Spot
    of: Node


@dataclass(frozen=True, slots=True)
class Number:
    """A number or an array that is no tensor, and the graphs that it was read out of.

    ``array`` says that it is an array for certain, ``left`` where all that it was computed from was
    brought to the CPU, by nothing that torch does not compute as well, ``amount`` what it tells of
    batches. ``dtype`` is of what type NumPy has it, None where that is not known or it is not
    NumPy's. ``dim`` is the dimension that a whole number is, ``sizes`` the address of the tensor
    whose sizes these are; ``picture`` says that it holds any numbers from 0 to 255, ``read`` what
    the tensor was computed by that it was read out of. ``made`` says that NumPy has made it: it is
    a number of its own kind, if it is no array. ``depth`` is in how many lists, one in the other,
    such numbers are, None where that is not known. ``shape`` is that of an array.
    """

    cuts: tuple[Cut, ...] = ()
    array: bool = False
    left: Spot | None = None
    amount: Amount | None = None
    dtype: str | None = None
    dim: Dim = None
    sizes: int | None = None
    picture: bool = False
    read: Formula | None = None
    made: bool = False
    depth: int | None = 0
    shape: Shape | None = None

    @property
    def single(self) -> bool:
        """Whether it is one number, as far as is known."""
        return not self.array and self.sizes is None and self.depth == 0

    @property
    def inner(self) -> int | None:
        """In how many lists an item of it is."""
        return self.depth - 1 if self.depth else self.depth


PLAIN = Number()


def together(cuts: Iterable[Cut]) -> tuple[Cut, ...]:
    """The cuts of a value that is made of several."""
    return tuple(dict.fromkeys(cuts))[:_MOST]
