"""TL810: values that are computed elsewhere than where they are and where they are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import speed
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import TRIP
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Chain, Trace


@check(
    code="TL810",
    name="cpu-roundtrip",
    level=Level.PERFORMANCE,
    words={TRIP},
)
def cpu_roundtrip(trace: Trace) -> Iterator[Claim]:
    """Values leave the device for NumPy and come back, though torch has the same operations."""
    for back, step in speed.round_trips(trace):
        because: Chain = ((back.left, "the values leave the device here"),)
        when = "in every forward"
        if step is not None:
            because = (*because, (step.spot, "each round makes a training step"))
            when = "at every training step"
        message = (
            f"what NumPy has computed is copied back {when}, and the program waits for the device "
            "before; torch computes it where the values are"
        )
        yield Claim(back.spot, message, because)
