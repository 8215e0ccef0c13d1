"""TL233: work in the background that nobody waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions.distributed import never_awaited
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WORDS = frozenset({"async_op", "isend()", "irecv()", "batch_isend_irecv()"})


@check(
    code="TL233",
    name="async-without-wait",
    level=Level.CORRECTNESS,
    words=_WORDS,
    callers=_WORDS,
)
def async_without_wait(trace: Trace) -> Iterator[Claim]:
    """Work is started in the background, and nothing waits until it is done."""
    for started in never_awaited(trace):
        message = (
            f"`{started.op}` goes on in the background, and nothing waits for its handle: "
            "what it reads or writes is used before it is done"
        )
        yield Claim(started.spot, message)
