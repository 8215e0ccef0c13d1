"""TL608: a stream that every worker gives in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import loading
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL608",
    name="iterable-duplicates",
    level=Level.SUSPICIOUS,
    words={"IterableDataset"},
    callers={"IterableDataset"},
)
def iterable_duplicates(trace: Trace) -> Iterator[Claim]:
    """Every worker goes through all of an IterableDataset, so that each sample comes repeatedly."""
    for built, source, workers in loading.duplicated(trace):
        message = (
            f"each of the {workers} workers goes through the whole IterableDataset, which never "
            f"asks `get_worker_info`: every sample comes {workers} times"
        )
        yield Claim(built.spot, message, ((source.spot, "this is the same in every worker"),))
