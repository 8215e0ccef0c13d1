"""TL507: an index or a mask of the wrong type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.devices import WrongIndex
from torchlint.interpreter.trace import Claim
from torchlint.project.handed import INDEXED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL507",
    name="index-dtype",
    level=Level.CORRECTNESS,
    words={INDEXED},
    callers=ALONE,
)
def index_dtype(trace: Trace) -> Iterator[Claim]:
    """A tensor is indexed or masked by another whose type does not do for that."""
    told: set[tuple[object, int, str]] = set()
    for wrong in trace.of(WrongIndex):
        region = wrong.spot.region
        mistake = (region, region.place(wrong.spot.node).line, wrong.wanted)
        if mistake in told:
            # The first of them ends the line.
            continue
        told.add(mistake)
        kind = "of floats" if wrong.dtype == "floating" else wrong.dtype
        what = "mask" if wrong.wanted == "bool" else "index"
        done = "an index" if wrong.name == "index" else f"`{wrong.name.lower()}`"
        message = f"the {what} is {kind}, and {done} takes {wrong.wanted} only: it raises"
        yield Claim(wrong.spot, message)
