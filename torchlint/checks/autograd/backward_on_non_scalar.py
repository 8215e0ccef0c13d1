"""TL121: a backward from several values at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import walks
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL121",
    name="backward-on-non-scalar",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def backward_on_non_scalar(trace: Trace) -> Iterator[Claim]:
    """Gradients are asked of a tensor of several values without saying how much each counts."""
    for walk, because in walks.of_many_values(trace):
        message = (
            f"{walks.name(walk)} of a tensor with several values raises: "
            "reduce it first, or give a gradient for each"
        )
        yield Claim(walk.spot, message, because)
