"""TL419: an attribute that is read and never set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import missing
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL419",
    name="undefined-attribute",
    level=Level.CORRECTNESS,
    classes=True,
)
def undefined_attribute(trace: Trace) -> Iterator[Claim]:
    """An attribute of a module is read that nothing sets."""
    for read, meant in missing.undefined(trace):
        message = f"nothing sets `self.{read.name}`: reading it raises AttributeError"
        yield Claim(read.spot, f"{message}; there is `self.{meant}`" if meant else message)
    for event, meant in missing.absent(trace):
        message = (
            f"nothing gives a {event.family.definition.name} `{event.name}`: reading it raises"
        )
        message += f" AttributeError; there is `{meant}`" if meant else " AttributeError"
        yield Claim(event.spot, message)
