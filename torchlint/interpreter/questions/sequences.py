"""Layers of sequences that take time first, where the batch does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import shapes
from torchlint.interpreter.dimensions import written
from torchlint.interpreter.events.sequences import Positioned, Sequenced, StepsRead

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Chain, Trace
    from torchlint.interpreter.values import Node, Spot


_STAYING = frozenset("dropout Dropout layer_norm LayerNorm mul iadd add relu ReLU".split())
"""Operations by which each number stays where it is, among those of other samples and steps."""


@dataclass(frozen=True, slots=True)
class BatchFirst:
    """A layer that is given the batch first, and what tells so."""

    layer: Sequenced
    reason: str
    because: Chain


def batches_for_time(trace: Trace) -> Iterator[BatchFirst]:
    """Layers that take time first, whose input has the batch there, each place once."""
    read = {event.of: event for event in trace.of(StepsRead)}
    positioned = {event.spot for event in trace.of(Positioned)}
    seen = set()
    for layer in trace.of(Sequenced):
        if layer.spot in seen:
            continue
        steps = read.get(layer.result)
        added = _where_added(layer.node, positioned)
        found = None
        if layer.fed:
            shape = f"`{shapes.written(layer.shape)}`"
            found = BatchFirst(layer, f"gets a batch of the loader, {shape}", ())
        elif layer.placed:
            found = BatchFirst(layer, "gets the samples of a convolution or pooling first", ())
        elif _is_state_of_batch(layer):
            found = BatchFirst(
                layer, f"has a first state for {written(layer.state)} samples, its first size", ()
            )
        elif steps is not None and _may_have_samples(layer):
            because = ((steps.spot, steps.note),)
            found = BatchFirst(layer, "is read as if the batch came first", because)
        elif added is not None and not layer.made:
            because = ((added, "positions are added along the second dimension"),)
            found = BatchFirst(layer, "gets steps in the second dimension", because)
        if found is not None:
            seen.add(layer.spot)
            yield found


def _where_added(node: Node | None, positioned: set[Spot]) -> Spot | None:
    """Where positions were added to a tensor, all of whose dimensions have stayed since."""
    while node is not None and node.spot not in positioned:
        op = node.op.rpartition(".")[2].strip("_")
        node = node.parents[0] if op in _STAYING and node.parents else None
    return node.spot if node is not None else None


def _is_state_of_batch(layer: Sequenced) -> bool:
    """Whether the first state is for as many as the input has first, and not second."""
    if layer.state is None or layer.shape is None or isinstance(layer.state, int):
        return False
    first, second = (shapes.size(layer.shape, at) for at in (0, 1))
    return first == layer.state and second != layer.state


def _may_have_samples(layer: Sequenced) -> bool:
    """Whether the input may have more than one sample, and a dimension for them."""
    return (
        not layer.made
        and shapes.rank(layer.shape) in {None, 3}
        and shapes.size(layer.shape, 1) != 1
    )
