"""Numbers made of a whole batch, where each of its samples has a label or target of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import overall
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.events.shapes import OneCompared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.forms import Whole
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot


def of_batches(trace: Trace) -> Iterator[tuple[Whole, Spot]]:
    """Such numbers, and where they meet the labels or targets."""
    for event in trace.of(OneCompared):
        yield event.whole, event.spot
    for loss in trace.of(LossCall):
        form, target = loss.input.form, loss.target
        whole = form.whole if form is not None else None
        if whole is not None and target is not None and overall.several(whole, target.shape):
            yield whole, loss.spot
