"""Events of losses."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.ranges import Range
    from torchlint.interpreter.roles import Role
    from torchlint.interpreter.trace import Chain
    from torchlint.interpreter.values import Spot, Tensor, Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LossCall(Event):
    """A loss is computed from ``input``; ``kind`` is the functional's name.

    ``settings`` are the arguments other than ``input`` and ``target``, those of the constructor
    included; ``weight`` is a tensor among them, of what each class counts. ``is_sole`` is False
    where another loss may have been meant, with other settings.
    """

    kind: str
    input: Tensor
    target: Tensor | None = None
    settings: Mapping[str, Value] = field(default_factory=dict)
    weight: Tensor | None = None
    built: Spot | None = None
    is_sole: bool = True

    @property
    def chain(self) -> Chain:
        """Where the input was brought into its range, and where the loss was built."""
        if self.input.range is None:
            return self.building
        return ((self.input.range.by, f"{self.input.range.op} applied here"), *self.building)

    @property
    def building(self) -> Chain:
        """Where the loss was built."""
        return ((self.built, "the loss is built here"),) if self.built is not None else ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Normalisation(Event):
    """A softmax, a sigmoid, a logarithm or their like is applied; ``name`` is the plain function's.

    ``dim`` is None where none is given; ``demands`` says that it is then refused, and not chosen.
    ``role`` is what the first dimension of its input is, as far as the layers before tell.
    """

    name: str
    label: str
    input: Tensor
    dim: Value | None = None
    demands: bool = False
    role: Role | None = None

    @property
    def is_along_dim(self) -> bool:
        """Whether it is a function that takes a dimension."""
        return self.name not in {"sigmoid", "log"}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Chosen(Event):
    """The largest along a dimension is looked for, ``among`` what lies between these bounds."""

    among: Range
    dim: object


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Crossed(Event):
    """A column and a row of the same length give a table: each number of one with all of the other.

    One of the two is in no graph; the column was not made to be one.
    """

    column: Tensor
    row: Tensor
