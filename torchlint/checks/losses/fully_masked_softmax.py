"""TL319: rows of which a mask leaves nothing to a softmax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.numerics import MaskedSoftmax
from torchlint.interpreter.questions import numerics
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL319",
    name="fully-masked-softmax",
    level=Level.SUSPICIOUS,
    words={"-inf!"},
)
def fully_masked_softmax(trace: Trace) -> Iterator[Claim]:
    """A softmax over a row that is minus infinity throughout gives NaN."""
    for found in numerics.hazards(trace, MaskedSoftmax):
        message = "a row that is masked whole comes out of the softmax as NaN"
        because = ((found.edge.by, "minus infinity is put in here"),)
        yield Claim(found.spot, message, because)
