"""TL217: a training that cannot be repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import seeds
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL217",
    name="unseeded",
    level=Level.PEDANTIC,
    words={"backward()"},
    callers={"backward()"},
)
def unseeded(trace: Trace) -> Iterator[Claim]:
    """A program trains and sets no seed: no two of its runs are alike."""
    for trained, step in seeds.unseeded(trace):
        because = ((step.spot, "it trains here"),)
        yield Claim(trained.spot, "no seed is set: no two runs of this training are alike", because)
