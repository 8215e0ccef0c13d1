"""TL308: divisions by what can be exactly zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.edges import COMPLEMENT, EdgeKind
from torchlint.interpreter.events.numerics import Quotient
from torchlint.interpreter.questions import numerics
from torchlint.interpreter.trace import Claim
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL308",
    name="division-unguarded",
    level=Level.SUSPICIOUS,
    words={"/n!"},
    inside={"/!"},
    callers=ALONE,
)
def division_unguarded(trace: Trace) -> Iterator[Claim]:
    """Dividing by a sum, norm, deviation or count that can be zero gives NaN or infinity."""
    for found in numerics.hazards(trace, Quotient):
        zero = numerics.zero(found.edge)
        message = f"this divides by {zero.of}, which gives NaN or infinity where {zero.where}"
        far = found.edge.kind is EdgeKind.PROBABILITY and COMPLEMENT not in found.edge.detail
        far |= found.edge.kind is EdgeKind.NORM or not numerics.is_expected(trace, found.edge)
        far |= numerics.is_only_told(found.spot)
        far |= numerics.is_of_the_numbers(found.edge, found.spot)
        level = Level.PEDANTIC if far else None
        yield Claim(found.spot, message, ((found.edge.by, zero.note),), level=level)
