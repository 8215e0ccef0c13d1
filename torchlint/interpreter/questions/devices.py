"""Devices: what is moved and not kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import tensors
from torchlint.interpreter.events.lost import Dropped
from torchlint.project.dropped import MOVES, OF_TENSORS, RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def dropped_moves(trace: Trace) -> Iterator[tuple[Dropped, bool]]:
    """Moves of tensors whose result is dropped, and whether what is moved is one for certain."""
    for event in trace.of(Dropped):
        sure = event.tensor is not None and not tensors.is_opaque(event.tensor)
        if event.name in MOVES and (event.tensor is not None or event.address in trace.taken):
            yield event, sure


def dropped_results(trace: Trace) -> Iterator[tuple[Dropped, bool]]:
    """Results of methods that change nothing, dropped, and whether they are surely a tensor's."""
    for event in trace.of(Dropped):
        sure = event.tensor is not None and not tensors.is_opaque(event.tensor)
        if event.name in OF_TENSORS or (event.name in RESULTS and sure):
            yield event, sure
