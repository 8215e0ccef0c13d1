"""Squeezing: dimensions of one that are dropped, whichever they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import shapes
from torchlint.interpreter.events.shapes import Squeezed
from torchlint.interpreter.values import NONE

if TYPE_CHECKING:
    from torchlint.interpreter.ranges import Operation


def noted(operation: Operation) -> None:
    """Note that a batch of a size which is not known is squeezed along all of its dimensions.

    There has to be another dimension of one, that is meant to go.
    """
    if operation.name != "squeeze" or operation.machine.choices:
        return
    if operation.inputs.get("dim", NONE) != NONE:
        return
    shape = shapes.of(operation)
    if shape is None or not shapes.is_whole(shape) or len(shape) < 2 or 1 not in shape[1:]:
        return
    if shape[0] is None or isinstance(shape[0], str):
        operation.machine.emit(Squeezed, operation.spot, shape=shape)
