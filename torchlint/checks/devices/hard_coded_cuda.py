"""TL502: CUDA by name where the file leaves the choice of device to whoever runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import moves
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL502",
    name="hard-coded-cuda",
    level=Level.SUSPICIOUS,
    names=lambda: moves.CUDA,
)
def hard_coded_cuda(trace: Trace) -> Iterator[Claim]:
    """Something is moved to CUDA by name, whether or not there is such a device."""
    for call, alone in moves.hard_coded(trace):
        message = "this needs CUDA, wherever the program runs"
        if alone:
            message += ", while the file leaves it to who runs it what else is moved to"
        yield Claim(call.spot, message, level=None if alone else Level.PEDANTIC)
