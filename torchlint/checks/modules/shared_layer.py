"""TL405: several layers that are one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.layers import Repeated
from torchlint.interpreter.trace import Claim
from torchlint.project.given import MULTIPLIED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL405",
    name="shared-layer",
    level=Level.SUSPICIOUS,
    words={MULTIPLIED},
    callers=ALONE,
)
def shared_layer(trace: Trace) -> Iterator[Claim]:
    """A list with a layer is multiplied: all its items are one layer, with one set of weights."""
    for list_ in trace.of(Repeated):
        message = f"every item is the same `{list_.kind}`: there is one set of weights, not several"
        because = ((list_.built, "it is built once, here"),) if list_.built is not None else ()
        yield Claim(list_.spot, message, because, repair=fixing.each_anew(list_.spot))
