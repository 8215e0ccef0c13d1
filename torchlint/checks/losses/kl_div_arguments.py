"""TL305: arguments of the Kullback-Leibler divergence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import losses
from torchlint.interpreter.ranges import Kind
from torchlint.interpreter.trace import Claim
from torchlint.interpreter.values import FALSE, TRUE, Const
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL305",
    name="kl-div-arguments",
    level=Level.SUSPICIOUS,
    words={"kl_div", "KLDivLoss"},
    callers={"kl_div", "KLDivLoss"},
)
def kl_div_arguments(trace: Trace) -> Iterator[Claim]:
    """KLDivLoss takes log-probabilities first, and its target as log_target says."""
    for loss in losses.losses(trace, "kl_div"):
        got = losses.not_logarithms(loss.input.range)
        target = loss.target.range if loss.target is not None else None
        logarithms = loss.settings.get("log_target", FALSE)
        if got:
            message = f"the divergence takes its input as log-probabilities, gets {got}"
            yield Claim(loss.spot, message, loss.chain)
        elif not loss.is_sole:
            continue
        elif target is not None and target.kind is Kind.LOG_PROBABILITIES and logarithms == FALSE:
            message = (
                "the divergence takes its target as probabilities, gets log-probabilities: "
                "`log_target=True` says that they are"
            )
            yield Claim(loss.spot, message, loss.chain)
        elif logarithms == TRUE and losses.not_logarithms(target):
            message = "`log_target=True` says that the target is in log space, and it is not"
            yield Claim(loss.spot, message, loss.chain)
        elif loss.settings.get("reduction", Const("mean")) == Const("mean"):
            message = (
                'the mean over all elements is not the divergence: `reduction="batchmean"` '
                "divides by the batch alone"
            )
            yield Claim(loss.spot, message, loss.chain, level=Level.PEDANTIC)
