"""Events of what is named: the mentions of an API, wherever they stand in a file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Arguments


class Use(Enum):
    """What is done with what a name stands for."""

    CALLED = auto()
    DECORATES = auto()
    HANDED_ON = auto()
    IMPORTED = auto()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Named(Event):
    """A name of an API is used; ``guarded`` if the program asks first whether it is there.

    Of a call, ``arguments`` are known where they are literals, and ``discarded`` says that nobody
    takes its value.
    """

    name: str
    use: Use
    guarded: bool
    arguments: Arguments
    discarded: bool = False
