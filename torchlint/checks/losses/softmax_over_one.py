"""TL320: softmax along a dimension of size one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.questions import losses
from torchlint.interpreter.trace import Claim
from torchlint.project.classwords import ONE_OUTPUT
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


_WORDS = {"cross_entropy", "CrossEntropyLoss"}


@check(
    code="TL320",
    name="softmax-over-one",
    level=Level.CORRECTNESS,
    words=_WORDS,
    callers=_WORDS,
    inside={ONE_OUTPUT},
)
def softmax_over_one(trace: Trace) -> Iterator[Claim]:
    """A softmax along a dimension of size one gives ones, whatever comes in."""
    for event, gives, part in losses.over_one(trace):
        what = f"a softmax over one value gives {gives}"
        if isinstance(event, LossCall):
            what = "the cross entropy of one output is zero"
        message = f"{what} whatever it is: one output needs a sigmoid, a softmax two or more"
        yield Claim(event.spot, message, level=Level.PEDANTIC if part else None)
