"""TL102: a forward that changes in place what is not its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import graph
from torchlint.interpreter.trace import Claim
from torchlint.project.words import INPLACE, OUT
from torchlint.project.writewords import AUGMENTED, TRAILING_UNDERSCORE
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL102",
    name="inplace-in-forward",
    level=Level.SUSPICIOUS,
    words={AUGMENTED, TRAILING_UNDERSCORE, OUT, INPLACE},
)
def inplace_in_forward(trace: Trace) -> Iterator[Claim]:
    """Forward changes in place its own argument, or what it cannot see into."""
    for mutation in graph.foreign(trace):
        name = mutation.tensor.argument
        repair = fixing.out_of_place(mutation.spot)
        if name:
            message = f"{mutation.written} changes `{name}`, which is the caller's tensor, in place"
            is_given_up = name in trace.handed_over and not mutation.keepers
            is_meant = mutation.optional or mutation.announced or is_given_up
            level = Level.PEDANTIC if is_meant else None
            yield Claim(mutation.spot, message, level=level, repair=repair)
        else:
            message = (
                f"{mutation.written} changes in place the output of something that may keep it for "
                "its backward"
            )
            yield Claim(mutation.spot, message, level=Level.PEDANTIC, repair=repair)
