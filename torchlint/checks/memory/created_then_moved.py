"""TL811: a tensor that is made on the CPU only to be moved away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import speed
from torchlint.interpreter.trace import Claim
from torchlint.project import idioms
from torchlint.registry import check
from torchlint.torch_api.speed import FILLING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WORDS = frozenset(word for name in FILLING for word in idioms.moved(name))


@check(
    code="TL811",
    name="created-then-moved",
    level=Level.PERFORMANCE,
    words=_WORDS,
    callers={"backward()"},
    long_runs=True,
)
def created_then_moved(trace: Trace) -> Iterator[Claim]:
    """A tensor is created on the CPU and moved at once, where `device=` creates it in place."""
    for moved, created in speed.moved_at_once(trace):
        because = ((created.spot, "it is created here, and nothing says where"),)
        if created.drawn:
            message = (
                "the random numbers are drawn on the CPU and copied over; drawn with `device=` "
                "they would be others"
            )
            yield Claim(moved.spot, message, because, level=Level.PEDANTIC)
            continue
        message = "the tensor is created on the CPU and copied over, where `device=` makes no copy"
        repair = fixing.created_there(moved.spot) if moved.as_made and not moved.follows else None
        level = Level.PEDANTIC if speed.is_once_in_a_while(trace, moved) else None
        yield Claim(moved.spot, message, because, level=level, repair=repair)
