"""Events of custom functions of autograd."""

from __future__ import annotations

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WrongCount(Event):
    """A backward gives another number of gradients than its forward has inputs."""

    given: int
    wanted: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class UnmarkedWrite(Event):
    """A forward changes one of its inputs in place, and does not mark it."""

    how: str

    @property
    def written(self) -> str:
        """How the change is written, for a sentence."""
        return self.how if " " in self.how else f"`{self.how}`"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FunctionCalled(Event):
    """An object of a custom function is called."""

    cls: str
