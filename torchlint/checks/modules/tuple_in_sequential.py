"""TL421: a layer that is given more than it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.layers import TupleFed
from torchlint.interpreter.trace import Claim
from torchlint.project.given import TUPLE_FED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL421",
    name="tuple-in-sequential",
    level=Level.CORRECTNESS,
    words={TUPLE_FED},
    callers=ALONE,
)
def tuple_in_sequential(trace: Trace) -> Iterator[Claim]:
    """A layer in a Sequential is given the tuple that the layer before it returns."""
    for fed in trace.of(TupleFed):
        message = f"`{fed.giver}` returns a tuple, and `{fed.taker}` comes next and takes a tensor"
        because = ((fed.built, f"the `{fed.giver}` is built here"),) if fed.built else ()
        yield Claim(fed.spot, message, because)
