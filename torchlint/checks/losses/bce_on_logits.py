"""TL304: scores where binary cross entropy takes probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import losses
from torchlint.interpreter.ranges import Kind
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL304",
    name="bce-on-logits",
    level=Level.CORRECTNESS,
    words={"binary_cross_entropy", "BCELoss"},
    callers={"binary_cross_entropy", "BCELoss"},
)
def bce_on_logits(trace: Trace) -> Iterator[Claim]:
    """BCELoss takes probabilities; it is given values outside of [0, 1]."""
    for loss in losses.losses(trace, "binary_cross_entropy"):
        given = loss.input.range
        if given is None or not given.tight or (given.low >= 0 and given.high <= 1):
            continue
        got = "raw scores" if given.kind is Kind.SCORES else f"values of {given.op}"
        message = (
            f"binary cross entropy takes probabilities, gets {got}, which leave [0, 1]: "
            "a sigmoid is missing before it, or the loss is to be the one with logits"
        )
        yield Claim(loss.spot, message, loss.chain)
