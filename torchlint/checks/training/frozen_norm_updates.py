"""TL226: batch norm in a frozen part that goes on gathering statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import modes
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL226",
    name="frozen-norm-updates",
    level=Level.SUSPICIOUS,
    words={"backward()"},
    callers={"backward()"},
)
def frozen_norm_updates(trace: Trace) -> Iterator[Claim]:
    """The batch norm of a frozen part stays in training mode, and its statistics move."""
    for frozen, training, layer in modes.moving_norms(trace):
        message = (
            "freezing the parameters does not freeze batch norm, which is left in training mode: "
            "its statistics move with every batch"
        )
        because = [(layer.built, "batch norm is built here")] if layer.built else []
        because.append((training.spot, "applied in training mode here"))
        yield Claim(frozen, message, tuple(because))
