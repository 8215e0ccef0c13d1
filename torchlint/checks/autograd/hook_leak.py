"""TL115: hooks that are registered again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import autograd
from torchlint.interpreter.trace import Claim
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL115",
    name="hook-leak",
    level=Level.SUSPICIOUS,
    words={
        "register_forward_hook",
        "register_forward_pre_hook",
        "register_full_backward_hook",
        "register_full_backward_pre_hook",
    },
    callers=ALONE,
)
def hook_leak(trace: Trace) -> Iterator[Claim]:
    """A hook is registered again in every round, and nobody keeps what would remove it."""
    for hook in autograd.leaked_hooks(trace):
        when = "every forward" if hook.forward else "every round"
        message = (
            f"{when} registers one more hook on the same module, and drops the handle that would "
            "remove it: all of them stay, and all of them are called"
        )
        yield Claim(hook.spot, message)
