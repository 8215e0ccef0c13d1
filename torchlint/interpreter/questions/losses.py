"""What losses are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.losses import LossCall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def losses(trace: Trace, kind: str) -> Iterator[LossCall]:
    """The computations of a loss, by the name of its functional."""
    return (loss for loss in trace.of(LossCall) if loss.kind == kind)
