"""TL206: clipping that no step gets anything of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import clips
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_CLIPS = frozenset({"clip_grad_norm_()", "clip_grad_value_()", "clip_grad_norm()"})


@check(
    code="TL206",
    name="clip-misplaced",
    level=Level.CORRECTNESS,
    words=_CLIPS,
    callers=_CLIPS,
)
def clip_misplaced(trace: Trace) -> Iterator[Claim]:
    """Gradients are clipped where that does not limit what the step uses."""
    for clip in clips.clippings(trace):
        hinted = any(optimizer.hinted for optimizer in clip.optimizers)
        level = Level.SUSPICIOUS if hinted else None
        if (spot := clip.drained) is not None:
            message = "nothing is clipped: this generator of parameters has been used up"
            yield Claim(clip.spot, message, ((spot, "it is iterated here"),), level=level)
        elif (spot := clip.late()) is not None:
            message = "gradients are clipped before the backward that computes them"
            yield Claim(clip.spot, message, ((spot, "they come only here"),), level=level)
        elif (spot := clip.scaled()) is not None:
            message = (
                "gradients are clipped while they are multiplied by the scale of the scaler: "
                "call `unscale_` first"
            )
            because = ((spot, "this backward is of a scaled loss"),)
            yield Claim(clip.spot, message, because, level=level)
        elif (spot := clip.others()) is not None:
            message = "what is clipped here has no gradients: the backward was of other parameters"
            because = ((spot, "the gradients that the step uses are computed here"),)
            yield Claim(clip.spot, message, because, level=level)
        elif (spot := clip.used()) is not None:
            message = "gradients are clipped after the step that uses them"
            yield Claim(clip.spot, message, ((spot, "the optimizer steps here"),), level=level)
