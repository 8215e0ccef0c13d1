"""TL505: a checkpoint that is loaded to where it was saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.states import Restored
from torchlint.interpreter.trace import Claim
from torchlint.project import attempts, ownfiles, portability, rounds
from torchlint.project.handed import UNMAPPED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL505",
    name="load-without-map-location",
    level=Level.SUSPICIOUS,
    words={UNMAPPED},
    callers=ALONE,
)
def load_without_map_location(trace: Trace) -> Iterator[Claim]:
    """A checkpoint is loaded to the device that it was saved from, which may not be there."""
    for restored in trace.of(Restored):
        text, level = restored.read.region.outline.said, None
        if portability.has_own_files(restored.read.region.text) and "torch.save(" not in text:
            # It comes with the code, by whoever has written that.
            continue
        if attempts.is_placed_otherwise(restored.read.region, restored.read.node):
            continue
        message = "without `map_location` every tensor goes to the device that it was saved from"
        if portability.is_distributed(restored.read.region):
            if ownfiles.is_of_its_rank(restored.read):
                # Each process has saved that file itself.
                continue
            message += ": in each process, to the one of the process that saved it"
        elif portability.chooses(text):
            message += ": where there is none, what was saved on a GPU cannot be loaded"
        else:
            level = Level.PEDANTIC
        if (
            ownfiles.comes_after_a_save(restored.read)
            or ownfiles.has_saved(restored.spot)
            or ownfiles.is_removed_once_loaded(restored.read)
            or any(map(ownfiles.comes_after_rounds, restored.calls))
            or rounds.has_saved(restored.read)
            or restored.trained
        ):
            # What the same run has saved comes back to where it was.
            level = Level.PEDANTIC
        tested = portability.is_under_a_test(restored.read.region, restored.read.node)
        if restored.from_cpu or restored.on_cuda or tested:
            # It is on no such device, or not loaded where there is none.
            level = Level.PEDANTIC
        because = ((restored.spot, "the state is taken over here"),)
        repair = fixing.onto_the_cpu(restored.read)
        yield Claim(restored.read, message, because, level=level, repair=repair)
