"""TL702: a squeeze that takes the batch along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter import shapes
from torchlint.interpreter.questions import shapes as questions
from torchlint.interpreter.trace import Claim
from torchlint.project.shapewords import SQUEEZED
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL702",
    name="squeeze-drops-batch",
    level=Level.SUSPICIOUS,
    words={SQUEEZED},
)
def squeeze_drops_batch(trace: Trace) -> Iterator[Claim]:
    """`squeeze()` without a dimension drops the batch as well, where it holds one sample."""
    for squeezed, matters in questions.lost_batches(trace):
        others = squeezed.shape[1:]
        ones = [at - len(others) for at, dim in enumerate(others) if dim == 1]
        which = str(ones[0]) if len(ones) == 1 else f"({', '.join(map(str, ones))})"
        call = "squeeze(dim)" if None in others else f"squeeze({which})"
        message = (
            f"`squeeze()` of {shapes.written(squeezed.shape)} drops the batch as well where it "
            f"holds one sample: `{call}` says which dimension is meant"
        )
        yield Claim(squeezed.spot, message, level=None if matters else Level.PEDANTIC)
