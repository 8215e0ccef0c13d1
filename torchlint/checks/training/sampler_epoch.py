"""TL213: a shuffling sampler that is never told the epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions.loading import epochs_alike
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL213",
    name="sampler-epoch",
    level=Level.SUSPICIOUS,
    words={"DistributedSampler()"},
    callers={"DistributedSampler()"},
)
def sampler_epoch(trace: Trace) -> Iterator[Claim]:
    """A distributed sampler shuffles every epoch alike, since it is never told the epoch."""
    for built, loop in epochs_alike(trace):
        message = (
            "the sampler shuffles by its seed and the epoch, which nobody tells it: "
            "`set_epoch` is never called, and every epoch has the same order"
        )
        yield Claim(built.spot, message, ((loop.spot, "epoch after epoch goes over it here"),))
