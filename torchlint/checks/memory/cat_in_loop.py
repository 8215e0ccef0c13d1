"""TL807: a tensor that grows by copies of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import speed
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import REGROWN
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL807",
    name="cat-in-loop",
    level=Level.PERFORMANCE,
    words={REGROWN},
    callers={"backward()"},
    long_runs=True,
)
def cat_in_loop(trace: Trace) -> Iterator[Claim]:
    """A tensor grows in a loop by being copied as a whole in every round."""
    for regrown, joined in speed.joined_to_itself(trace):
        parts = "a list of clones" if regrown.changes else "a list"
        message = (
            f"`{regrown.name}` is copied as a whole in every round, so that the time grows with "
            f"the square of the rounds; {parts} and one `{joined.name}` after the loop do not"
        )
        yield Claim(regrown.spot, message, level=Level.PEDANTIC if regrown.few else None)
