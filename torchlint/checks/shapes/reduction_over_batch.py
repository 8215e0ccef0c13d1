"""TL713: one number for a whole batch, where each sample is to have its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import overall
from torchlint.interpreter.trace import Claim
from torchlint.project.shapewords import ARGMAX
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL713",
    name="reduction-over-batch",
    level=Level.SUSPICIOUS,
    words={ARGMAX},
    callers=ALONE,
    supersedes={"TL311"},
)
def reduction_over_batch(trace: Trace) -> Iterator[Claim]:
    """A whole batch is reduced to one number, which is compared with a label of each sample."""
    for whole, met in overall.of_batches(trace):
        message = (
            f"`{whole.op}` without a dimension gives one number for the whole batch, and each "
            "sample has a label of its own: `dim=1` gives one for each"
        )
        yield Claim(whole.spot, message, ((met, "it is compared with the labels here"),))
