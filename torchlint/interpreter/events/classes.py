"""Events of classes as they are written: what is known before any object is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot
    from torchlint.project.classes import Family
    from torchlint.project.outline import Definition


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClassSeen(Event):
    """A class that torch has a base for; ``kind`` is ``module``, ``dataset`` or ``function``."""

    family: Family
    kind: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unexpected(Event):
    """A module of torch's is built of a part whose ``forward`` does not take what it will be given.

    ``keywords`` are the arguments that are handed over ``since`` that release of torch.
    """

    keywords: tuple[str, ...]
    forward: Spot
    since: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AssignedTooEarly(Event):
    """A module is given a module or parameter before the constructor of ``nn.Module`` has run.

    ``alone`` says that no other constructor would have to run than that one and its own.
    """

    cls: Definition
    name: str
    what: str
    alone: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Absent(Event):
    """Something else than its own methods asks a module for what nothing has given it yet."""

    family: Family
    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CollectionAssigned(Event):
    """A module under construction is given a list, dict, tuple or set."""

    owner: int
    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Hidden(Event):
    """A module has been built that holds modules or parameters where it does not look for them.

    ``kind`` is what it holds them in, ``held`` what they are, ``built`` where one was made;
    ``keyed`` says that all keys are strings, and ``nested`` that there are collections within.
    """

    family: Family
    name: str
    kind: str
    held: str
    built: Spot | None
    keyed: bool
    nested: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CalledWithoutForward(Event):
    """A module that the program has built is called, and no forward of it is known."""

    family: Family
