"""Events of programs that run in several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Collective(Event):
    """An operation that all processes have to call; ``ranks`` are those that get there.

    ``grouped`` says that it is for the members of a group, whoever they are.
    """

    op: str
    ranks: frozenset[str]
    grouped: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unseen(Event):
    """Some of the processes alone call something that is not seen into."""

    ranks: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WorkStarted(Event):
    """An operation is under way from here on, and ``work`` is its handle."""

    op: str
    work: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WorkAwaited(Event):
    """Something is waited for: the work of a handle, or, for None, of any."""

    work: int | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Wrapped(Event):
    """A module, with ``modules`` in it, is wrapped to be trained in several processes."""

    wrapper: int
    modules: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WrapperCall(Event):
    """A wrapped module is called; ``late`` is where a layer is built that came in afterwards.

    ``sure`` says that it is the wrapper which is called, whatever way the program has come.
    """

    wrapper: int
    sure: bool
    late: Spot | None = None
