"""Events of state dicts: what gives them, uses them, and takes them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Load(Event):
    """A state is loaded into a module."""

    module: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StateTaken(Event):
    """A ``state`` dict is made: its tensors, with this ``memory``, are those of the ``modules``.

    ``wrapped`` says whether its names begin with ``module.``, as those of a wrapper do; None where
    the modules are from out of sight.
    """

    memory: int
    modules: frozenset[int]
    state: int
    wrapped: bool | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NamedAgain(Event):
    """Some round of a loop gives another name to a model, whose ``modules`` these are."""

    modules: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StateUsed(Event):
    """Tensors of state dicts are loaded, saved, or handed to the caller."""

    memories: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Misfit(Event):
    """A state is loaded whose names are others: ``taken`` is where it was taken.

    ``wrapped`` says that it is the module that is wrapped, and not the one that the state is of.
    """

    taken: Spot
    wrapped: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Restored(Event):
    """A module or optimizer takes over a state that was ``read``, to wherever it was before.

    ``from_cpu`` says that whatever the project saves is on the CPU then, ``on_cuda`` that what
    reads it does not run without CUDA, ``trained`` that a training has saved something just before.
    ``calls`` have led there.
    """

    read: Spot
    from_cpu: bool
    on_cuda: bool
    trained: bool
    calls: tuple[Spot, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WholeSaved(Event):
    """A module itself is saved, and not its state; ``cls`` is the name of its class."""

    cls: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MoreSaved(Event):
    """What is saved holds something that is no weight, a ``kind``, by this ``key`` of a dict."""

    key: str
    kind: str
