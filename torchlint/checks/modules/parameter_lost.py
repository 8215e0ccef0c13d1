"""TL409: a parameter that its module does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.layers import Refused
from torchlint.interpreter.questions.layers import lost_parameters, never_trained, settled
from torchlint.interpreter.trace import Claim
from torchlint.project.given import ASKED, NO_PARAMETER, ONCE, REMADE
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL409",
    name="parameter-lost",
    level=Level.CORRECTNESS,
    words={NO_PARAMETER},
    callers=ALONE,
    own={ASKED, ONCE, REMADE},
)
def parameter_lost(trace: Trace) -> Iterator[Claim]:
    """A module is given a tensor computed from a parameter, or in place of one."""
    for refused in trace.of(Refused):
        message = f"`{refused.name}` is a parameter, and a tensor cannot be put in its place"
        yield Claim(refused.spot, message)
    for lost in lost_parameters(trace):
        message = f"`{lost.name}` is computed from a parameter and is none: no optimizer gets it"
        because = tuple((made, "the parameter is made here") for made in lost.parameters)
        yield Claim(lost.spot, message, because)
    for once in settled(trace):
        message = (
            f"`{once.name}` is computed from a parameter once, when the module is built: it does "
            "not follow what that learns"
        )
        because = tuple((made, "the parameter is made here") for made in once.parameters)
        yield Claim(once.spot, message, because)
    for plain in never_trained(trace):
        message = f"`{plain.name}` asks for gradients and is no parameter: no optimizer gets it"
        because = ((plain.asked, "it asks for them here"),) if plain.asked != plain.spot else ()
        yield Claim(plain.spot, message, because)
