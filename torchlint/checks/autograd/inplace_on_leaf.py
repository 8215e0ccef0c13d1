"""TL103: a change in place of a tensor that gradients are stored in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import autograd
from torchlint.interpreter.trace import Claim
from torchlint.project.words import REQUIRED, WEIGHT_WRITE
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL103",
    name="inplace-on-leaf",
    level=Level.CORRECTNESS,
    words={REQUIRED, WEIGHT_WRITE},
    callers=ALONE,
)
def inplace_on_leaf(trace: Trace) -> Iterator[Claim]:
    """A parameter or another leaf is changed in place while autograd records."""
    for write in autograd.leaf_writes(trace):
        what = "a parameter" if write.parameter else "a leaf that requires grad"
        message = f"{write.written} changes {what} in place outside `no_grad`, which raises"
        if write.view:
            message = (
                f"{write.written} changes {what} in place through a view, outside `no_grad`, "
                "which raises"
            )
        because = ((write.made, "it is made here"),) if write.made is not None else ()
        repair = fixing.without_grad(write.spot)
        yield Claim(write.spot, message, because, repair=repair)
