"""TL908: models that are saved, or loaded, with their classes, and not their weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.states import WholeSaved
from torchlint.interpreter.questions import refusing
from torchlint.interpreter.trace import Claim
from torchlint.project import attempts, ownfiles
from torchlint.project.idioms import SAVED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL908",
    name="whole-model-pickle",
    level=Level.SUSPICIOUS,
    names=lambda: ("torch.load",),
    words={SAVED},
    callers=ALONE,
)
def whole_model_pickle(trace: Trace) -> Iterator[Claim]:
    """A model itself is saved, which `torch.load` refuses to load by default."""
    for saved in trace.of(WholeSaved):
        message = (
            f"this pickles the {saved.cls} itself: `torch.load` refuses it since torch 2.6, and it "
            "breaks when the class moves; save `state_dict()`"
        )
        is_meant = attempts.is_recorded_otherwise(saved.spot.region, saved.spot.node)
        yield Claim(saved.spot, message, level=Level.PEDANTIC if is_meant else None)
    for more in refusing.saved_and_refused(trace):
        what = f"`{more.key}` is" if more.key else "this is"
        message = (
            "`torch.load` refuses this file since torch 2.6, where it takes tensors and plain "
            f"values if not told otherwise: {what} {more.kind}"
        )
        level = Level.PEDANTIC if ownfiles.is_of_test(more.spot) else None
        yield Claim(more.spot, message, level=level)
    for call, shows in refusing.refused_loads(trace):
        message = (
            "`torch.load` refuses this file since torch 2.6, where `weights_only` is True if not "
            f"given: `{shows}` shows that it holds more than weights"
        )
        yield Claim(call.spot, message)
