"""TL220: closures that are missing, or leave out what the optimizer needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import closures
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WORDS = frozenset({"LBFGS", "LBFGS()", "backward()"})


@check(
    code="TL220",
    name="closure-missing",
    level=Level.CORRECTNESS,
    words=_WORDS,
    callers=_WORDS,
    supersedes={"TL201"},
)
def closure_missing(trace: Trace) -> Iterator[Claim]:
    """An optimizer gets no closure, or one that returns nothing or clears no gradients."""
    for step in closures.without(trace):
        yield Claim(step.spot, "`LBFGS.step` needs a closure that computes the loss again")
    for step in closures.called(trace):
        yield Claim(step.spot, "the closure is called here: hand over the function itself")
    for step in closures.silent(trace):
        yield Claim(step.spot, "the closure returns nothing, and `LBFGS.step` needs the loss")
    for step, backward in closures.summing(trace):
        because = ((step.spot, "the closure is called several times in one step"),)
        message = "the closure clears no gradients: those of all its calls add up"
        yield Claim(backward, message, because)
