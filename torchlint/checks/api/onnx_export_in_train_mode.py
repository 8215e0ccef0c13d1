"""TL907: a model that is exported with dropout at work, or batch norm by the batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.modes import Exported
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import EXPORTED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL907",
    name="onnx-export-in-train-mode",
    level=Level.SUSPICIOUS,
    words={EXPORTED},
    callers=ALONE,
)
def onnx_export_in_train_mode(trace: Trace) -> Iterator[Claim]:
    """A model is exported or traced in training mode, with its dropout or batch norm at work."""
    for export in trace.of(Exported):
        message = (
            f"`{export.how}` records the model as it is in training, with its {export.kind} at "
            "work: what is exported stays so"
        )
        because = [(export.built, f"{export.kind} is built here")] if export.built else []
        because += [(spot, "switched to training here") for spot in export.switched[:1]]
        repair = fixing.evaluated_before(export.spot)
        yield Claim(export.spot, message, tuple(because), repair=repair)
