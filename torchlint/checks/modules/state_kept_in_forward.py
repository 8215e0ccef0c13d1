"""TL423: a module that holds on to the graphs of all its calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import layers
from torchlint.interpreter.trace import Claim
from torchlint.project.classwords import CARRYING, KEEPING
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL423",
    name="state-kept-in-forward",
    level=Level.SUSPICIOUS,
    inside={CARRYING, KEEPING},
    supersedes={"TL801", "TL802"},
)
def state_kept_in_forward(trace: Trace) -> Iterator[Claim]:
    """A forward leaves tensors with their graph on its module, call after call."""
    for kept in layers.remembered(trace):
        if not kept.carried:
            message = (
                f"every call adds a tensor with its graph to `self.{kept.name}`, and nothing "
                "clears it: the graphs of all calls stay in memory"
            )
            yield Claim(kept.spot, message, repair=fixing.detach_stored(kept.spot, sure=False))
            continue
        message = (
            f"`self.{kept.name}` is computed from what the call before has left there, graph "
            "and all: the graph grows from call to call, and "
        )
        if layers.is_walked_back(trace, kept):
            message += "a second backward through it fails"
        else:
            message += "all of it stays in memory"
        yield Claim(kept.spot, message)
