"""Folding: views that leave the number of samples to torch, and say how long each of them is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import choosing, dimensions, shapes
from torchlint.interpreter.events.shapes import Folded
from torchlint.interpreter.shaping.request import Request

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.ranges import Operation


def noted(operation: Operation) -> None:
    """Note a view of samples with several dimensions by which each of them becomes one row.

    Rows that are no more than the last dimensions are positions in the samples, and meant to be.
    """
    machine = operation.machine
    if operation.name not in {"view", "reshape"}:
        return
    shape = shapes.of(operation)
    sample = _sample(shape)
    if shape is None or len(sample) < len(("channels", "height", "width")):
        return
    length = _row(Request(operation))
    if length is not None and _is_row(length, sample):
        facts = {"op": operation.label, "before": shape, "length": length}
        choosing.venture(machine, Folded, operation.spot, **facts)


def _sample(shape: Shape | None) -> Shape:
    """The dimensions of a sample: all but the first one, or what is known to be at the end."""
    if shape is None:
        return ()
    return shape[1:] if shapes.is_whole(shape) else shapes.ends(shape)[1]


def _row(request: Request) -> Dim:
    """How long rows are to be, where their number is left to torch."""
    sizes = request.sizes(request.rest())
    if sizes is None or len(sizes) != len(("rows", "length")) or sizes[0] != -1:
        return None
    return sizes[1]


def _is_row(length: Dim, sample: Shape) -> bool:
    """Whether a sample, with the channels that it has, becomes a row, or would of some size."""
    channels, *places = sample
    whole = dimensions.product(sample)
    if whole is not None and not dimensions.names_in(whole):
        return whole == length
    if channels == 1 or dimensions.divided(length, channels) is None:
        return False
    return not any(length == dimensions.product(places[at:]) for at in range(len(places)))
