"""TL116: a hook that sees the gradients of a module's last operation only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.autograd import LegacyHook
from torchlint.interpreter.trace import Claim
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL116",
    name="legacy-backward-hook",
    level=Level.SUSPICIOUS,
    words={"register_backward_hook", "register_module_backward_hook"},
    callers=ALONE,
)
def legacy_backward_hook(trace: Trace) -> Iterator[Claim]:
    """A backward hook of the old kind may see gradients of the wrong tensors."""
    for hook in trace.of(LegacyHook):
        message = (
            "a hook of the old kind is given the gradients of the module's last operation, not of "
            "its inputs; torch has deprecated it"
        )
        yield Claim(hook.spot, message, repair=fixing.full_hook(hook.spot))
