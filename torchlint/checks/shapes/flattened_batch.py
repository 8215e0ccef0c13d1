"""TL712: a layer that is given a whole batch as one sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter import shapes
from torchlint.interpreter.questions import flattening
from torchlint.interpreter.trace import Claim
from torchlint.project.shapewords import FLAT
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL712",
    name="flattened-batch",
    level=Level.CORRECTNESS,
    words={FLAT},
    supersedes={"TL701", "TL710"},
)
def flattened_batch(trace: Trace) -> Iterator[Claim]:
    """The batch is flattened together with its samples, before a layer that takes samples."""
    for found in flattening.flat_batches(trace):
        takes = f"{found.wanted} features of each sample" if found.wanted else "a batch"
        message = (
            f"`{found.op}` takes {takes}, and gets all samples of the batch in one row: "
            "`flatten(start_dim=1)` keeps them apart"
        )
        shape = shapes.written(found.flattened.before)
        because = ((found.flattened.spot, f"this puts {shape} into one dimension"),)
        level = None if found.sure else Level.SUSPICIOUS
        repair = fixing.flattened_by_sample(found.flattened.spot)
        yield Claim(found.spot, message, because, level=level, repair=repair)
