"""TL216: a state that is kept and changes all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import states
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.training import Step
    from torchlint.interpreter.trace import Trace


@check(
    code="TL216",
    name="best-state-alias",
    level=Level.CORRECTNESS,
    words={"backward()"},
    callers={"backward()"},
)
def best_state_alias(trace: Trace) -> Iterator[Claim]:
    """A state that is kept without a copy changes with every further step."""
    for state, step, use in states.overtaken(trace):
        message = (
            "a state dict holds the parameters themselves: what is kept here changes with every "
            "further step"
        )
        because = ((step.spot, "this step changes it"), (use.spot, "it is used here"))
        yield Claim(
            state.spot,
            message,
            because,
            level=_level(step),
            repair=fixing.deep_copy(state.spot),
        )
    for named, name, step in states.second_names(trace):
        message = f"`{name}` is the model itself, not what it was at its best: it is trained on"
        yield Claim(
            named.spot,
            message,
            ((step.spot, "this step changes it"),),
            level=_level(step),
            repair=fixing.deep_copy(named.spot),
        )


def _level(step: Step) -> Level | None:
    """A lower level where the optimizer comes from out of sight, with what it holds."""
    known = step.optimizer is not None and step.optimizer.parameters is not None
    return None if known else Level.SUSPICIOUS
