"""TL111: a gradient that nobody stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import walks
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL111",
    name="grad-of-non-leaf",
    level=Level.SUSPICIOUS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def grad_of_non_leaf(trace: Trace) -> Iterator[Claim]:
    """The gradient of a tensor is read that is no leaf, so that none is stored in it."""
    for read, made in walks.gradients_not_stored(trace):
        message = (
            "`.grad` is None here whatever backward did: the tensor is the result of an "
            "operation, and gradients are stored in leaves only"
        )
        yield Claim(read.spot, message, ((made, "the tensor is computed here"),) if made else ())
