"""Events of what is kept from one round of a loop to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.events.graph import Walk
    from torchlint.interpreter.values import Node, Round, Tensor


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Keep(Event):
    """A tensor is stored in a container that holds one from an earlier round of the loop.

    It may be ``part`` of what is stored; ``walked`` are the walks that have freed graphs on every
    way that leads there, ``made`` the rounds in which the container was made; None where it was
    there before.
    """

    container: int
    made: tuple[Round, ...] | None
    node: Node
    tensor: Tensor
    part: bool = False
    walked: tuple[Walk, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Accumulate(Event):
    """A tensor is added to a total that lives across the rounds of a loop; cf. :class:`Keep`.

    It may be ``joined`` to what there is, and so be stored.
    """

    total: Node
    address: int
    added: Tensor
    what: str
    joined: bool = False
    walked: tuple[Walk, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StepTotal(Event):
    """A step that a trainer calls for each batch adds to an attribute, ``what``, some ``parts``."""

    parts: tuple[Node, ...]
    what: str
