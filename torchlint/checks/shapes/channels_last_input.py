"""TL714: images whose channels stand at the end go into a convolution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import shapes
from torchlint.interpreter.trace import Claim
from torchlint.project.sizewords import SIZED_LAYER, SIZED_TENSOR
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL714",
    name="channels-last-input",
    level=Level.CORRECTNESS,
    words={SIZED_TENSOR},
    callers={SIZED_TENSOR},
    inside={SIZED_LAYER},
    supersedes={"TL701"},
)
def channels_last_input(trace: Trace) -> Iterator[Claim]:
    """A convolution takes the channels before the sizes, and is given them at the end."""
    for event in shapes.channels_last(trace):
        message = f"{shapes.told(event)}: the channels stand in its last dimension"
        yield Claim(
            event.spot, message, shapes.path(trace, event), level=shapes.level(trace, event)
        )
