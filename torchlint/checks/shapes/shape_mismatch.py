"""TL701: sizes that do not fit, whatever comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
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
    code="TL701",
    name="shape-mismatch",
    level=Level.CORRECTNESS,
    words={SIZED_TENSOR},
    callers={SIZED_TENSOR},
    inside={SIZED_LAYER},
)
def shape_mismatch(trace: Trace) -> Iterator[Claim]:
    """A layer or operation is given sizes that it never takes."""
    for event in shapes.refused(trace, (Why.SIZE, Why.COUNT, Why.BROADCAST)):
        found, repair = event.mismatch, None
        if event.built is not None and found.why is Why.SIZE and isinstance(found.given, int):
            repair = fixing.with_input_size(event.built, found.by, found.given)
        yield Claim(
            event.spot,
            shapes.told(event, trace),
            shapes.path(trace, event),
            repair=repair,
            level=shapes.level(trace, event),
        )
