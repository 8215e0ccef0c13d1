"""TL614: an iterator that has nothing left for the second epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.data import Exhausted
from torchlint.interpreter.trace import Claim
from torchlint.project.datawords import ITERATOR
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL614",
    name="exhausted-loader",
    level=Level.SUSPICIOUS,
    words={ITERATOR},
    callers=ALONE,
)
def exhausted_loader(trace: Trace) -> Iterator[Claim]:
    """A generator or iterator is built once and iterated in every epoch: the second is empty."""
    for loop in trace.of(Exhausted):
        again = loop.spot == loop.before
        message = "this iterator has come to its end" + (
            " in the round before: from the second on the loop has no items"
            if again
            else " in a loop before this one, which has no items"
        )
        because = () if again else ((loop.before, "it is iterated to its end here"),)
        yield Claim(loop.spot, message, because)
