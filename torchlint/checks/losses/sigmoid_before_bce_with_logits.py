"""TL302: values in [0, 1] where binary cross entropy with logits expects logits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import losses
from torchlint.interpreter.ranges import Kind
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL302",
    name="sigmoid-before-bce-with-logits",
    level=Level.CORRECTNESS,
    words={"binary_cross_entropy_with_logits", "BCEWithLogitsLoss"},
    callers={"binary_cross_entropy_with_logits", "BCEWithLogitsLoss"},
)
def sigmoid_before_bce_with_logits(trace: Trace) -> Iterator[Claim]:
    """BCEWithLogitsLoss applies the sigmoid itself; it is given values in [0, 1]."""
    for loss in losses.losses(trace, "binary_cross_entropy_with_logits"):
        given = loss.input.range
        if given is None or given.kind not in {Kind.PROBABILITIES, Kind.UNIT_INTERVAL}:
            continue
        message = (
            f"binary cross entropy with logits applies the sigmoid itself, but {given.op} has "
            "already been applied to its input"
        )
        repair = fixing.unwrap(given.by, loss.spot) if given.sole else None
        yield Claim(loss.spot, message, loss.chain, repair=repair)
