"""Events of layers that are affine maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Node, Spot, Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AffineLayer(Event):
    """A linear layer that is trained is applied: to ``given``, with ``result``.

    ``sizes`` are its numbers of inputs and outputs, as they were given where it was ``built``.
    """

    layer: int
    built: Spot
    sizes: tuple[Value | None, Value | None]
    given: Node | None
    result: Node


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HandedOut(Event):
    """A forward gives several things: who called it may use each of these."""

    nodes: tuple[Node, ...]
