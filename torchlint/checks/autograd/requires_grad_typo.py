"""TL112: other names for `requires_grad`, and tensors that cannot have gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.autograd import IntegerGrad, Misspelt
from torchlint.interpreter.trace import Claim
from torchlint.project.words import REQUIRED
from torchlint.registry import ALONE, check
from torchlint.torch_api.flags import MISSPELT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL112",
    name="requires-grad-typo",
    level=Level.CORRECTNESS,
    words={*MISSPELT, *(f"{name}_" for name in MISSPELT), REQUIRED},
    callers=ALONE,
)
def requires_grad_typo(trace: Trace) -> Iterator[Claim]:
    """`requires_grad` is misspelt, or asked of a tensor that cannot have gradients."""
    for slip in trace.of(Misspelt):
        if slip.keyword:
            message = f"there is no argument `{slip.name}`, which raises; it is `requires_grad`"
        elif slip.method:
            message = f"there is no method `{slip.name}`, which raises; it is `requires_grad_`"
        else:
            message = (
                f"`{slip.name}` is a new attribute that nothing reads; the flag that autograd "
                "looks at is `requires_grad`"
            )
        yield Claim(slip.spot, message, repair=fixing.spelt(slip.spot, slip.name))
    for asked in trace.of(IntegerGrad):
        message = (
            f"only floating point and complex tensors can require grad, and this one is "
            f"{asked.dtype}: that raises"
        )
        yield Claim(asked.spot, message)
