"""TL223: a loop that never comes to its second batch or epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import rounds
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.statements import CutShort
    from torchlint.interpreter.trace import Chain, Trace


@check(
    code="TL223",
    name="loop-ends-early",
    level=Level.CORRECTNESS,
    words={"backward()", "for:return"},
    callers={"backward()", "for:return"},
)
def loop_ends_early(trace: Trace) -> Iterator[Claim]:
    """A loop over batches or epochs returns or breaks in its first round, on every path."""
    for short, step, certain in rounds.training_cut_short(trace):
        what = "rounds" if short.counts else "batches"
        message = f"{_statement(short)} ends the loop in its first round: no other {what} train"
        because: Chain = (
            (short.loop, "the loop starts here"),
            (step.spot, "its only round trains here"),
        )
        level = None if certain else Level.SUSPICIOUS
        yield Claim(short.spot, message, because, level=level)
    for short, event in rounds.evaluation_cut_short(trace):
        message = f"{_statement(short)} ends the loop in its first round: no other batches count"
        because = (
            (short.loop, "the loop starts here"),
            (event.spot, "its only round evaluates here"),
        )
        yield Claim(short.spot, message, because)


def _statement(short: CutShort) -> str:
    return "`return`" if short.returns else "`break`"
