"""TL613: a last batch of one sample that batch norm refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import lone
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL613",
    name="batch-norm-last-batch",
    level=Level.PEDANTIC,
    words={"backward()"},
    callers={"backward()"},
)
def batch_norm_last_batch(trace: Trace) -> Iterator[Claim]:
    """A training loader may end with a batch of one sample, which batch norm refuses."""
    for built, norm in lone.lone_samples(trace):
        known = built.length is not None
        message = (
            f"the last batch {'has' if known else 'has, with some lengths of the dataset,'} one "
            "sample, and batch norm raises ValueError in training; `drop_last=True` leaves it out"
        )
        yield Claim(built.spot, message, ((norm.spot, "this needs two samples or more"),))
