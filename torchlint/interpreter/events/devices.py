"""Events of devices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Device, Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Meeting(Event):
    """A tensor made without a device meets one that lives elsewhere."""

    factory: Spot
    other: Device
    moves: bool = True
