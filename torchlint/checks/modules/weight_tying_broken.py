"""TL418: weights that are tied by their memory alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import layers
from torchlint.interpreter.trace import Claim
from torchlint.project.given import HALF_TIED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL418",
    name="weight-tying-broken",
    level=Level.SUSPICIOUS,
    words={HALF_TIED},
    callers=ALONE,
)
def weight_tying_broken(trace: Trace) -> Iterator[Claim]:
    """Two layers get the same memory for their weights, and not the same parameter."""
    for tie in layers.half_tied(trace):
        message = (
            "these are two parameters with one memory: each gets a gradient of its own, "
            "and they part when the model is moved; assign the parameter itself"
        )
        # A whole network that has the memory of another may be there to be applied, not trained.
        yield Claim(tie.spot, message, level=Level.PEDANTIC if tie.walked else None)
