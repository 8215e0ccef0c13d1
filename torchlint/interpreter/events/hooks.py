"""Events of hooks."""

from __future__ import annotations

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HookDropped(Event):
    """A hook is registered on a module and its handle dropped, so that nobody can remove it.

    ``module`` is the module's address; ``forward`` says that this is done by a forward, on a module
    that was there before.
    """

    module: int
    forward: bool
