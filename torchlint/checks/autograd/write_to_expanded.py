"""TL120: a write into elements that are one place in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.autograd import OverlapWrite
from torchlint.interpreter.trace import Claim
from torchlint.project.words import EXPANDED_WRITE
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL120",
    name="write-to-expanded",
    level=Level.CORRECTNESS,
    words={EXPANDED_WRITE},
    callers=ALONE,
)
def write_to_expanded(trace: Trace) -> Iterator[Claim]:
    """An expanded tensor, whose rows are one in memory, is written into."""
    for write in trace.of(OverlapWrite):
        if write.rows:
            message = (
                f"{write.written} into one row of an expanded tensor changes all of them: they "
                "are one in memory"
            )
        else:
            message = (
                f"{write.written} writes into an expanded tensor, several elements of which are "
                "one place in memory: that raises"
            )
        yield Claim(write.spot, message, ((write.expanded, "it is expanded here"),))
