"""TL703: views that are meant to put dimensions in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter import shapes
from torchlint.interpreter.questions.shapes import reordered
from torchlint.interpreter.reordering import orders
from torchlint.interpreter.trace import Claim
from torchlint.project.orderwords import REORDERED, REORDERED_IN
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL703",
    name="view-as-transpose",
    level=Level.CORRECTNESS,
    words={REORDERED},
    callers=ALONE,
    inside={REORDERED_IN},
)
def view_as_transpose(trace: Trace) -> Iterator[Claim]:
    """A view asks for dimensions in another order, which moves none of the elements."""
    for view in reordered(trace):
        merged, split = orders(view.before, view.after), orders(view.after, view.before)
        message = (
            f"`{view.op}` of {shapes.written(view.before)} gives {shapes.written(view.after)} "
            "without moving an element, so that the dimensions are mixed up: `permute` and "
            "`transpose` change their order"
        )
        level = None if view.sure else Level.SUSPICIOUS
        repair = fixing.permuted(view.spot, merged, split)
        yield Claim(view.spot, message, level=level, repair=repair)
