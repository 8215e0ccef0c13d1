"""TL508: a tensor that is made of a tensor as if that were data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import devices
from torchlint.interpreter.trace import Claim
from torchlint.project.handed import OF_A_NAME
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL508",
    name="tensor-from-tensor",
    level=Level.SUSPICIOUS,
    words={OF_A_NAME},
    callers=ALONE,
)
def tensor_from_tensor(trace: Trace) -> Iterator[Claim]:
    """A tensor is copied by `torch.tensor`, which is for data and warns of it."""
    for copied, sure in devices.copied(trace):
        message = (
            f"`{copied.name}()` of a tensor copies it, out of the graph, and warns; "
            "`detach().clone()` says what happens"
        )
        yield Claim(copied.spot, message, repair=fixing.copied_plainly(copied.spot, sure))
