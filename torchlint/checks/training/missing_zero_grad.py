"""TL201: gradients that no one clears between one step and the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import training
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL201",
    name="missing-zero-grad",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def missing_zero_grad(trace: Trace) -> Iterator[Claim]:
    """Gradients of earlier steps are never cleared and add up."""
    for step, gradients in training.stale_steps(trace):
        if gradients.backward is None or gradients.step is None or step.optimizer is None:
            continue
        message = (
            "gradients are never cleared: this backward adds to those that the optimizer's "
            "last step has already used"
        )
        because = [(gradients.step, "the optimizer steps here, and its gradients stay")]
        if step.optimizer.spot is not None:
            because.insert(0, (step.optimizer.spot, "the optimizer is built here"))
        level = Level.SUSPICIOUS if step.optimizer.hinted else None
        repair = fixing.clear_before(gradients.backward, gradients.step)
        yield Claim(gradients.backward, message, tuple(because), level=level, repair=repair)
