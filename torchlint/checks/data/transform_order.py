"""TL616: transforms of images in an order that cannot work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import transforms
from torchlint.interpreter.trace import Claim
from torchlint.project.imagewords import MISORDERED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL616",
    name="transform-order",
    level=Level.CORRECTNESS,
    words={MISORDERED},
    callers=ALONE | {MISORDERED},
    inside={MISORDERED},
)
def transform_order(trace: Trace) -> Iterator[Claim]:
    """A transform of images stands where it gets what it cannot take."""
    for step, other, why in transforms.misplaced(trace):
        because = ((other.spot, f"`{other.name}` is here"),)
        yield Claim(step.spot, f"`{step.name}` {why}", because)
    for step, dataset in transforms.of_more_channels(trace):
        because = ((dataset.spot, f"{dataset.dataset} is loaded with it here"),)
        message = f"has {step.channels} means, and the images of {dataset.dataset} have one channel"
        yield Claim(step.spot, f"`{step.name}` {message}", because)
