"""TL118: values that a condition leaves out, and whose gradient becomes NaN all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.numerics import LeftOut
from torchlint.interpreter.questions import numerics
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL118",
    name="where-nan-gradient",
    level=Level.SUSPICIOUS,
    words={"where!"},
)
def where_nan_gradient(trace: Trace) -> Iterator[Claim]:
    """What a condition leaves out still gives NaN gradients where its slope is infinite."""
    for event in trace.of(LeftOut):
        if not numerics.differentiated(trace, event.steep):
            continue
        message = (
            f"the gradient of what is left out here is NaN, not zero: {event.what} was computed "
            "for those values as well, and its slope there is infinite or NaN"
        )
        yield Claim(event.spot, message, ((event.steep, "computed for all values here"),))
