"""TL413: a module that cannot be called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import classes, holders
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL413",
    name="missing-forward",
    level=Level.CORRECTNESS,
    classes=True,
)
def missing_forward(trace: Trace) -> Iterator[Claim]:
    """A module has no `forward`, or one whose name is misspelt."""
    for method in classes.misnamed_forwards(trace):
        message = (
            f"`{method.name}` is not `forward`, and nothing calls it by this name: calling the "
            "module raises NotImplementedError"
        )
        yield Claim(classes.heading(method), message)
    for called in classes.calls_without_forward(trace):
        name = called.family.definition.name
        yield Claim(called.spot, f"{name} is called, and it has no `forward`: this raises")
    for spot, made in holders.called_holders(trace):
        kind = made.called.rpartition(".")[2]
        message = (
            f"`self.{made.name}` is a {kind}, which holds layers and applies none: calling it "
            "raises NotImplementedError"
        )
        yield Claim(spot, message, ((made.spot, "it is made here"),))
