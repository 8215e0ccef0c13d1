"""TL814: a constant that is made again in every step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import speed
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL814",
    name="constant-rebuilt",
    level=Level.PEDANTIC,
    words={"backward()"},
    callers={"backward()"},
)
def constant_rebuilt(trace: Trace) -> Iterator[Claim]:
    """The same mask, range or identity is made anew in every training step."""
    for rebuilt, step in speed.rebuilt_each_step(trace):
        because = ((step.spot, "each round makes a training step"),)
        message = (
            f"`{rebuilt.name}` makes the same tensor in every round, of values that do not "
            "change; made once before the loop it is there for all rounds"
        )
        yield Claim(rebuilt.spot, message, because)
