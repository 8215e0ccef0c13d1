"""TL303: the negative log-likelihood of what is no logarithm."""

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
    code="TL303",
    name="nll-without-log-softmax",
    level=Level.CORRECTNESS,
    words={"nll_loss", "NLLLoss"},
    callers={"nll_loss", "NLLLoss"},
)
def nll_without_log_softmax(trace: Trace) -> Iterator[Claim]:
    """NLLLoss takes log-probabilities; it is given scores or probabilities."""
    for loss in losses.losses(trace, "nll_loss"):
        got = losses.not_logarithms(loss.input.range)
        if got:
            message = (
                f"the negative log-likelihood takes log-probabilities, gets {got}: "
                "log_softmax is missing before it"
            )
            yield Claim(loss.spot, message, loss.chain)
