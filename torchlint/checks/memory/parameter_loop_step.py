"""TL812: parameters that are updated one after the other, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import speed
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL812",
    name="parameter-loop-step",
    level=Level.PEDANTIC,
    words={"backward()"},
    callers={"backward()"},
)
def parameter_loop_step(trace: Trace) -> Iterator[Claim]:
    """A loop over the parameters makes a step that an optimizer makes for all of them at once."""
    for descended, backward in speed.stepped_by_hand(trace):
        because = ((backward.spot, "the gradients are computed here"),)
        message = (
            "parameters are moved along their gradients one by one; `torch.optim.SGD` does that "
            "for all of them at once"
        )
        yield Claim(descended.spot, message, because)
