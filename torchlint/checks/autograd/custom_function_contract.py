"""TL109: a function of one's own that does not keep to what autograd asks of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.functions import FunctionCalled, UnmarkedWrite, WrongCount
from torchlint.interpreter.trace import Claim
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL109",
    name="custom-function-contract",
    level=Level.CORRECTNESS,
    words={"Function"},
    callers=ALONE,
)
def custom_function_contract(trace: Trace) -> Iterator[Claim]:
    """A custom autograd function does not keep to what autograd asks of it."""
    for count in trace.of(WrongCount):
        message = (
            f"backward gives {_number(count.given, 'gradient')} and forward takes "
            f"{_number(count.wanted, 'input')}: each input needs one, or None, and autograd raises"
        )
        yield Claim(count.spot, message)
    for called in trace.of(FunctionCalled):
        message = (
            f"an object of {called.cls} is called, which raises: its methods are used by way of "
            f"`{called.cls}.apply(…)`"
        )
        yield Claim(called.spot, message)
    for write in trace.of(UnmarkedWrite):
        message = (
            f"{write.written} changes an input of forward in place, and no `ctx.mark_dirty` tells "
            "autograd"
        )
        yield Claim(write.spot, message, level=Level.SUSPICIOUS)


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
