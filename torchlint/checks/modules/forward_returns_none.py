"""TL414: a forward that computes something and does not give it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import classes, results
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL414",
    name="forward-returns-none",
    level=Level.CORRECTNESS,
    classes=True,
)
def forward_returns_none(trace: Trace) -> Iterator[Claim]:
    """A `forward` or `__getitem__` ends without returning what it has computed."""
    for method, gives in results.resultless(trace):
        when = "returns a value on one way, and None on another" if gives else "returns None"
        message = f"`{method.name}` comes to its end without `return`: it {when}"
        yield Claim(classes.heading(method), message)
