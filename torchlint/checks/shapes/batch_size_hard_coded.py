"""TL705: numbers where the size of the batch belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.shapes import Pinned
from torchlint.interpreter.trace import Claim
from torchlint.project.shapewords import PINNED
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL705",
    name="batch-size-hard-coded",
    level=Level.SUSPICIOUS,
    words={PINNED},
)
def batch_size_hard_coded(trace: Trace) -> Iterator[Claim]:
    """A number stands for the size of the batch, which the program does not fix."""
    for pinned in trace.of(Pinned):
        number = pinned.number
        if pinned.layer:
            message = (
                f"the state is made for a batch of {number}, and `{pinned.layer}` takes it with no "
                "other: the size of the batch is that of the input"
            )
        else:
            message = (
                f"this view holds for a batch of {number} alone: others are refused, or their "
                "samples are mixed, as those of the last batch of an epoch"
            )
        yield Claim(pinned.spot, message)
