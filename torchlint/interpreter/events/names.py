"""Events of what is named: the mentions of an API, wherever they stand in a file."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Arguments
    from torchlint.project.asking import Asking
    from torchlint.releases import Releases


class Use(Enum):
    """What is done with what a name stands for."""

    CALLED = auto()
    DECORATES = auto()
    HANDED_ON = auto()
    TOLD_APART = auto()
    SET = auto()
    IMPORTED = auto()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Named(Event):
    """A name of an API is used; ``guarded`` if the program asks first whether it is there.

    Of a call, ``arguments`` are known where they are literals, and ``discarded`` says that nobody
    takes its value; ``taker`` is the method that it is handed to. ``releases`` are those of the
    package that the name is from, which the code is to run with. What is one of several kinds
    that a call is given, or is compared with, is ``TOLD_APART``.
    ``chosen`` says that it runs where the program has asked for a device. ``conditions`` are the
    arms of the ``if``s around it, but for those that ask for a device; ``asking`` tells what others
    ask for; ``on_cuda`` says that a tensor has turned out to be there, or is to be. What a name is
    ``SET`` to is its one argument. Where warnings are ignored on purpose it is ``silenced``.
    """

    name: str
    use: Use
    guarded: bool
    arguments: Arguments
    discarded: bool = False
    taker: str = ""
    releases: Releases | None = None
    chosen: bool = False
    conditions: frozenset[tuple[int, bool]] = frozenset()
    on_cuda: bool = False
    silenced: bool = False
    asking: Asking | None = None
