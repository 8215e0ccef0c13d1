"""TL318: numbers that float16 does not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.numerics import Fate, Unheld
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_SAID = {
    Fate.ADDS_NOTHING: "{0:g} rounds to 0 in float16, and adding it changes nothing",
    Fate.IS_ZERO: "{0:g} rounds to 0 in float16, and keeps nothing from zero",
    Fate.IS_INFINITE: "{0:g} is beyond float16, which ends at 65504, and what comes of it infinite",
    Fate.IS_REFUSED: "{0:g} is beyond float16, which ends at 65504: that raises",
}


@check(
    code="TL318",
    name="epsilon-below-half",
    level=Level.SUSPICIOUS,
    words={"half!"},
    callers={"half!"},
)
def epsilon_below_half(trace: Trace) -> Iterator[Claim]:
    """An epsilon is zero in float16, or a mask's fill is beyond it."""
    for found in trace.of(Unheld):
        message = _SAID[found.fate].format(found.number)
        if found.autocast:
            message = f"{message}; autocast makes float16 of this tensor"
        yield Claim(found.spot, message)
