"""TL321: a sigmoid and then binary cross entropy, in two steps."""

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
    code="TL321",
    name="sigmoid-then-bce",
    level=Level.PEDANTIC,
    words={"binary_cross_entropy", "BCELoss"},
    callers={"binary_cross_entropy", "BCELoss"},
)
def sigmoid_then_bce(trace: Trace) -> Iterator[Claim]:
    """A sigmoid and BCELoss in two steps are less exact than BCEWithLogitsLoss."""
    for loss in losses.losses(trace, "binary_cross_entropy"):
        given = loss.input.range
        if given is not None and given.kind is Kind.UNIT_INTERVAL:
            message = (
                "a sigmoid and binary cross entropy in two steps lose digits and are refused "
                "under autocast: binary cross entropy with logits does both in one"
            )
            yield Claim(loss.spot, message, loss.chain)
