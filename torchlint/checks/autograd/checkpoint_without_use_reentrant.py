"""TL114: a checkpoint that leaves open how its backward is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.autograd import Checkpoint
from torchlint.interpreter.trace import Claim
from torchlint.project.words import CHECKPOINT
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_TOLD_SINCE = {"checkpoint": "1.11", "checkpoint_sequential": "2.0"}
"""The release from which on each takes ``use_reentrant``."""

_ASKED_SINCE = {"checkpoint": "2.1", "checkpoint_sequential": "2.2"}
"""The release from which on each warns where it is not told."""


@check(
    code="TL114",
    name="checkpoint-without-use-reentrant",
    level=Level.SUSPICIOUS,
    words={CHECKPOINT},
)
def checkpoint_without_use_reentrant(trace: Trace) -> Iterator[Claim]:
    """Activations are checkpointed without saying in which of the two ways."""
    for call in trace.of(Checkpoint):
        if not trace.releases.reach(_ASKED_SINCE[call.function]):
            continue
        message = (
            f"`{call.function}` is not told `use_reentrant`: torch warns, takes the older variant, "
            "and means to refuse"
        )
        too_early = trace.releases.reach_below(_TOLD_SINCE[call.function])
        repair = fixing.reentrant(call.spot) if call.named and not too_early else None
        yield Claim(call.spot, message, repair=repair)
