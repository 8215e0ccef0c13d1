"""TL105: a backward that has nothing to walk back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import walks
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL105",
    name="backward-without-graph",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def backward_without_graph(trace: Trace) -> Iterator[Claim]:
    """Gradients are asked of a value that is in no graph."""
    for walk, because in walks.without_graph(trace):
        reason = "was cut off its graph" if because else "is computed from nothing that is trained"
        message = f"{walks.name(walk)} starts at a value that {reason}, so that it raises"
        # Without a cut to show, callers out of sight may have seen to the graph.
        level = None if because or trace.program else Level.PEDANTIC
        yield Claim(walk.spot, message, because, level=level)
