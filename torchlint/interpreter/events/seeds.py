"""Events of the random generators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Const


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Seed(Event):
    """The global generator is seeded, with a ``constant`` if it is known to be one.

    ``within`` is the method of a model or dataset that does so, if one does, in the call that has
    the variables of ``frame``; ``restored`` says that the code around it seems to put the generator
    back.
    """

    constant: Const | None = None
    within: str = ""
    frame: int = 0
    restored: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Trained(Event):
    """A statement of a program's top level has trained something that the program has built.

    ``speaks`` says that the file speaks of seeds, or of the states of generators.
    """

    speaks: bool
