"""TL805: a tensor that is read out of a list of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.speed import FromArrays
from torchlint.interpreter.trace import Claim
from torchlint.project.handed import LISTED
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL805",
    name="tensor-from-arrays",
    level=Level.PERFORMANCE,
    words={LISTED},
)
def tensor_from_arrays(trace: Trace) -> Iterator[Claim]:
    """A tensor is made of a list of arrays, number by number, where one array is read at once."""
    for made in trace.of(FromArrays):
        message = (
            f"`{made.name}` reads a list of arrays number by number; one array of them all, as "
            "`np.stack` makes it, is read at once"
        )
        yield Claim(made.spot, message, repair=fixing.as_one_array(made.spot))
