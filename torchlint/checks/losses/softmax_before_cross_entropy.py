"""TL301: probabilities where cross entropy expects logits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import losses
from torchlint.interpreter.ranges import Kind
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL301",
    name="softmax-before-cross-entropy",
    level=Level.CORRECTNESS,
    words={"cross_entropy", "CrossEntropyLoss"},
    callers={"cross_entropy", "CrossEntropyLoss"},
)
def softmax_before_cross_entropy(trace: Trace) -> Iterator[Claim]:
    """Cross entropy takes logits; it is given probabilities."""
    for loss in losses.losses(trace, "cross_entropy"):
        given = loss.input.range
        if given is None or not given.normalised:
            continue
        repair = fixing.unwrap(given.by, loss.spot) if given.sole else None
        if given.kind is Kind.LOG_PROBABILITIES:
            message = (
                "cross entropy applies log_softmax itself; to log-probabilities that changes "
                "nothing and is redundant work"
            )
            yield Claim(loss.spot, message, loss.chain, level=Level.PEDANTIC, repair=repair)
        else:
            got = "probabilities" if given.kind is Kind.PROBABILITIES else "values in [0, 1]"
            message = f"cross entropy expects logits, gets {got}: {given.op} is applied before it"
            yield Claim(loss.spot, message, loss.chain, repair=repair)
