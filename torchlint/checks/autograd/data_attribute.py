"""TL107: tensors that are read or written past autograd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.autograd import DataUsed
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import DATA_COMPARED, DATA_WRITTEN
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL107",
    name="data-attribute",
    level=Level.PEDANTIC,
    words={DATA_COMPARED},
    callers=ALONE,
    alone={DATA_WRITTEN},
)
def data_attribute(trace: Trace) -> Iterator[Claim]:
    """Through `.data`, autograd does not notice what happens to a tensor."""
    for event in trace.of(DataUsed):
        if event.replaced:
            message = (
                "setting `.data` goes past autograd, which computes with what it kept before: "
                "write into the tensor under `torch.no_grad()`"
            )
        else:
            message = (
                "autograd does not notice changes that are made through `.data`: `.detach()` "
                "reads the same values, and `torch.no_grad()` is there for writing"
            )
        repair = fixing.detached(event.spot) if not event.replaced else None
        yield Claim(event.spot, message, repair=repair)
