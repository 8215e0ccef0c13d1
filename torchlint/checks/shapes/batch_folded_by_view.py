"""TL706: views by which a wrong size changes the number of samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.events.shapes import Folded
from torchlint.interpreter.trace import Claim
from torchlint.project.shapewords import FOLDED
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL706",
    name="batch-folded-by-view",
    level=Level.PEDANTIC,
    words={FOLDED},
)
def batch_folded_by_view(trace: Trace) -> Iterator[Claim]:
    """The number of rows is left to torch, so that a wrong size makes more or fewer samples."""
    for folded in trace.of(Folded):
        length = dimensions.written(folded.length)
        message = (
            f"`{folded.op}` makes rows of {length} of {shapes.written(folded.before)}, however "
            "many that are: where samples have another size, they become more or fewer"
        )
        yield Claim(folded.spot, message, repair=fixing.by_sample(folded.spot))
