"""TL402: layers in a plain list, where `nn.Module` does not look for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import classes
from torchlint.interpreter.trace import Claim
from torchlint.project.classwords import HIDING
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL402",
    name="unregistered-submodule",
    level=Level.CORRECTNESS,
    words=(),
    inside={HIDING},
)
def unregistered_submodule(trace: Trace) -> Iterator[Claim]:
    """Layers or parameters in a plain list, dict, tuple or set are not part of the module."""
    for hidden in classes.hidden(trace):
        name = hidden.family.definition.name
        message = (
            f"`self.{hidden.name}` is a plain {hidden.kind}: the {hidden.held} in it are no part "
            f"of {name}, and `parameters()`, `to()` and `state_dict()` leave them out"
        )
        because = ((hidden.built, "one of them is made here"),) if hidden.built else ()
        yield Claim(hidden.spot, message, because, repair=fixing.register(hidden))
