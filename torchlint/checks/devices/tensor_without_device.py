"""TL501: a tensor that is made on the default device and meets one that is elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import devices
from torchlint.interpreter.trace import Claim
from torchlint.project.factories import IN_STEP, JOINED, PLACELESS
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL501",
    name="tensor-without-device",
    level=Level.SUSPICIOUS,
    words={PLACELESS},
    alone={IN_STEP, JOINED},
)
def tensor_without_device(trace: Trace) -> Iterator[Claim]:
    """A tensor is created without a device and combined with one that may be on another."""
    for meeting, likely in devices.meetings(trace):
        factory = meeting.factory
        because = [(meeting.spot, "here it meets a tensor that lives elsewhere")]
        if meeting.other.spot is not None:
            because.insert(0, (meeting.other.spot, "the other tensor is moved here"))
        message = "the tensor is created on the default device, and combined with one on another"
        level = None
        if meeting.other.accelerator:
            level = Level.CORRECTNESS
        elif not likely:
            level = Level.PEDANTIC
        repair = fixing.follow_argument(factory)
        yield Claim(factory, message, tuple(because), level=level, repair=repair)
