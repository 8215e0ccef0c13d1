"""TL417: a module that is built once, and used by all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.layers import SharedByAll
from torchlint.interpreter.trace import Claim
from torchlint.project.given import SHARED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL417",
    name="mutable-default-module",
    level=Level.SUSPICIOUS,
    words={SHARED},
    callers=ALONE,
)
def mutable_default_module(trace: Trace) -> Iterator[Claim]:
    """A module is a default argument or an attribute of a class: all objects share the one."""
    for shared in trace.of(SharedByAll):
        message = f"this `{shared.kind}` is built once and shared by {shared.where}"
        if shared.trained:
            yield Claim(shared.spot, f"{message}, weights included")
        else:
            yield Claim(shared.spot, message, level=Level.PEDANTIC)
