"""TL711: values and indices that are used as one tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.shapes import PairUsed
from torchlint.interpreter.trace import Claim
from torchlint.project.pairwords import PAIR
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL711",
    name="reduction-returns-pair",
    level=Level.CORRECTNESS,
    words={PAIR},
    callers=ALONE,
)
def reduction_returns_pair(trace: Trace) -> Iterator[Claim]:
    """What `max`, `sort`, `topk` or `median` gives along a dimension is used as one tensor."""
    for used in trace.of(PairUsed):
        message = (
            f"`{used.op}` gives a pair of values and indices here, and {used.how} is for a tensor: "
            "`.values` or `.indices` is meant"
        )
        repair = fixing.of_pairs(used.operands, used.want) if used.want else None
        yield Claim(used.spot, message, repair=repair)
