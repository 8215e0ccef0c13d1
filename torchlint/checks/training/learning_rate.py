"""TL214: learning rates with which nothing, or nothing good, can be learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import rates
from torchlint.interpreter.trace import Claim
from torchlint.registry import check
from torchlint.ruleoptions import Limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL214",
    name="learning-rate",
    level=Level.SUSPICIOUS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
    options=(
        Limit("largest", rates.LARGE, "rates above it are unusual for an optimizer of Adam's kind"),
        Limit("largest-of-others", rates.HUGE, "rates above it are unusual for any other"),
    ),
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
    for built, rate, adaptive in rates.large(trace):
        message = f"a learning rate of {rate:g} is unusually large for this optimizer"
        about = (("largest" if adaptive else "largest-of-others", rate),)
        yield Claim(built.spot, message, level=Level.PEDANTIC, about=about)
