"""TL709: settings that no layer takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import settings
from torchlint.interpreter.trace import Claim
from torchlint.project.layerwords import SETTINGS
from torchlint.project.sizewords import SIZED_LAYER, SIZED_TENSOR
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL709",
    name="layer-arguments",
    level=Level.CORRECTNESS,
    words={SETTINGS, SIZED_TENSOR},
    callers={SIZED_TENSOR},
    inside={SETTINGS, SIZED_LAYER},
)
def layer_arguments(trace: Trace) -> Iterator[Claim]:
    """A layer is given settings that torch refuses, at the latest when it is called."""
    for problem in settings.refused(trace):
        yield Claim(problem.spot, problem.text)
