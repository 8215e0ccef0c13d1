"""TL108: a graph that is retained for nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import walks
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL108",
    name="retained-graph",
    level=Level.SUSPICIOUS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def retained_graph(trace: Trace) -> Iterator[Claim]:
    """A graph is retained in every round, and nothing walks through it again."""
    for backward in walks.needlessly_retained(trace):
        message = (
            "`retain_graph=True` keeps the whole graph in memory in every round, and no later "
            "backward comes through it"
        )
        yield Claim(backward.spot, message, repair=fixing.without_retained_graph(backward.spot))
