"""TL312: losses that no gradient comes through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import losses
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL312",
    name="non-differentiable-loss",
    level=Level.CORRECTNESS,
    words={"backward()"},
    supersedes={"TL105"},
)
def non_differentiable_loss(trace: Trace) -> Iterator[Claim]:
    """Between the parameters and the loss stands an operation that has no gradient."""
    for backward, spot in losses.flat(trace):
        message = (
            "no gradient reaches the parameters: what the loss is computed from went through "
            "argmax, a rounding, a comparison or a cast to integers"
        )
        yield Claim(backward.spot, message, ((spot, "this operation has no gradient"),))
