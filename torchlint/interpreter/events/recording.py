"""Events of code that is recorded as it runs, or compiled."""

from __future__ import annotations

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Decided(Event):
    """Code that is recorded or compiled needs a tensor's value to go on.

    ``recorder`` is what records it, ``how`` the value is asked for: ``if`` and its like for a
    decision.
    """

    recorder: str
    how: str
