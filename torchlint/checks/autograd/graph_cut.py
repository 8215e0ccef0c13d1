"""TL106: a cut in the graph between parameters and the loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.cuts import By
from torchlint.interpreter.questions import cuts
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WAYS = {By.DETACH, By.DATA, By.NUMBER, By.COPY, By.VARIABLE, By.NO_GRAD, By.WHOLE}


@check(
    code="TL106",
    name="graph-cut",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
    supersedes={"TL508", "TL509"},
)
def graph_cut(trace: Trace) -> Iterator[Claim]:
    """The graph is cut between the parameters that an optimizer holds and the loss."""
    for backward, cut in cuts.starved(trace, _WAYS):
        message = (
            f"{cut.by.value} cuts the graph here, and parameters before it that an optimizer "
            "steps never get a gradient"
        )
        yield Claim(cut.spot, message, ((backward.spot, "the backward that does not reach them"),))
    for backward, cut in cuts.replaced(trace, _WAYS):
        message = (
            f"{cut.by.value} takes the loss out of its graph here, and what the backward starts at "
            "is a leaf: it gets to no parameter"
        )
        yield Claim(cut.spot, message, ((backward.spot, "the backward that reaches none"),))
    for backward, cut in cuts.lost(trace, _WAYS):
        message = (
            f"{cut.by.value} takes a term of the loss out of the graph: it is added, and has no "
            "part in any gradient"
        )
        because = ((backward.spot, "the backward that misses it"),)
        yield Claim(cut.spot, message, because, level=Level.SUSPICIOUS)
