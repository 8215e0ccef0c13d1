"""Layers that are given a batch in one dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.events.shapes import FlatFed, Flattened, Refused
from torchlint.interpreter.shaping.mismatch import Why

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.dimensions import Dim
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot

_IMAGES = 4


@dataclass(frozen=True, slots=True)
class FlatBatch:
    """A layer, ``op``, at a spot, and the flattening that left it no batch.

    ``sure`` says that the batch has more than one sample, or that the layer never takes it.
    """

    spot: Spot
    op: str
    flattened: Flattened
    sure: bool
    wanted: Dim = None


def flat_batches(trace: Trace) -> Iterator[FlatBatch]:
    """Layers for the samples of a batch that are given all of it as one."""
    made = {event.length: event for event in trace.of(Flattened)}
    if not made:
        return
    for refused in trace.of(Refused):
        found = _refused(refused, made)
        if found is not None:
            yield found
    for fed in trace.of(FlatFed):
        flattened = made.get(fed.length)
        if flattened is not None and _may_be_sample(flattened, fed.wanted):
            sure = dimensions.is_several(flattened.before[0])
            yield FlatBatch(fed.spot, fed.op, flattened, sure, fed.wanted)


def _refused(refused: Refused, made: dict[Dim, Flattened]) -> FlatBatch | None:
    """A layer that refuses what a batch was flattened to."""
    mismatch = refused.mismatch
    if mismatch.shape is None or len(mismatch.shape) != 1:
        return None
    flattened = made.get(mismatch.shape[0])
    if flattened is None:
        return None
    if mismatch.why is Why.RANK and refused.op.startswith("BatchNorm"):
        return FlatBatch(refused.spot, refused.op, flattened, sure=True)
    wanted = mismatch.wanted
    if mismatch.why is not Why.SIZE or not isinstance(wanted, int):
        return None
    if not shapes.is_whole(flattened.before) or dimensions.product(flattened.before[1:]) != wanted:
        return None
    return FlatBatch(refused.spot, refused.op, flattened, sure=True, wanted=wanted)


def _may_be_sample(flattened: Flattened, wanted: int) -> bool:
    """Whether a layer takes as many features as a sample has, as far as that is known.

    The first dimension has to be asked for somewhere: nothing else tells a batch from a sample.
    """
    before = flattened.before
    if not shapes.is_whole(before) or before[0] in {None, 1}:
        return False
    sample = dimensions.product(before[1:])
    if isinstance(sample, int):
        return sample == wanted
    # What has four dimensions is images with their channels, and a batch of them.
    fits = len(before) >= _IMAGES and not dimensions.differ(sample, wanted)
    return fits and all(not isinstance(dim, int) or wanted % dim == 0 for dim in before[1:])
