"""TL122: a loss that is computed where nothing is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.cuts import By
from torchlint.interpreter.questions import walks
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL122",
    name="training-under-no-grad",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def training_under_no_grad(trace: Trace) -> Iterator[Claim]:
    """The forward whose loss is walked back runs with the grad mode switched off."""
    for walk, because in walks.without_graph(trace, {By.NO_GRAD}):
        message = (
            f"{walks.name(walk)} of what was computed with the grad mode switched off, "
            "where no graph is recorded: it raises"
        )
        yield Claim(walk.spot, message, because)
