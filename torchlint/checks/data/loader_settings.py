"""TL605: settings of a loader that make the training wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import thrift
from torchlint.interpreter.trace import Claim
from torchlint.registry import check
from torchlint.ruleoptions import Words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WHY = {
    thrift.NO_WORKERS: (
        "no `num_workers` is given, so that the training waits while each batch is made",
        "the process that trains makes the batches of this loop",
    ),
    thrift.NOT_PINNED: (
        "without `pin_memory=True` each batch is copied twice on its way to the accelerator",
        "it is moved here",
    ),
    thrift.NOT_PERSISTENT: (
        "without `persistent_workers=True` the workers end and begin anew with every epoch",
        "they begin here in every epoch",
    ),
}


@check(
    code="TL605",
    name="loader-settings",
    level=Level.PEDANTIC,
    words={"backward()"},
    callers={"backward()"},
    options=(Words("wants", tuple(_WHY), "the settings that a loader is to have"),),
)
def loader_settings(trace: Trace) -> Iterator[Claim]:
    """A training loader has no workers, begins them anew each epoch, or does not pin its memory."""
    for built, lacking, spot in thrift.waiting(trace):
        message, because = _WHY[lacking]
        yield Claim(built.spot, message, ((spot, because),), about=(("wants", lacking),))
