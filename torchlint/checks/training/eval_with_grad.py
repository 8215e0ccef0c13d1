"""TL210: an evaluation that records graphs for nobody."""

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

_NO_GRAD_SINCE = "0.4"


@check(
    code="TL210",
    name="eval-with-grad",
    level=Level.PERFORMANCE,
    words={"eval()", "backward()"},
    callers={"backward()"},
)
def eval_with_grad(trace: Trace) -> Iterator[Claim]:
    """An evaluation records graphs that nobody walks back: there is no `no_grad` around it."""
    if not trace.releases.reach(_NO_GRAD_SINCE):
        return
    for evaluation, place in modes.evaluated_with_graph(trace):
        message = "the evaluation records a graph, with all its activations, that nobody uses"
        if place is None:
            # The training goes through the same place, and needs its graph.
            told = sorted(evaluation.modes, key=lambda mode: mode.index)
            spots = [mode.spot for mode in told if mode.spot is not None]
            because = tuple((spot, "the model is in evaluation mode") for spot in spots[:1])
            message = f"{message}: `torch.set_grad_enabled` tells it from the training"
            yield Claim(evaluation.spot, message, because)
            continue
        trains = modes.trains_in_its_loop(trace, evaluation, place)
        repair = fixing.evaluated_without_grad(place, trains=trains)
        yield Claim(place, message, repair=repair)
