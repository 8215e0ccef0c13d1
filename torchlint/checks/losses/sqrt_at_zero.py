"""TL309: roots whose gradient at zero is infinite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.edges import EdgeKind
from torchlint.interpreter.events.numerics import Root
from torchlint.interpreter.questions import numerics
from torchlint.interpreter.trace import Claim
from torchlint.registry import ALONE, check
from torchlint.torch_api.zeros import SHUT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_SURE = frozenset({EdgeKind.TWIN, EdgeKind.PROBABILITY})
"""Kinds whose own gradient meets the infinite one, so that NaN comes of it."""


@check(
    code="TL309",
    name="sqrt-at-zero",
    level=Level.SUSPICIOUS,
    words={"sqrt!"},
    callers=ALONE,
)
def sqrt_at_zero(trace: Trace) -> Iterator[Claim]:
    """The gradient of a square root is infinite at zero, and what comes of it NaN."""
    for found in numerics.hazards(trace, Root):
        doubtful = found.edge.kind is EdgeKind.NORM
        if not (doubtful or found.edge.kind in _SURE) or SHUT in found.edge.detail:
            continue
        surely = numerics.differentiated(trace, found.spot)
        if not surely and not numerics.differentiated(trace, found.spot, by_anyone=True):
            continue
        zero = numerics.zero(found.edge)
        message = (
            f"the gradient of a root is infinite at zero; {zero.of} is zero where {zero.where}"
        )
        level = Level.PEDANTIC if doubtful or not surely else None
        yield Claim(found.spot, message, ((found.edge.by, zero.note),), level=level)
