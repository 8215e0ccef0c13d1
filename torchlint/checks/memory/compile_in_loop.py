"""TL808: a model that is compiled over and over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.speed import Compiled
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import COMPILED
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL808",
    name="compile-in-loop",
    level=Level.PERFORMANCE,
    words=COMPILED,
    callers={"backward()"},
    long_runs=True,
)
def compile_in_loop(trace: Trace) -> Iterator[Claim]:
    """The same thing is compiled, scripted or traced anew in every round or call."""
    for compiled in trace.of(Compiled):
        when = "in every round of the loop" if compiled.rounds else "in every call"
        message = f"`{compiled.name}` starts anew {when}, though what it is given stays the same"
        yield Claim(compiled.spot, message)
