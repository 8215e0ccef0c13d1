"""TL317: comparisons with NaN, which nothing equals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.numerics import ComparedWithNan
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL317",
    name="nan-equality",
    level=Level.CORRECTNESS,
    words={"==nan"},
    callers={"==nan"},
)
def nan_equality(trace: Trace) -> Iterator[Claim]:
    """Nothing equals NaN, not even NaN: the comparison always comes out the same."""
    for compared in trace.of(ComparedWithNan):
        outcome = "is False" if compared.equal else "is True"
        message = f"nothing equals NaN, so this comparison {outcome} for every value, NaN included"
        repair = fixing.test_for_nan(compared.spot) if compared.tensor else None
        level = None if compared.tensor else Level.SUSPICIOUS
        yield Claim(compared.spot, message, level=level, repair=repair)
