"""TL513: tensors of float32 in modules of any type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import devices
from torchlint.interpreter.trace import Claim
from torchlint.project.factories import TYPELESS
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Chain, Trace


@check(
    code="TL513",
    name="dtype-not-followed",
    level=Level.SUSPICIOUS,
    words={TYPELESS},
)
def dtype_not_followed(trace: Trace) -> Iterator[Claim]:
    """A tensor is made on the input's device, and not of its type."""
    for widened, met, floats in devices.widened(trace):
        message = "this is float32 whatever the type of the input: where that is half or bfloat16, "
        because: Chain = ((met, "here it meets what is of the module's type"),)
        if widened.returned:
            message += "what comes out is float32 as well"
        elif met == widened.spot:
            message += "torch refuses the two together"
        else:
            message += "what comes of both is float32 as well, and torch refuses that later on"
            because += ((widened.spot, "here float32 is refused beside the module's type"),)
        level = None if widened.narrow else Level.PEDANTIC
        text = met.region.source_of(met.node)
        repair = fixing.follow_type(widened.factory, text, floats)
        yield Claim(widened.factory, message, because, level=level, repair=repair)
