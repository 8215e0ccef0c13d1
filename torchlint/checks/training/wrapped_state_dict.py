"""TL232: states of wrapped modules that are loaded into bare ones, or the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.states import Misfit
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WORDS = frozenset({"DataParallel()", "DistributedDataParallel()", "DDP()"})


@check(
    code="TL232",
    name="wrapped-state-dict",
    level=Level.SUSPICIOUS,
    words=_WORDS,
    callers=_WORDS,
)
def wrapped_state_dict(trace: Trace) -> Iterator[Claim]:
    """The state of a wrapped module is loaded into a bare one, or the other way round."""
    for misfit in trace.of(Misfit):
        message = (
            "the state is that of a wrapped module, whose names begin with `module.`, and the "
            "module that it is loaded into has none of them: save `model.module.state_dict()`"
        )
        if misfit.wrapped:
            message = (
                "the state is that of a bare module, and the names of the wrapped one that it is "
                "loaded into begin with `module.`: load it into `model.module`"
            )
        because = ((misfit.taken, "the state is taken here"),) if misfit.taken is not None else ()
        yield Claim(misfit.spot, message, because)
