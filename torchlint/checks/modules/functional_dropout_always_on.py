"""TL407: a dropout that nobody can switch off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.layers import Unconditional
from torchlint.interpreter.trace import Claim
from torchlint.project.given import ALWAYS_ON
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL407",
    name="functional-dropout-always-on",
    level=Level.CORRECTNESS,
    words={ALWAYS_ON},
)
def functional_dropout_always_on(trace: Trace) -> Iterator[Claim]:
    """A function drops in evaluation as well, as it is not told the mode of its module."""
    for used in trace.of(Unconditional):
        if used.normalises:
            message = f"`{used.name}` normalises by the batch in evaluation too, and moves the "
            message += "statistics that it is given"
            yield Claim(used.spot, message, level=Level.PEDANTIC)
        else:
            message = f"`{used.name}` drops in evaluation as in training: it is not told the mode"
            yield Claim(used.spot, message, repair=fixing.by_mode(used.spot, used.mode))
