"""Squeezing: dimensions of one that are dropped, whichever they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.events.shapes import Resized, Squeezed
from torchlint.interpreter.values import NONE, Ref, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Spot, Value

_RESIZING = frozenset(
    "view view_as reshape reshape_as unsqueeze expand expand_as flatten ravel unflatten".split()
)
"""What gives a tensor dimensions, however many it has."""


def result(operation: Operation) -> Spot | None:
    """Where a result was squeezed; a batch of a size that is not known is an event.

    There has to be another dimension of one, that is meant to go.
    """
    machine = operation.machine
    if operation.name in _RESIZING:
        given = machine.get(operation.inputs.get("input", NONE))
        if isinstance(given, Tensor) and given.form is not None and given.form.squeezed:
            machine.emit(Resized, operation.spot, squeezed=given.form.squeezed)
        return None
    if operation.name != "squeeze" or operation.inputs.get("dim", NONE) != NONE:
        return None
    shape = shapes.of(operation)
    if shape is None or not shapes.is_whole(shape) or len(shape) < 2 or 1 not in shape[1:]:
        return None
    if not machine.choices and is_batch(operation, shape):
        machine.emit(Squeezed, operation.spot, shape=shape)
    return operation.spot


def is_batch(operation: Operation, shape: Shape) -> bool:
    """Whether the first dimension is the samples of a loader, or of what a forward is given."""
    first = shape[0]
    if dimensions.is_batch(first):
        return True
    if not operation.machine.trace.forward or not (first is None or isinstance(first, str)):
        return False
    return _leads_to_batch(operation, operation.inputs.get("input"), first)


def _leads_to_batch(operation: Operation, value: Value | None, first: Dim) -> bool:
    """Whether a tensor was made by a layer that takes a batch, or of an argument with this size."""
    machine = operation.machine
    while isinstance(value, Ref):
        made = machine.trace.made.get(value.address)
        if made is None:
            record = machine.get(value)
            if not isinstance(record, Tensor) or not record.argument:
                return False
            return first is None or first == shapes.size(record.shape, 0)
        if made.built is not None and made.op.endswith(_WINDOWED):
            return True
        value = Ref(made.given) if made.given is not None else None
    return False


_WINDOWED = ("1d", "2d", "3d")
"""How layers are called that take a batch of lines, images or volumes."""
