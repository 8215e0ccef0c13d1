"""TL117: a flag that modules do not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.autograd import ModuleFlag, StateFlag
from torchlint.interpreter.trace import Claim
from torchlint.project.words import FLAG, STATE_FLAG
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL117",
    name="requires-grad-on-module",
    level=Level.CORRECTNESS,
    words={FLAG, STATE_FLAG},
    callers={*ALONE, STATE_FLAG},
)
def requires_grad_on_module(trace: Trace) -> Iterator[Claim]:
    """`requires_grad` is set on a module, which changes none of its parameters."""
    for flag in trace.of(ModuleFlag):
        message = (
            f"a module has no `requires_grad`: this makes an attribute of {flag.cls} that nothing "
            "reads, and its parameters stay as they were"
        )
        yield Claim(flag.spot, message, repair=fixing.flag_by_method(flag.spot))
    for told in trace.of(StateFlag):
        message = (
            "a state dict has the values of the parameters, and not their flags: nothing is frozen "
            "by what is set here, and `named_parameters()` gives the parameters themselves"
        )
        yield Claim(told.spot, message)
