"""TL602: workers that use CUDA."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import workers
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL602",
    name="cuda-in-dataset",
    level=Level.SUSPICIOUS,
    words={"Dataset", "IterableDataset", "TensorDataset"},
    callers={"Dataset", "IterableDataset", "TensorDataset"},
)
def cuda_in_dataset(trace: Trace) -> Iterator[Claim]:
    """A Dataset or collate function that workers run moves tensors to an accelerator."""
    for moved, loader in workers.accelerated(trace):
        message = (
            "workers would use the accelerator here, and one that is forked cannot once its "
            "parent has: RuntimeError, Cannot re-initialize CUDA in forked subprocess"
        )
        because = () if loader is None else ((loader.spot, "this loader has workers"),)
        yield Claim(moved.spot, message, because)
