"""TL314: a loss that is built of what it should be called with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.numerics import LossBuilt
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


_LOSSES = frozenset(
    "MSELoss L1Loss SmoothL1Loss HuberLoss CrossEntropyLoss NLLLoss BCELoss BCEWithLogitsLoss "
    "KLDivLoss CTCLoss PoissonNLLLoss MarginRankingLoss TripletMarginLoss "
    "CosineEmbeddingLoss HingeEmbeddingLoss MultiLabelSoftMarginLoss SoftMarginLoss".split()
)
"""The classes in question; the interpreter knows the losses, here is said where to look."""


@check(
    code="TL314",
    name="loss-class-called-with-data",
    level=Level.CORRECTNESS,
    words={f"{name}()" for name in _LOSSES},
    callers={f"{name}()" for name in _LOSSES},
)
def loss_class_called_with_data(trace: Trace) -> Iterator[Claim]:
    """A loss class is built with its settings; output and target go to what that gives."""
    for built in trace.of(LossBuilt):
        message = f"this builds a `{built.kind}` of output and target, and computes no loss"
        yield Claim(built.spot, message, repair=fixing.call_what_is_built(built.spot))
