"""TL607: a dataset without the methods that a loader calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.data import ContractBroken
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL607",
    name="dataset-contract",
    level=Level.CORRECTNESS,
    words={"DataLoader()", "random_split()"},
    callers={"Dataset", "IterableDataset"},
)
def dataset_contract(trace: Trace) -> Iterator[Claim]:
    """A dataset that is loaded has no `__getitem__`, no `__len__`, or no `__iter__`."""
    for broken in trace.of(ContractBroken):
        message = f"{broken.dataset} has no `{broken.missing}`, which is called where it is used"
        yield Claim(broken.spot, message, ((broken.asks, "it is loaded, split or measured here"),))
