"""TL323: layers whose weights all start as one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import layers
from torchlint.interpreter.trace import Claim
from torchlint.project.given import FILLED
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL323",
    name="constant-weights",
    level=Level.CORRECTNESS,
    words={FILLED},
    inside={FILLED},
)
def constant_weights(trace: Trace) -> Iterator[Claim]:
    """The weights of hidden layers all start as one number, so that their units stay the same."""
    for filled, layer in layers.twins(trace):
        message = (
            "the weights of hidden layers all start as one number: "
            "the units of a layer get the same gradients, and never come to differ"
        )
        yield Claim(filled.spot, message, ((layer.spot, "the units are alike here"),))
