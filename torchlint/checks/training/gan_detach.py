"""TL225: fakes that are attached where they should be detached, or the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import steps
from torchlint.interpreter.questions.adversaries import leaks, starved, unjudged
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL225",
    name="gan-detach",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
    supersedes={"TL106"},
)
def gan_detach(trace: Trace) -> Iterator[Claim]:
    """The discriminator's loss trains the generator, or the generator's own does not."""
    for leak in leaks(trace):
        message = (
            "this loss goes back through the discriminator into the generator, whose next step "
            "uses these gradients too: they teach it to be found out"
        )
        because = (
            (leak.judge.spot, "the discriminator's optimizer steps here"),
            (leak.judged.spot, "the generator's steps here, and has not cleared in between"),
        )
        assert leak.judged.optimizer is not None
        level = steps.level_of(leak.judged.optimizer, Level.SUSPICIOUS)
        yield Claim(leak.backward.spot, message, because, level=level)
    for found in starved(trace):
        message = (
            f"{found.cut.by.value} cuts off the generator: its own loss is computed on what has no "
            "graph, and its step finds no gradients"
        )
        because = (
            (found.backward.spot, "the generator's loss goes back to the discriminator only"),
            (found.step.spot, "the generator's optimizer steps here"),
        )
        assert found.step.optimizer is not None
        level = steps.level_of(found.step.optimizer, Level.SUSPICIOUS)
        level = level if found.seen else Level.SUSPICIOUS
        yield Claim(found.cut.spot, message, because, level=level)
    for cut, backward, step in unjudged(trace):
        message = (
            f"{cut.by.value} cuts off the generator: what the discriminator says of it has no part "
            "in what it learns"
        )
        because = (
            (backward.spot, "this part of the generator's loss goes to the discriminator only"),
            (step.spot, "the generator's optimizer steps here"),
        )
        yield Claim(cut.spot, message, because)
