"""TL906: what gives other results from run to run, where that is not wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import determinism
from torchlint.interpreter.trace import Claim
from torchlint.registry import check
from torchlint.torch_api.determinism import MEASURES, OPERATIONS, SEEDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL906",
    name="nondeterministic",
    level=Level.PEDANTIC,
    names=lambda: (MEASURES, *SEEDS),
    demanding=lambda: OPERATIONS,
)
def nondeterministic(trace: Trace) -> Iterator[Claim]:
    """What differs from run to run is used where the project asks for the same results."""
    for call, lacks in determinism.refused(trace):
        message = (
            f"`{call.name.removeprefix('.')}` has no deterministic {lacks}: it raises where "
            "deterministic algorithms are demanded, as this project does"
        )
        yield Claim(call.spot, message)
    for switch, seed in determinism.measured(trace):
        message = (
            "with `cudnn.benchmark` cuDNN picks its algorithms by their times, which differ from "
            "run to run: the same seed gives other results"
        )
        yield Claim(switch.spot, message, ((seed.spot, "the seed is set here"),))
