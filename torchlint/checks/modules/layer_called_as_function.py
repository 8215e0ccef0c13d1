"""TL420: a layer that is built of what it should be called with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.layers import BuiltOfData
from torchlint.interpreter.trace import Claim
from torchlint.project.given import BUILT_OF_DATA, KEPT_CLASS
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL420",
    name="layer-called-as-function",
    level=Level.CORRECTNESS,
    words={BUILT_OF_DATA},
    inside={KEPT_CLASS},
    callers=ALONE,
)
def layer_called_as_function(trace: Trace) -> Iterator[Claim]:
    """The class of a layer is given a tensor, which belongs to the object that it builds."""
    for layer in trace.of(BuiltOfData):
        message = f"this builds a `{layer.kind}` with a tensor as its setting, and applies nothing"
        yield Claim(layer.spot, message, repair=fixing.apply_what_is_built(layer.spot))
