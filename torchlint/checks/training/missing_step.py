"""TL202: gradients that no optimizer ever steps with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import training
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL202",
    name="missing-step",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def missing_step(trace: Trace) -> Iterator[Claim]:
    """Gradients are computed round after round, and the optimizer never steps."""
    for optimizer, backward, cleared in training.never_stepped(trace):
        because = []
        if optimizer.spot is not None:
            because.append((optimizer.spot, "the optimizer is built here"))
        if cleared is not None:
            because.append((cleared, "the gradients are cleared here without having been used"))
        message = "the gradients of this backward are never used: the optimizer takes no step"
        level = Level.SUSPICIOUS if optimizer.hinted else None
        yield Claim(backward, message, tuple(because), level=level)
