"""TL704: views of dimensions that were torn apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter import shapes
from torchlint.interpreter.events.shapes import ViewRefused
from torchlint.interpreter.trace import Claim
from torchlint.project.shapewords import CUT, TURNED, TURNED_IN
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL704",
    name="view-of-non-contiguous",
    level=Level.CORRECTNESS,
    words={TURNED, CUT},
    callers={*ALONE, CUT},
    inside={TURNED_IN},
)
def view_of_non_contiguous(trace: Trace) -> Iterator[Claim]:
    """A view is asked for across dimensions that a transposition has torn apart."""
    for refused in trace.of(ViewRefused):
        layout = refused.layout
        message = (
            f"`{refused.op}` cannot make {shapes.written(refused.after)} of "
            f"{shapes.written(refused.before)} as its elements lie after `{layout.by}`, and torch "
            "refuses it: `reshape` copies them"
        )
        because = ((layout.turned, f"`{layout.by}` changes places here"),) if layout.turned else ()
        level = None if refused.sure else Level.SUSPICIOUS
        repair = fixing.reshaped(refused.spot)
        yield Claim(refused.spot, message, because, level=level, repair=repair)
