"""TL506: a tensor that meets weights, or another tensor, of a type it is not computed with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import devices
from torchlint.interpreter.trace import Claim
from torchlint.project.handed import DOUBLES, INVERTED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_BOOL_SINCE = "1.2"
"""Before this release what compares gave bytes, of which ``1 - mask`` is the rest."""


@check(
    code="TL506",
    name="dtype-mismatch",
    level=Level.CORRECTNESS,
    words={DOUBLES, INVERTED},
    callers=ALONE,
)
def dtype_mismatch(trace: Trace) -> Iterator[Claim]:
    """A tensor meets weights or another tensor of a type that it cannot be computed with."""
    for meeting, taken in devices.types_that_meet(trace):
        wanted = "floats" if meeting.wanted == "floating" else meeting.wanted
        message = f"`{meeting.name}` of {meeting.given} and {wanted} raises"
        if meeting.weights:
            message = f"`{meeting.name}` has weights of {wanted}, and {meeting.given} raises there"
        if not meeting.wanted:
            if not trace.releases.reach(_BOOL_SINCE):
                continue
            message = f"`{meeting.name}` of a {meeting.given} tensor raises: `~` inverts a mask"
        because = ((taken, "NumPy's float64 comes in here"),) if taken is not None else ()
        repair = None
        near = taken is not None and taken.region.outline is meeting.spot.region.outline
        if taken is not None and near and meeting.wanted == "float32":
            repair = fixing.as_float(taken)
        yield Claim(meeting.spot, message, because, repair=repair)
