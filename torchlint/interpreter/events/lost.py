"""Events of methods that were meant to be called, and of names that were meant to stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Tensor


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Uncalled(Event):
    """A method of a module, tensor, optimizer or scheduler is named and not called.

    ``owner`` says what it is of; ``saved`` that it was meant to be saved.
    """

    name: str
    owner: str
    saved: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Renamed(Event):
    """The name of a module or optimizer is given to what its method gives, or to the method.

    ``spot`` is the value's; ``named`` says that no other name is left for the object, ``alone``
    that it had none before, and ``seen`` is False where only its use tells that it is a module.
    """

    method: str
    owner: str
    called: bool
    alone: bool
    seen: bool = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Dropped(Event):
    """A method that leaves its tensor as it is stands as a statement, and its result is lost.

    ``tensor`` is what it is called on, None where only the object at ``address`` is known;
    ``written`` says that the same statement has changed it in place before.
    """

    name: str
    address: int
    tensor: Tensor | None
    written: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArrayDropped(Event):
    """A method that leaves NumPy's array as it is, and gives another, stands as a statement."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LayerDropped(Event):
    """A method that leaves its layer as it is, and gives another, stands as a statement."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FlagRead(Event):
    """``tensor.requires_grad`` stands as a statement, and nobody looks at it."""
