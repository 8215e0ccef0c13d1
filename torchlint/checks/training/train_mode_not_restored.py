"""TL209: a model that an evaluation leaves in eval, and that trains on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import modes
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL209",
    name="train-mode-not-restored",
    level=Level.CORRECTNESS,
    words={"backward()"},
    callers={"backward()"},
)
def train_mode_not_restored(trace: Trace) -> Iterator[Claim]:
    """After the first evaluation the model goes on training in evaluation mode."""
    for mode, spot, training in modes.left_in_eval(trace):
        if not training.layers:
            continue
        message = "nothing switches the model back: from the next round on it trains in eval mode"
        because = [(training.spot, "the next round trains here")]
        if not mode.rounds:
            message = "nothing switches the model back after this: it trains in eval mode"
            because = [(training.spot, "it trains here")]
        known = [layer for layer in training.known if mode in layer.modes]
        if known:
            layer = known[0]
            message += f", with its {layer.kind} switched off"
            because += [(layer.built, f"{layer.kind} is built here")] if layer.built else []
        level = None if known else Level.SUSPICIOUS
        if mode.chosen:
            level = Level.PEDANTIC
        repair = fixing.train_in_each_round(spot, training.spot)
        yield Claim(spot, message, tuple(because), level=level, repair=repair)
