"""TL511: a tensor of several elements where a single truth is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.devices import Asked
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL511",
    name="truth-of-tensor",
    level=Level.PEDANTIC,
)
def truth_of_tensor(trace: Trace) -> Iterator[Claim]:
    """A tensor with several elements is used as a truth, which torch refuses."""
    for asked in trace.of(Asked):
        shape = ", ".join("?" if size is None else str(size) for size in asked.shape)
        message = (
            f"a tensor of the shape ({shape}) is no single truth, and torch raises: `.any()`, "
            "`.all()`, `is None` or `&` may be meant"
        )
        yield Claim(asked.spot, message)
