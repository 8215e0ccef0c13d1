"""TL514: a tensor that NumPy cannot have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.devices import OffDevice
from torchlint.interpreter.questions import walks
from torchlint.interpreter.trace import Claim
from torchlint.project.handed import NUMPY
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL514",
    name="numpy-of-graph-tensor",
    level=Level.CORRECTNESS,
    words={NUMPY},
    callers={NUMPY},
)
def numpy_of_graph_tensor(trace: Trace) -> Iterator[Claim]:
    """NumPy is handed a tensor that requires grad, or that is on an accelerator."""
    for made in walks.arrays_of_graphs(trace):
        message = f"`{made.how}` of a tensor that requires grad raises: NumPy knows no graph"
        yield Claim(made.spot, message, repair=fixing.for_numpy(made.spot))
    for off in trace.of(OffDevice):
        because = ((off.device.spot, "it is put there here"),) if off.device.spot else ()
        message = (
            f"`{off.how}` of a tensor that is on an accelerator raises: NumPy has the CPU only"
            if off.sure
            else f"`{off.how}` of a tensor that was moved to a device raises wherever that is not "
            "the CPU"
        )
        level = None if off.sure else Level.SUSPICIOUS
        yield Claim(off.spot, message, because, level=level, repair=fixing.for_numpy(off.spot))
