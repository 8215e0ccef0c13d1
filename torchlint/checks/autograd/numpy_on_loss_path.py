"""TL123: a loss that goes by way of NumPy or of Python's numbers."""

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

_WAYS = {By.NUMPY, By.PYTHON}


@check(
    code="TL123",
    name="numpy-on-loss-path",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
    supersedes={"TL514"},
)
def numpy_on_loss_path(trace: Trace) -> Iterator[Claim]:
    """A tensor with a graph is handed to NumPy or math on its way into a loss."""
    raising = set()
    for made in walks.arrays_of_graphs(trace) if walks.walks(trace) else ():
        raising.add(made.spot)
        message = f"`{made.how}` of a tensor that requires grad raises: NumPy knows no graph"
        yield Claim(made.spot, message)
    for walk, because in walks.without_graph(trace, _WAYS):
        if any(spot in raising for spot, _ in because):
            continue
        message = (
            f"{walks.name(walk)} of a value that was computed outside of torch, "
            "which records no graph there: it raises"
        )
        yield Claim(walk.spot, message, because)
    for backward, cut in (*cuts.lost(trace, _WAYS), *cuts.starved(trace, _WAYS)):
        if cut.spot in raising:
            continue
        message = (
            f"{cut.by.value} takes this out of the graph, and its part of the loss trains nothing"
        )
        yield Claim(cut.spot, message, ((backward.spot, "the backward that misses it"),))
    for backward, cut in cuts.replaced(trace, _WAYS):
        message = (
            f"{cut.by.value} takes the loss out of its graph here, and what the backward starts at "
            "is a leaf: it gets to no parameter"
        )
        yield Claim(cut.spot, message, ((backward.spot, "the backward that reaches none"),))
