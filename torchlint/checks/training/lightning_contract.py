"""TL240: methods of a LightningModule that do not give Lightning what it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.frameworks import (
    EarlyClip,
    HookReturned,
    OwnBackward,
    TrainerRefuses,
)
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WORDS = frozenset({"training_step", "configure_optimizers", "automatic_optimization"})


@check(
    code="TL240",
    name="lightning-contract",
    level=Level.CORRECTNESS,
    words=_WORDS,
    callers=_WORDS,
)
def lightning_contract(trace: Trace) -> Iterator[Claim]:
    """A LightningModule returns what Lightning cannot use, or does what Lightning does."""
    for hook in trace.of(HookReturned):
        yield Claim(hook.spot, f"Lightning cannot use what `{hook.hook}` gives: {hook.problem}")
    for own in trace.of(OwnBackward):
        message = (
            f"`{own.how}` under automatic optimization, where Lightning itself clears, walks "
            "back and steps: set `self.automatic_optimization = False`, or return the loss"
        )
        yield Claim(own.spot, message)
    for clip in trace.of(EarlyClip):
        message = (
            "gradients are clipped before Lightning walks back: there are none, or those of the "
            "step before; `gradient_clip_val` of the trainer has them clipped in time"
        )
        yield Claim(clip.spot, message)
    for refused in trace.of(TrainerRefuses):
        message = (
            f"`{refused.option}` is for automatic optimization, which the module that this "
            "trainer fits has switched off: Lightning refuses it"
        )
        yield Claim(refused.spot, message)
