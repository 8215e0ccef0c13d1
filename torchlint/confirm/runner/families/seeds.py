"""Claims about seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..claims import NOTHING, Watches

if TYPE_CHECKING:
    from ..claims import Training
    from ..tally import Answer


def _same_again(training: Training) -> Answer:
    """Whether the generator is in the same state each time, a step of training apart."""
    steps, state = training.counts["step"], torch.get_rng_state()
    before = training.memory.get("before")
    training.memory["before"] = (steps, state)
    if before is None:
        return None
    apart = steps - before[0]
    if not 1 <= apart <= max(1, len(training.optimizers)):
        return None
    if not torch.equal(before[1], state):
        return False
    return f"after {steps} steps the generator is in the state that it had before the last one"


seed_in_loop = Watches("line", _same_again, times=2, matters=NOTHING)
