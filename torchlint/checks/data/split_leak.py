"""TL611: an evaluation on samples that the model was trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import splits
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL611",
    name="split-leak",
    level=Level.SUSPICIOUS,
    words={"backward()"},
    callers={"backward()"},
)
def split_leak(trace: Trace) -> Iterator[Claim]:
    """A model is evaluated on samples that it is trained on as well."""
    for measured, trained, why in splits.leaks(trace):
        message = (
            f"a model is evaluated on this loader, which {why} that it is trained on"
            if why != splits.APART
            else f"a model is evaluated on this loader, which {why} that it is trained on: the two "
            "have samples in common"
        )
        yield Claim(measured.spot, message, ((trained.spot, "it is trained on this one"),))
