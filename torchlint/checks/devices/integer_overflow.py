"""TL512: arithmetic on bytes that wraps around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import pictures
from torchlint.interpreter.ranges import BYTE
from torchlint.interpreter.trace import Claim
from torchlint.project.imagewords import BYTES
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL512",
    name="integer-overflow",
    level=Level.SUSPICIOUS,
    words={BYTES},
    callers=ALONE,
)
def integer_overflow(trace: Trace) -> Iterator[Claim]:
    """Arithmetic on uint8 goes beyond 0 to 255, and wraps around."""
    for found in pictures.wrapped(trace):
        ends = ["-1 becomes 255"] * (found.low < 0) + ["256 becomes 0"] * (found.high > BYTE)
        message = (
            f"this goes from {found.low:g} to {found.high:g}, and stays uint8, which wraps around: "
            f"{' and '.join(ends)}"
        )
        because = tuple((source, "bytes from here") for source in found.sources)
        yield Claim(found.spot, message, because)
