"""TL601: a Dataset that carries a neural network into its workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import data
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL601",
    name="module-in-dataset",
    level=Level.SUSPICIOUS,
    words={"Dataset", "IterableDataset", "TensorDataset"},
    callers={"Dataset", "IterableDataset", "TensorDataset"},
)
def module_in_dataset(trace: Trace) -> Iterator[Claim]:
    """A Dataset holds or calls a module with parameters, which goes into every worker."""
    for event in data.dataset_modules(trace):
        message = (
            f"{event.dataset} {event.how} {event.module}, a module with parameters, which goes "
            "into every worker, where it runs on the CPU if at all"
        )
        yield Claim(event.spot, message)
