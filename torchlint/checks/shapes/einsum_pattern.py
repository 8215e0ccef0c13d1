"""TL715: patterns of einsum and einops that mean nothing, or something else than is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import patterns
from torchlint.interpreter.trace import Claim
from torchlint.project.layerwords import PATTERN
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL715",
    name="einsum-pattern",
    level=Level.CORRECTNESS,
    words={PATTERN},
    callers=ALONE,
)
def einsum_pattern(trace: Trace) -> Iterator[Claim]:
    """A pattern of einsum or einops cannot be read, or is not for what it is given."""
    for spot, text in patterns.refused(trace):
        yield Claim(spot, text)
