"""TL804: one row after the other, where all could be computed at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import speed
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import ROWS
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL804",
    name="loop-over-tensor",
    level=Level.PERFORMANCE,
    words={ROWS},
    callers={"backward()"},
    long_runs=True,
)
def loop_over_tensor(trace: Trace) -> Iterator[Claim]:
    """A loop computes row by row what one expression on the whole tensors would compute."""
    for loop in speed.row_loops(trace):
        message = (
            "each round starts its operations anew for a single row; the same operations on the "
            "whole tensors compute all rows at once"
        )
        yield Claim(loop.spot, message)
