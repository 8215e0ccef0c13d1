"""What is done to leaves, and to the tools of autograd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.autograd import LeafWrite
from torchlint.interpreter.events.graph import Backward

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def leaf_writes(trace: Trace) -> Iterator[LeafWrite]:
    """Changes in place of leaves that happen under the grad mode that the trace shows.

    A method that only writes into parameters may be there to be called without one.
    """
    trains = trace.forward or trace.program or bool(trace.of(Backward))
    for write in trace.of(LeafWrite):
        if trains or write.local:
            yield write
