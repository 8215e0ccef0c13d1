"""TL416: an initialisation that initialises nothing, or will some day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.layers import AppliedNothing, Initialised, Rebound
from torchlint.interpreter.questions import classes, initialising
from torchlint.interpreter.trace import Claim
from torchlint.project.given import INIT_IDLE
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL416",
    name="init-without-effect",
    level=Level.SUSPICIOUS,
    words={INIT_IDLE},
    callers=ALONE,
    classes=True,
)
def init_without_effect(trace: Trace) -> Iterator[Claim]:
    """Weights are initialised in a copy, by a name that is going, or by a function never called."""
    for applied in trace.of(AppliedNothing):
        message = "`apply` is given what a function has returned, None: pass the function itself"
        yield Claim(applied.spot, message, level=Level.CORRECTNESS)
    for event in trace.of(Initialised):
        if event.lost:
            message = f"`{event.name}` fills a copy that nothing keeps: the parameter stays"
            yield Claim(event.spot, message)
        elif not event.name.endswith("_"):
            message = f"`{event.name}` is a deprecated name of `{event.name}_`"
            yield Claim(event.spot, message, repair=fixing.with_underscore(event.spot))
    for rebound in trace.of(Rebound):
        message = (
            f"this gives `{rebound.name}` another value in the loop, and nothing takes it: the "
            "parameter stays as it is"
        )
        yield Claim(rebound.spot, message)
    for method in initialising.idle(trace):
        message = (
            f"`{method.name}` initialises weights, and nothing calls it: they stay as they are"
        )
        yield Claim(classes.heading(method), message)
