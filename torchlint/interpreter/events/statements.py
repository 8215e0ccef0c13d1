"""Events of statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Discarded(Event):
    """The value of an expression that stands as a statement, and goes nowhere."""

    value: Value
