"""TL234: a loader that gives every process all the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions.loading import undivided
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WORDS = frozenset({"DistributedDataParallel()", "DDP()"})


@check(
    code="TL234",
    name="missing-distributed-sampler",
    level=Level.SUSPICIOUS,
    words=_WORDS,
    callers=_WORDS,
)
def missing_distributed_sampler(trace: Trace) -> Iterator[Claim]:
    """Every process trains on all of the data, since the loader has no distributed sampler."""
    for built, call in undivided(trace):
        message = (
            "the loader has no distributed sampler: every process goes over the whole dataset, "
            "and the model that they train together sees each sample once for each of them"
        )
        yield Claim(built.spot, message, ((call.spot, "the model of all processes is fed here"),))
