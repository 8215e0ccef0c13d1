"""TL404: a module that is not called, but whose forward is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import layers
from torchlint.interpreter.trace import Claim
from torchlint.project.given import FORWARD
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL404",
    name="forward-called-directly",
    level=Level.SUSPICIOUS,
    words={FORWARD},
    callers=ALONE,
)
def forward_called_directly(trace: Trace) -> Iterator[Claim]:
    """The forward of a module is called by its name, so that no hook of the module runs."""
    for called, idle in layers.forwarded(trace):
        message = f"this passes by the hooks of `{called.cls}`, and what wraps it: call the module"
        # Nothing hangs on a module that was built a moment ago, as tests do.
        level = Level.PEDANTIC if idle else None
        yield Claim(called.spot, message, level=level, repair=fixing.call_the_module(called.spot))
