"""TL214: learning rates with which nothing, or nothing good, can be learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import rates
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL214",
    name="learning-rate",
    level=Level.SUSPICIOUS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def learning_rate(trace: Trace) -> Iterator[Claim]:
    """A learning rate of zero, below zero, or far too large for the optimizer."""
    for built, rate in rates.impossible(trace):
        message = f"a learning rate of {rate:g} moves every parameter by about as much, each step"
        if rate < 0:
            message = f"a learning rate of {rate:g} is refused: it must not be negative"
        elif rate == 0:
            message = "with a learning rate of zero nothing is learned"
        yield Claim(built.spot, message)
    for built, rate in rates.large(trace):
        message = f"a learning rate of {rate:g} is unusually large for this optimizer"
        yield Claim(built.spot, message, level=Level.PEDANTIC)
