"""TL422: an activation of what has just been activated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import layers
from torchlint.interpreter.trace import Claim
from torchlint.project.given import ACTIVATED_TWICE
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL422",
    name="repeated-activation",
    level=Level.SUSPICIOUS,
    words={ACTIVATED_TWICE},
    callers=ALONE,
)
def repeated_activation(trace: Trace) -> Iterator[Claim]:
    """An activation is applied twice in a row, or a ReLU straight before a softmax."""
    for event in layers.activated_twice(trace):
        if "softmax" in event.name.lower():
            message = f"`{event.before}` takes every negative score for zero before `{event.name}`"
        else:
            message = f"`{event.name}` is applied to what `{event.before}` has given"
        because = ((event.first, f"`{event.before}` is applied here"),) if event.first else ()
        yield Claim(event.spot, message, because)
