"""TL603: a Dataset that holds what no worker can be given."""

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
    code="TL603",
    name="unpicklable-in-dataset",
    level=Level.SUSPICIOUS,
    words={"Dataset", "IterableDataset"},
    callers={"Dataset", "IterableDataset"},
)
def unpicklable_in_dataset(trace: Trace) -> Iterator[Claim]:
    """A Dataset or a loader hands an open file, a lambda or a generator to its workers."""
    for load, loader in workers.unpicklable(trace):
        message = f"`{load.name}` of {load.owner} is {load.what}" + (
            ", which forked workers share, and no other worker can be given"
            if load.shared
            else ", which cannot be pickled: only forked workers can be given it"
        )
        because = () if loader is None else ((loader, "this loader has workers"),)
        yield Claim(load.spot, message, because)
