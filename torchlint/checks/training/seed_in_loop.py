"""TL227: a constant seed that makes every round draw the same."""

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
    code="TL227",
    name="seed-in-loop",
    level=Level.SUSPICIOUS,
    words={"backward()"},
    callers={"backward()"},
)
def seed_in_loop(trace: Trace) -> Iterator[Claim]:
    """A constant seed in the training loop or forward: every round draws the same numbers."""
    for seed in seeds.repeated(trace):
        where = f"each call of `{seed.within}`" if seed.within else "every round of the training"
        message = f"{where} starts from the same seed, and draws the same numbers"
        # That an item is always the same may be what a dataset is for.
        level = Level.PEDANTIC if seed.within not in {"", "forward"} else None
        yield Claim(seed.spot, message, level=level)
