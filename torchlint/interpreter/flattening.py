"""Flattening: tensors whose dimensions are all put into one, and layers that take the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import choosing, dimensions, shapes
from torchlint.interpreter.events.shapes import FlatFed, Flattened

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.shaping import Outcome

_FLATTENING = frozenset({"flatten", "ravel", "view", "reshape"})


def given(operation: Operation, shape: Shape | None) -> Shape | None:
    """The shape of a result, which is noted where one dimension is left of several.

    Where its length is not known, it has a name from then on, by which it is known again.
    """
    if operation.name not in _FLATTENING or shape is None or len(shape) != 1:
        return shape
    before = shapes.of(operation)
    if before is None or shapes.least_rank(before) < 2 or shape == (shapes.MORE,):
        return shape
    length = shape[0] if shape[0] is not None else dimensions.new_name()
    operation.machine.emit(Flattened, operation.spot, before=before, length=length)
    return (length,)


def taken(operation: Operation, outcome: Outcome) -> None:
    """Note what a linear layer takes that has one dimension, if it has the right length."""
    if operation.name != "linear":
        return
    shape, learned = shapes.of(operation), outcome.learned.get("input")
    if shape is None or learned is None or not len(shape) == len(learned) == 1:
        return
    wanted = learned[0]
    if isinstance(wanted, int) and not isinstance(shape[0], (int, type(None))):
        machine, label = operation.machine, operation.label
        facts = {"op": label, "length": shape[0], "wanted": wanted}
        choosing.venture(machine, FlatFed, operation.spot, **facts)
