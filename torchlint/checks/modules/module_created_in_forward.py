"""TL408: a layer that lives for one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.layers import Fresh
from torchlint.interpreter.trace import Claim
from torchlint.project.given import BUILT, BUILT_AND_APPLIED
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL408",
    name="module-created-in-forward",
    level=Level.CORRECTNESS,
    words={BUILT_AND_APPLIED, BUILT},
)
def module_created_in_forward(trace: Trace) -> Iterator[Claim]:
    """A forward builds a layer that it applies: with new weights, or a new mode, in each call."""
    for layer in trace.of(Fresh):
        if layer.holds:
            message = f"every call builds this `{layer.kind}` anew: {layer.holds}"
            yield Claim(layer.spot, message)
        else:
            message = f"every call builds this `{layer.kind}`, which `__init__` could do once"
            yield Claim(layer.spot, message, level=Level.PEDANTIC)
