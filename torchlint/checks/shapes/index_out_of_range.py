"""TL707: indices, labels and tokens that are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import lookups
from torchlint.interpreter.trace import Claim
from torchlint.project.layerwords import NUMBERED
from torchlint.project.sizewords import SIZED_LAYER, SIZED_TENSOR
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL707",
    name="index-out-of-range",
    level=Level.CORRECTNESS,
    words={SIZED_TENSOR, NUMBERED},
    callers={SIZED_TENSOR, NUMBERED},
    inside={SIZED_LAYER},
)
def index_out_of_range(trace: Trace) -> Iterator[Claim]:
    """An index, a label or a token is not below the number of what it stands for."""
    for found in lookups.missing(trace):
        level = None if found.sure else Level.SUSPICIOUS
        yield Claim(found.spot, found.text, found.because, level=level)
