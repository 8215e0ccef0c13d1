"""TL815: attention that is written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import attention
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import ATTENTION
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL815",
    name="hand-written-attention",
    level=Level.PEDANTIC,
    words={ATTENTION},
    since="2.0",
)
def hand_written_attention(trace: Trace) -> Iterator[Claim]:
    """Attention is written out where scaled_dot_product_attention computes it at once."""
    for found, scores in attention.written_out(trace):
        message = (
            "attention is written out, and holds a weight for each pair of positions: "
            "scaled_dot_product_attention does the same at once"
        )
        because = ((scores.spot, "the scores are computed here"),) if scores.spot else ()
        yield Claim(found.spot, message, because)
