"""TL604: random numbers that are the same in all workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import workers
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL604",
    name="shared-rng-in-dataset",
    level=Level.SUSPICIOUS,
    words={"Dataset", "IterableDataset"},
    callers={"Dataset", "IterableDataset"},
)
def shared_rng_in_dataset(trace: Trace) -> Iterator[Claim]:
    """A Dataset draws from a random generator that every worker has the same copy of."""
    for drawn, source, loader in workers.alike(trace):
        because = [] if loader is None else [(loader.spot, "this loader has workers")]
        where = f"`{drawn.method}` of {drawn.owner}"
        if source is None:
            message = (
                f"{where} draws from numpy's global generator, which is the same in all workers "
                "before torch 1.9"
            )
            is_past = trace.releases.reach("1.9")
            level = Level.PEDANTIC if is_past else None
            yield Claim(drawn.spot, message, tuple(because), level=level)
        else:
            message = (
                f"{where} draws from this generator, of which each worker has a copy: all draw "
                "the same numbers"
            )
            yield Claim(source.spot, message, ((drawn.spot, "it draws here"), *because))
