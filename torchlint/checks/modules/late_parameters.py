"""TL411: parameters that are not there yet when an optimizer asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import layers
from torchlint.interpreter.trace import Claim
from torchlint.project.classwords import LATE
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL411",
    name="late-parameters",
    level=Level.SUSPICIOUS,
    inside={LATE},
)
def late_parameters(trace: Trace) -> Iterator[Claim]:
    """A forward creates parameters in its first call, when optimizers have been built."""
    for late in layers.late(trace):
        message = (
            f"this {late.kind} is made by a call of the model: an optimizer that was built before "
            "does not have it, and a checkpoint does not load into it"
        )
        yield Claim(late.spot, message)
