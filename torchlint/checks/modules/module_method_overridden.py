"""TL412: a method of `nn.Module`'s that is redefined as something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import classes, overriding
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL412",
    name="module-method-overridden",
    level=Level.CORRECTNESS,
    classes=True,
)
def module_method_overridden(trace: Trace) -> Iterator[Claim]:
    """A method of `nn.Module` is redefined with another signature or meaning."""
    for method, why in overriding.overridden(trace):
        message = f"`{method.name}` takes the place of that of `nn.Module`, and does not fit: {why}"
        yield Claim(classes.heading(method), message)
