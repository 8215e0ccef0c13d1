"""TL208: an evaluation with dropout at work, or batch norm that learns from it."""

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
    code="TL208",
    name="eval-in-train-mode",
    level=Level.SUSPICIOUS,
    words={"backward()"},
    callers={"backward()"},
)
def eval_in_train_mode(trace: Trace) -> Iterator[Claim]:
    """A model is measured in training mode, with its dropout and batch norm at work."""
    for evaluation, layer in modes.evaluated_in_training(trace):
        message = f"the model is evaluated in training mode, with its {layer.kind} at work"
        because = [(layer.built, f"{layer.kind} is built here")] if layer.built else []
        switches = [mode.spot for mode in evaluation.modes if mode.spot is not None]
        because += [(spot, "switched to training here") for spot in switches[:1]]
        yield Claim(evaluation.spot, message, tuple(because))
