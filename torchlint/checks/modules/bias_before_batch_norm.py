"""TL410: a bias that a batch norm takes away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.layers import BiasNormed
from torchlint.interpreter.trace import Claim
from torchlint.project.given import BIAS_NORMED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL410",
    name="bias-before-batch-norm",
    level=Level.PEDANTIC,
    words={BIAS_NORMED},
    callers=ALONE,
)
def bias_before_batch_norm(trace: Trace) -> Iterator[Claim]:
    """A layer has a bias, and the batch norm straight after it takes every constant away."""
    for event in trace.of(BiasNormed):
        message = f"`{event.norm}` takes away the bias of the `{event.layer}` before: `bias=False`"
        because = ((event.built, f"the `{event.layer}` is built here"),) if event.built else ()
        yield Claim(event.spot, message, because)
