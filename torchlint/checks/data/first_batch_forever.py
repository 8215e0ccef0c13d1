"""TL610: a training loop that begins its loader anew for each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import data
from torchlint.interpreter.trace import Claim
from torchlint.project.datawords import FIRST
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL610",
    name="first-batch-forever",
    level=Level.CORRECTNESS,
    words={FIRST},
    callers={FIRST},
)
def first_batch_forever(trace: Trace) -> Iterator[Claim]:
    """A training loop begins its loader anew in each step, and gets the first batch each time."""
    for begun, built in data.first_batches(trace):
        message = (
            "the loader begins anew in each round, and does not shuffle: every step gets the "
            "first batch again"
        )
        yield Claim(begun.spot, message, ((built.spot, "the loader is built here"),))
