"""TL708: time first for the layer, the batch first for the rest of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import sequences
from torchlint.interpreter.trace import Claim
from torchlint.project.layerwords import TIME_FIRST
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL708",
    name="rnn-batch-first",
    level=Level.SUSPICIOUS,
    inside={TIME_FIRST},
)
def rnn_batch_first(trace: Trace) -> Iterator[Claim]:
    """A recurrent layer or transformer without `batch_first=True` gets the batch first."""
    for found in sequences.batches_for_time(trace):
        layer = found.layer
        message = (
            f"`{layer.kind}` takes time first without `batch_first=True`, and {found.reason}: "
            "samples are mixed with each other"
        )
        built = ((layer.built, "the layer is built here"),) if layer.built is not None else ()
        yield Claim(layer.spot, message, (*built, *found.because))
