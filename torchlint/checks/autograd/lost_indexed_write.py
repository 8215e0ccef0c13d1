"""TL119: a write that lands in a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.autograd import LostWrite, RepeatedWrite
from torchlint.interpreter.trace import Claim
from torchlint.project.words import ADDED_AT_INDEX, COPY_WRITE
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL119",
    name="lost-indexed-write",
    level=Level.CORRECTNESS,
    words={ADDED_AT_INDEX, COPY_WRITE},
    callers=ALONE,
)
def lost_indexed_write(trace: Trace) -> Iterator[Claim]:
    """A value is lost: in a copy that nothing holds, or as one of several added at one index."""
    for write in trace.of(LostWrite):
        message = (
            "this writes into a copy of some elements, and not into the tensor that they are from: "
            "nothing keeps the copy"
        )
        yield Claim(write.spot, message, ((write.copied, "the copy is taken here"),))
    for added in trace.of(RepeatedWrite):
        message = (
            "an index that comes twice is added to once, and what else was to be added is lost: "
            "`index_add_` or `index_put_(..., accumulate=True)` adds all, `torch.bincount` counts"
        )
        because = ((added.made, added.reason),)
        yield Claim(added.spot, message, because, level=Level.SUSPICIOUS)
