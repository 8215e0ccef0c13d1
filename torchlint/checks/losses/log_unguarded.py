"""TL307: logarithms of what rounding or counting has brought to zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.numerics import Logarithm
from torchlint.interpreter.questions import numerics
from torchlint.interpreter.trace import Claim
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL307",
    name="log-unguarded",
    level=Level.SUSPICIOUS,
    words={"log(p)!"},
    inside={"log!"},
    callers=ALONE,
)
def log_unguarded(trace: Trace) -> Iterator[Claim]:
    """The logarithm of a value that can be exactly zero is minus infinity."""
    for found in numerics.hazards(trace, Logarithm):
        if numerics.only_ranked(trace, found.spot):
            continue
        zero = numerics.zero(found.edge)
        message = f"the logarithm of {zero.of} is minus infinity where {zero.where}"
        level = None if numerics.is_expected(trace, found.edge) else Level.PEDANTIC
        yield Claim(found.spot, message, ((found.edge.by, zero.note),), level=level)
