"""Objects whose constructors wait, and what they wait with."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.values import Instance

if TYPE_CHECKING:
    from torchlint.interpreter.addresses import Kept
    from torchlint.interpreter.machine import Arguments
    from torchlint.interpreter.situations import Situation
    from torchlint.interpreter.state import Switches
    from torchlint.interpreter.values import Record, Ref, Spot, Value
    from torchlint.project.outline import Definition


@dataclass(slots=True)
class Order:
    """A constructor that waits: what it is called with, and when.

    ``given`` are collections as they were then, ``made`` is what has been made of it on some way
    that the program may take: on others it is the same.
    """

    definition: Definition
    arguments: Arguments
    spot: Spot
    kept: Kept
    situation: Situation
    switches: Switches
    given: dict[Ref, Record]
    made: dict[int, Record] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unbuilt(Instance):
    """An object of the project's whose constructor waits until somebody looks into it.

    What happens to it as a whole meanwhile is kept as for any.
    """

    order: Order | None = None

    @property
    def given(self) -> list[Value]:
        """What its constructor is called with, and may keep."""
        return [*self.order.arguments.values()] if self.order is not None else []
