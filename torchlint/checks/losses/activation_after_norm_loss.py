"""TL316: scores that an activation cuts off before a loss."""

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
    code="TL316",
    name="activation-after-norm-loss",
    level=Level.SUSPICIOUS,
    words={
        "cross_entropy",
        "CrossEntropyLoss",
        "binary_cross_entropy_with_logits",
        "BCEWithLogitsLoss",
    },
    callers={
        "cross_entropy",
        "CrossEntropyLoss",
        "binary_cross_entropy_with_logits",
        "BCEWithLogitsLoss",
    },
)
def activation_after_norm_loss(trace: Trace) -> Iterator[Claim]:
    """A loss on logits is given scores that an activation has cut off at zero."""
    for kind in ("cross_entropy", "binary_cross_entropy_with_logits"):
        for loss in losses.losses(trace, kind):
            given = loss.input.range
            if given is not None and given.kind is Kind.RECTIFIED:
                message = (
                    f"{given.op} is the last operation before the loss: logits below zero "
                    "cannot come out, and where it is zero nothing is learnt"
                )
                yield Claim(loss.spot, message, loss.chain)
