"""Events of frameworks that own a part of the training loop."""

from __future__ import annotations

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HookReturned(Event):
    """A method that Lightning calls has returned what it cannot use, for this ``problem``."""

    hook: str
    problem: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Logged(Event):
    """A module reports a value that has a graph to its parameters."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OwnBackward(Event):
    """A module that Lightning optimises by itself has walked back by itself, as ``how`` says."""

    how: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EarlyClip(Event):
    """A module that Lightning optimises by itself clips before Lightning walks back."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TrainerRefuses(Event):
    """A trainer is given a module that its setting ``option`` is not for."""

    option: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Prepared(Event):
    """Accelerate prepares objects, with all that they hold; ``more`` says that there are others."""

    objects: frozenset[int]
    more: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ManagedBackward(Event):
    """Accelerate walks back from a loss, as it has to."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unprepared(Event):
    """A ``kind`` of object is built that takes part in a managed backward and is not prepared."""

    kind: str
