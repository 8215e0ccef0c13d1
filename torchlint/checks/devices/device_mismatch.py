"""TL504: tensors of two devices in one operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.devices import Astray
from torchlint.interpreter.questions import devices
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

# Until then lengths that were on a GPU were brought back.
_HAVE_TO_STAY_SINCE = "1.7"


@check(
    code="TL504",
    name="device-mismatch",
    level=Level.CORRECTNESS,
    words={"backward()"},
    callers={"backward()"},
)
def device_mismatch(trace: Trace) -> Iterator[Claim]:
    """What was moved to a device meets what was left on the CPU."""
    for spot, met in devices.mismatches(trace):
        because = [
            (place.spot, text)
            for place, text in (
                (met.there, "this is moved to a device"),
                (met.here, "this stays on the CPU"),
            )
            if place.spot is not None
        ]
        message = (
            "what stayed on the CPU meets here what was moved to a device: wherever that is not "
            "the CPU, torch raises"
        )
        level = None if met.sure else Level.SUSPICIOUS
        yield Claim(spot, message, tuple(because), level=level)
    if not trace.releases.reach(_HAVE_TO_STAY_SINCE):
        return
    for astray in trace.of(Astray):
        message = (
            f"`{astray.what}` have to be on the CPU, wherever the sequences are: these were moved "
            "to a device, and torch raises wherever that is not the CPU"
        )
        moved = astray.there.spot
        yield Claim(astray.spot, message, ((moved, "they are moved here"),) if moved else ())
