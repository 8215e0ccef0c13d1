"""Activations: calls in progress, the loops in them, and what had to come out one way so far."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter import syntax
    from torchlint.interpreter.state import State, Switches
    from torchlint.interpreter.values import Function, Round, Spot, Value


@dataclass(slots=True)
class Activation:
    """A call in progress, ``called`` somewhere: its returns and the exits of its loops come here.

    ``receiver`` is the object whose method it is, ``frame`` holds its variables; ``tests`` decide
    on what runs now, ``flags`` are those for a device that they found true, and ``left`` are those
    that decided on a return. ``undecided`` counts what had to come out one way, and may not have,
    to get here; ``tries`` those around the call; ``suspended`` is how things are switched
    where it yields, ``began`` how they were as its body began, and ``cycled`` the loaders whose
    batches it yields, in epoch after epoch.
    """

    function: Function | None
    returns: list[tuple[State, Value]] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    rounds: tuple[Round, ...] = ()
    forks: int = 0
    receiver: Value | None = None
    frame: int = 0
    tests: tuple[Spot, ...] = ()
    flags: tuple[str, ...] = ()
    left: list[Spot] = field(default_factory=list)
    undecided: int = 0
    tries: int = 0
    suspended: list[Switches] = field(default_factory=list)
    began: Switches | None = None
    cycled: frozenset[int] = frozenset()
    called: Spot | None = None

    def is_tested(self, says: Callable[[str], object], *, returns: bool = False) -> bool:
        """Whether a test that decides on what runs now says this, or one of those on returns."""
        tests = (*self.tests, *self.left) if returns else self.tests
        return any(says(test.region.text_of(test.node)) for test in tests)

    @property
    def exits(self) -> int:
        """How many ways out of the call, or out of a round of its loops, have been taken."""
        ways = (len(loop.breaks) + len(loop.continues) for loop in self.loops)
        return len(self.returns) + sum(ways)


@dataclass(slots=True)
class Loop:
    """A loop in progress; ``node`` is None for one that is walked item by item."""

    node: syntax.Loop | None = None
    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)
