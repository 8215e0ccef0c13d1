"""TL322: linear layers with nothing between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import affine
from torchlint.interpreter.trace import Claim
from torchlint.project.idioms import AFFINE_PAIR
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL322",
    name="missing-nonlinearity",
    level=Level.SUSPICIOUS,
    words={AFFINE_PAIR},
    inside={AFFINE_PAIR},
    long_runs=True,
)
def missing_nonlinearity(trace: Trace) -> Iterator[Claim]:
    """Two linear layers in direct sequence can do no more than one."""
    for first, second in affine.merged(trace):
        message = (
            "this linear layer follows on another with no activation between them: "
            "together they can do no more than one"
        )
        yield Claim(second.built, message, ((first.built, "the layer before it"),))
