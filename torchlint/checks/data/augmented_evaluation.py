"""TL612: an evaluation of samples that are changed at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import splits
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL612",
    name="augmented-evaluation",
    level=Level.SUSPICIOUS,
    words={"backward()"},
    callers={"backward()"},
)
def augmented_evaluation(trace: Trace) -> Iterator[Claim]:
    """A model is evaluated on samples that a transform changes at random."""
    for built, drawn in splits.augmented(trace):
        message = (
            "a model is only evaluated on this loader, whose samples a transform changes at "
            "random: the result is another each time"
        )
        yield Claim(built.spot, message, ((drawn, "this draws at random"),))
