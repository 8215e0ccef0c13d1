"""TL306: targets that cross entropy refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import losses
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL306",
    name="cross-entropy-target",
    level=Level.CORRECTNESS,
    words={"cross_entropy", "CrossEntropyLoss"},
    callers={"cross_entropy", "CrossEntropyLoss"},
    supersedes={"TL701", "TL710"},
)
def cross_entropy_target(trace: Trace) -> Iterator[Claim]:
    """The target of cross entropy has a type or a shape that it refuses."""
    for kind in ("cross_entropy", "nll_loss"):
        for loss in losses.losses(trace, kind):
            wrong = losses.wrong_classes(loss)
            if wrong:
                yield Claim(loss.spot, wrong, loss.building)
