"""TL124: a gradient in a loss that was computed without a graph of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.cuts import By
from torchlint.interpreter.questions import cuts, walks
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL124",
    name="missing-create-graph",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def missing_create_graph(trace: Trace) -> Iterator[Claim]:
    """A gradient enters a loss without ``create_graph=True``, and trains nothing there."""
    for walk, because in walks.without_graph(trace, {By.GRADIENT}):
        message = (
            f"{walks.name(walk)} of a value that is computed from a gradient, which has no graph "
            "without `create_graph=True`: it raises"
        )
        yield Claim(walk.spot, message, because)
    for backward, cut in cuts.lost(trace, {By.GRADIENT}):
        message = (
            "this gradient has no graph without `create_graph=True`, so that its part of the loss "
            "trains nothing"
        )
        yield Claim(cut.spot, message, ((backward.spot, "the backward that misses it"),))
