"""Patterns that cannot be read, or do not fit what they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.dimensions import written
from torchlint.interpreter.events.shapes import Refused
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.shaping.patterned import BY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot


def refused(trace: Trace) -> Iterator[tuple[Spot, str]]:
    """Where a pattern is refused, and why, each place once."""
    seen = set()
    for event in trace.of(Refused):
        found = event.mismatch
        if found.by != BY or event.spot in seen:
            continue
        seen.add(event.spot)
        detail = found.detail
        if found.why is Why.RANK:
            detail = f"it is for {found.wanted} dimensions, and there are {found.given} at least"
        elif not detail and not isinstance(found.wanted, tuple):
            sizes = f"{written(found.wanted)} and {written(found.given)}"
            detail = f"what `...` stands for has sizes of {sizes}, which do not broadcast"
        what = "what it is given" if found.operand == "tensor" else "this pattern"
        yield event.spot, f"`{event.op.removeprefix('einops_')}` refuses {what}: {detail}"
