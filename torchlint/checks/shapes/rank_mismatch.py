"""TL710: more or fewer dimensions than are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import shapes
from torchlint.interpreter.shaping import Why
from torchlint.interpreter.trace import Claim
from torchlint.project.sizewords import SIZED_LAYER, SIZED_TENSOR
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL710",
    name="rank-mismatch",
    level=Level.CORRECTNESS,
    words={SIZED_TENSOR},
    callers={SIZED_TENSOR},
    inside={SIZED_LAYER},
)
def rank_mismatch(trace: Trace) -> Iterator[Claim]:
    """A layer or operation is given a number of dimensions that it never takes."""
    for event in shapes.refused(trace, (Why.RANK,)):
        yield Claim(
            event.spot,
            shapes.told(event, trace),
            shapes.path(trace, event),
            level=shapes.level(trace, event),
        )
