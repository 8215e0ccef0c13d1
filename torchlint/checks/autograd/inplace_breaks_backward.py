"""TL101: a change in place of what an operation keeps for its backward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.multiples import short
from torchlint.interpreter.questions import graph, overtaken, walks
from torchlint.interpreter.trace import Claim
from torchlint.interpreter.values import Certainty
from torchlint.project.words import INPLACE, OUT
from torchlint.project.writewords import AUGMENTED, TRAILING_UNDERSCORE
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL101",
    name="inplace-breaks-backward",
    level=Level.CORRECTNESS,
    words={AUGMENTED, TRAILING_UNDERSCORE, OUT, INPLACE},
    supersedes={"TL102", "TL118"},
)
def inplace_breaks_backward(trace: Trace) -> Iterator[Claim]:
    """A tensor that an operation keeps for its backward is changed in place."""
    for mutation, keeper in graph.broken(trace):
        sure = keeper.certainty is Certainty.SURE and mutation.sure and not mutation.optional
        name = short(keeper.op)
        message = (
            f"{mutation.written} changes in place what {name} keeps for its backward, "
            "so that backward raises"
        )
        if keeper.certainty is not Certainty.SURE:
            message += " if the input of this module requires grad"
        elif mutation.optional:
            message += " where it is asked to work in place"
        elif not mutation.sure:
            message += " wherever the layer has something to do"
        level = None if sure else Level.SUSPICIOUS
        if trace.forward and graph.is_for_evaluation(mutation):
            level = Level.PEDANTIC
        because = ((keeper.spot, f"{name} keeps the tensor here"),) if keeper.spot else ()
        yield Claim(
            mutation.spot,
            message,
            because,
            level=level,
            repair=fixing.out_of_place(mutation.spot),
        )
    for step, walk, node in overtaken.weights(trace):
        layer = node.op.rpartition(".")[2]
        message = (
            f"this step changes the weights that {layer} keeps for its backward, which comes only "
            "after it, so that it raises"
        )
        kept = ((node.spot, f"{layer} keeps its weights here"),) if node.spot else ()
        because = (*kept, (walk.spot, f"this {walks.name(walk)} needs them as they were"))
        is_named = step.optimizer is not None and step.optimizer.hinted
        level = Level.SUSPICIOUS if is_named else None
        yield Claim(step.spot, message, because, level=level)
