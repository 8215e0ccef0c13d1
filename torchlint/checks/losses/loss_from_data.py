"""TL324: an index into a tensor that has no dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.numerics import ScalarIndexed
from torchlint.interpreter.trace import Claim
from torchlint.project.words import DATA_INDEXED
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL324",
    name="loss-from-data",
    level=Level.CORRECTNESS,
    words={DATA_INDEXED},
    callers={DATA_INDEXED},
    supersedes={"TL710"},
)
def loss_from_data(trace: Trace) -> Iterator[Claim]:
    """A loss has no dimensions, so that `.data[0]` raises; its number is `.item()`."""
    for indexed in trace.of(ScalarIndexed):
        message = "this tensor has no dimensions and cannot be indexed: its number is `.item()`"
        yield Claim(indexed.spot, message, repair=fixing.take_item(indexed.spot))
