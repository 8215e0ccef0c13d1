"""Events of what is there to find mistakes, and slows down every run."""

from __future__ import annotations

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Halted(Event):
    """The program waits for somebody at a debugger."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Profiled(Event):
    """All that happened in a block was recorded by a profiler that takes no breaks.

    ``start`` is the number of events before the block.
    """

    start: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class History(Event):
    """The allocator begins to record the history of the memory, or ends it."""

    begins: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Printed(Event):
    """Tensors are printed in every round of a loop."""
