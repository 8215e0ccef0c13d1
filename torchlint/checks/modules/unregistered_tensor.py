"""TL403: a plain tensor of a module, which stays behind when the module moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import devices
from torchlint.interpreter.trace import Claim
from torchlint.project.classwords import PLAIN_TENSOR
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL403",
    name="unregistered-tensor",
    level=Level.SUSPICIOUS,
    inside={PLAIN_TENSOR},
)
def unregistered_tensor(trace: Trace) -> Iterator[Claim]:
    """A module keeps a tensor as a plain attribute, and computes with it what moves with it."""
    for kept, meeting in devices.left_behind(trace):
        what = "is a plain tensor: `to()` and `cuda()` leave it where it is, and what it is"
        if kept.several:
            what = "holds plain tensors: `to()` and `cuda()` leave them where they are, and what "
            what += "one of them is"
        message = f"`self.{kept.name}` {what} combined with goes along"
        because = ((meeting.spot, "here it meets a tensor that lives where the module was moved"),)
        level = None
        if meeting.other.accelerator:
            level = Level.CORRECTNESS
        elif not meeting.moves:
            level = Level.PEDANTIC
        repair = (
            fixing.register_buffer(kept.spot, kept.name)
            if kept.begun and not kept.several
            else None
        )
        yield Claim(kept.spot, message, because, level=level, repair=repair)
