"""TL406: a layer that nothing uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import unused
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL406",
    name="unused-submodule",
    level=Level.SUSPICIOUS,
    classes=True,
)
def unused_submodule(trace: Trace) -> Iterator[Claim]:
    """A layer is made in `__init__`, and nothing in the project reads it."""
    for write, layer, copied in unused.layers(trace):
        name = f"`self.{write.name}`"
        which = f"only copies of {name} are used" if copied else f"nothing reads {name}"
        what = (
            "drops nothing, whatever share it is given"
            if "Dropout" in layer
            else "is saved and moved with the module, and its parameters never get a gradient"
        )
        message = f"{which}: this {layer} {what}"
        yield Claim(write.spot, message)
