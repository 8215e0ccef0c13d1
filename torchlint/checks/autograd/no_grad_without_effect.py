"""TL113: a grad mode that is named and never switched on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.autograd import IdleMode
from torchlint.interpreter.trace import Claim
from torchlint.project.words import IDLE_MODE
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL113",
    name="no-grad-without-effect",
    level=Level.CORRECTNESS,
    words={IDLE_MODE},
    callers=ALONE,
)
def no_grad_without_effect(trace: Trace) -> Iterator[Claim]:
    """A grad mode such as `no_grad` is named but never entered."""
    for idle in trace.of(IdleMode):
        if idle.entered:
            message = (
                f"`with {idle.short}:` names a class where it needs an object, which raises; "
                f"write `{idle.short}()`"
            )
            yield Claim(idle.spot, message, repair=fixing.called(idle.spot))
        else:
            message = (
                f"`{idle.short}` as a statement of its own switches nothing: only a `with` or a "
                "decorator enters it"
            )
            yield Claim(idle.spot, message)
