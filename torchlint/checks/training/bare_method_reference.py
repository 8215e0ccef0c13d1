"""TL221: a method that is named where it should be called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.lost import Uncalled
from torchlint.interpreter.trace import Claim
from torchlint.project.words import LOST_CALL
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL221",
    name="bare-method-reference",
    level=Level.CORRECTNESS,
    words={LOST_CALL},
    callers=ALONE,
)
def bare_method_reference(trace: Trace) -> Iterator[Claim]:
    """A method is named and not called, which does nothing."""
    for uncalled in trace.of(Uncalled):
        if uncalled.saved:
            message = "this saves the method `state_dict` in place of the state that it gives"
        else:
            message = f"`{uncalled.name}` of the {uncalled.owner} is named and not called"
        yield Claim(uncalled.spot, message, repair=fixing.called(uncalled.spot))
