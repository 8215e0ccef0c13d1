"""TL222: a model's name that is given to something else than the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.lost import Renamed
from torchlint.interpreter.trace import Claim
from torchlint.project.words import LOST_CALL
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL222",
    name="load-state-dict-reassigned",
    level=Level.CORRECTNESS,
    words={LOST_CALL},
    callers=ALONE,
)
def load_state_dict_reassigned(trace: Trace) -> Iterator[Claim]:
    """The name of a model is given to what `load_state_dict` gives, which is no model."""
    for renamed in trace.of(Renamed):
        if not renamed.called:
            gives = f"the method `{renamed.method}` itself, as it is not called"
        elif renamed.owner == "optimizer":
            gives = "None, which is all that an optimizer's `load_state_dict` gives"
        else:
            gives = "the report on missing keys that `load_state_dict` gives"
        message = f"from here on the name of the {renamed.owner} means {gives}"
        level = None if renamed.seen else Level.SUSPICIOUS
        yield Claim(renamed.spot, message, level=level)
