"""TL104: a graph that is walked back twice."""

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
    code="TL104",
    name="backward-twice",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def backward_twice(trace: Trace) -> Iterator[Claim]:
    """A graph is walked back twice, though the first walk has freed it."""
    told = set()
    for walk, earlier, node in walks.second(trace):
        told.add(walk.spot)
        again = earlier.spot == walk.spot
        first = "an earlier round" if again else f"the {walks.name(earlier)} before"
        message = (
            f"this {walks.name(walk)} comes again through a graph that {first} has freed, "
            "so that it raises"
        )
        because = ((node.spot, "the part that both share is computed here"),) if node.spot else ()
        if not again:
            because = (*because, (earlier.spot, "this frees the graph"))
        yield Claim(walk.spot, message, because)
    for walk, earlier in walks.repeated(trace):
        if walk.spot not in told:
            told.add(walk.spot)
            message = (
                "this backward() walks back once more from what the backward() before has walked "
                "back from, and freed the graph of"
            )
            because = ((earlier.spot, "this frees the graph"),)
            yield Claim(walk.spot, message, because, level=Level.SUSPICIOUS)
