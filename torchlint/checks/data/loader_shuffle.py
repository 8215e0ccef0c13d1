"""TL606: training data that comes in the same order in every epoch, and shuffled evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.data import Taken
from torchlint.interpreter.questions import loading
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL606",
    name="loader-shuffle",
    level=Level.SUSPICIOUS,
    words={"backward()", "train_dataloader"},
    callers={"backward()"},
    long_runs=True,
)
def loader_shuffle(trace: Trace) -> Iterator[Claim]:
    """A training loader does not shuffle, or the loader of an evaluation does."""
    for built, loop in loading.unshuffled(trace):
        because = ((loop.spot, "epoch after epoch trains on it here"),)
        # Whoever takes batches from a generator may take no more of them than an epoch has.
        lenient = "shuffle" in built.settings or isinstance(loop, Taken)
        lenient = lenient or loading.keeps_pairs(trace, loop)
        lenient = lenient or loading.is_asked_for(trace, built, loop)
        message = (
            "a model is trained on this loader, which does not shuffle: every epoch has the same "
            "batches in the same order"
        )
        yield Claim(built.spot, message, because, Level.PEDANTIC if lenient else None)
    for built, loop in loading.shuffled_evaluations(trace):
        because = ((loop.spot, "it is only evaluated on"),)
        message = "the loader shuffles, though a model is only evaluated on it"
        yield Claim(built.spot, message, because, Level.PEDANTIC)
