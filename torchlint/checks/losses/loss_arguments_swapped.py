"""TL313: target first, prediction second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import losses
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


_WORDS = {
    *("cross_entropy", "CrossEntropyLoss"),
    *("binary_cross_entropy", "BCELoss"),
    *("binary_cross_entropy_with_logits", "BCEWithLogitsLoss"),
}


@check(
    code="TL313",
    name="loss-arguments-swapped",
    level=Level.CORRECTNESS,
    words=_WORDS,
    callers=_WORDS,
    supersedes={"TL306", "TL701", "TL710"},
)
def loss_arguments_swapped(trace: Trace) -> Iterator[Claim]:
    """A loss is given the target first and the prediction second."""
    for loss, shown in losses.swapped(trace):
        message = f"the loss takes the prediction first and the target second: here {shown}"
        yield Claim(loss.spot, message, loss.building)
