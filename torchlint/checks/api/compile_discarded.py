"""TL910: a compiled model that nobody takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import names
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL910",
    name="compile-discarded",
    level=Level.CORRECTNESS,
    names=lambda: ("torch.compile",),
)
def compile_discarded(trace: Trace) -> Iterator[Claim]:
    """The result of `torch.compile` is not used, and the model stays as it was."""
    for call in names.dropped(trace, "torch.compile"):
        message = (
            "`torch.compile` gives a compiled copy and leaves what it was given as it was; nobody "
            "takes the copy, so nothing is compiled"
        )
        yield Claim(call.spot, message)
