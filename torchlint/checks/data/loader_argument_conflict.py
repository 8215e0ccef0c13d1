"""TL615: arguments of a loader that exclude each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.data import LoaderRefused
from torchlint.interpreter.trace import Claim
from torchlint.project.datawords import SET_LOADER
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL615",
    name="loader-argument-conflict",
    level=Level.CORRECTNESS,
    words={SET_LOADER},
    callers=ALONE,
)
def loader_argument_conflict(trace: Trace) -> Iterator[Claim]:
    """A DataLoader gets arguments that exclude each other, and raises ValueError."""
    for refused in trace.of(LoaderRefused):
        names = " and ".join(f"`{name}`" for name in refused.names)
        message = f"{names} {refused.reason}: DataLoader raises ValueError"
        level = None if refused.sure else Level.SUSPICIOUS
        repair = fixing.without(refused.spot, refused.names) if refused.sure else None
        yield Claim(refused.spot, message, level=level, repair=repair)
