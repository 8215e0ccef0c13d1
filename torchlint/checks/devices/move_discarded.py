"""TL503: a tensor that is moved, and stays where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import devices
from torchlint.interpreter.trace import Claim
from torchlint.project.dropped import MOVE_DROPPED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL503",
    name="move-discarded",
    level=Level.CORRECTNESS,
    words={MOVE_DROPPED},
    callers=ALONE,
)
def move_discarded(trace: Trace) -> Iterator[Claim]:
    """A tensor is moved to a device by a statement that drops the result."""
    for dropped, sure in devices.dropped_moves(trace):
        message = (
            f"`{dropped.name}()` gives a new tensor, which is dropped here: the tensor itself "
            "stays as it is, since only modules are moved in place"
        )
        level = None if sure else Level.SUSPICIOUS
        # A module refuses a tensor in the place of a parameter, and an optimizer one that is moved.
        is_parameter = dropped.address in trace.parameters
        repair = None if is_parameter else fixing.kept(dropped.spot)
        yield Claim(dropped.spot, message, level=level, repair=repair)
