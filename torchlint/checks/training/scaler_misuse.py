"""TL207: a gradient scaler whose protocol is not kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import scalers
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.training import ScalerCall
    from torchlint.interpreter.trace import Trace

_WORDS = frozenset({"GradScaler()", "unscale_()"})


@check(
    code="TL207",
    name="scaler-misuse",
    level=Level.CORRECTNESS,
    words=_WORDS,
    callers=_WORDS,
)
def scaler_misuse(trace: Trace) -> Iterator[Claim]:
    """Scaled gradients are stepped with as they are, or a scaler's calls are out of order."""
    for step, backward in scalers.plain_steps(trace):
        because = ((backward, "this backward is of a scaled loss"),)
        message = "the optimizer steps with scaled gradients: step through the scaler"
        level = Level.SUSPICIOUS if scalers.is_guessed(trace, step) else None
        yield Claim(step.spot, message, because, level=level)
    for call, backward in scalers.unscaled(trace):
        because = ((backward, "this backward is of a loss that was not scaled"),)
        message = "the scaler divides gradients by a scale that they were not multiplied by"
        yield Claim(call.spot, message, because, level=_level(call))
    for call, first in scalers.repeated(trace):
        because = ((first.spot, f"`{first.method}` was called here, and no `update` since"),)
        message = f"`{call.method}` follows `{first.method}` without an `update` in between"
        yield Claim(call.spot, message, because, level=_level(call))
    for call, update in scalers.left_behind(trace):
        because = ((update.spot, "the scaler is updated in some rounds only"),)
        message = (
            f"`{call.method}` comes in every round, and `update` in some: where the round before "
            "had none, it raises"
        )
        yield Claim(call.spot, message, because, level=Level.SUSPICIOUS)
    for update, call in scalers.early_updates(trace):
        because = ((call.spot, "the scaler steps only here"),)
        message = "the scaler is updated before it has stepped"
        yield Claim(update.spot, message, because, level=_level(update))


def _level(call: ScalerCall) -> Level | None:
    """Where only a name says that there is a scaler, it may be something else."""
    return Level.SUSPICIOUS if call.scaler.hinted else None
