"""What is made one number of: all samples of a batch, where each has something to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.events.shapes import OneCompared
from torchlint.interpreter.forms import Whole
from torchlint.interpreter.values import NONE, Opaque, Ref, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Value

_PLACES = frozenset({"argmax", "argmin"})
_REDUCING = _PLACES | {"max", "min", "mean"}
_AVERAGING = frozenset({"sum", "mean"})
_COMPARING = frozenset({"eq", "ne"})
_MOVING = frozenset(
    "to cpu cuda detach clone float double half long int contiguous type type_as squeeze".split()
)
_OF_DIMENSION = ("dim", "axis", "other")
NAMES = _REDUCING | _AVERAGING | _COMPARING | _MOVING
"""The operations that have a part in it."""


def result(operation: Operation) -> Whole | None:
    """The number that a result is, or what such a number was compared with."""
    given = _whole(operation, operation.inputs.get("input"))
    if operation.name in _COMPARING:
        return _compared(operation, given)
    if operation.name in _MOVING:
        return given
    if any(operation.inputs.get(name, NONE) != NONE for name in _OF_DIMENSION):
        return None
    if operation.name in _AVERAGING and given is not None and given.compared is not None:
        _tell(operation, given)
    return _made(operation) if operation.name in _REDUCING else None


def several(whole: Whole, other: Shape | None) -> bool:
    """Whether a tensor has a value for each of the samples that one number was made of."""
    before = whole.shape
    if before is None or other is None or not shapes.is_whole(other) or not other:
        return False
    if len(before) < 2 or before[0] in {None, 1, shapes.MORE} or before[0] != other[0]:
        return False
    if dimensions.is_batch(before[0]):
        return True
    if len(before) == 2 and before[0] == before[1] and whole.op not in _PLACES:
        return False
    return other in {before[:1], before[:-1], (before[0], *before[2:])}


def _made(operation: Operation) -> Whole | None:
    """A number that is made of all of a tensor which may hold several samples."""
    value = operation.inputs.get("input")
    tensor = operation.machine.get(value) if value is not None else None
    if not isinstance(tensor, Tensor) or not isinstance(value, Ref) or tensor.scalar:
        return None
    shape = tensor.shape
    if shapes.is_whole(shape) and shapes.least_rank(shape) < 2:
        return None
    return Whole(operation.spot, operation.label, value.address, shape)


def _whole(operation: Operation, value: Value | None) -> Whole | None:
    tensor = operation.machine.get(value) if value is not None else None
    return tensor.form.whole if isinstance(tensor, Tensor) and tensor.form is not None else None


def _compared(operation: Operation, given: Whole | None) -> Whole | None:
    """A number meets something that may have a value for each sample.

    Where its shape is not known, what is done with the comparison tells that it has.
    """
    machine = operation.machine
    whole, value = given, operation.inputs.get("other")
    if whole is None:
        whole, value = _whole(operation, value), operation.inputs.get("input")
    if whole is None or whole.compared is not None or not isinstance(value, Ref):
        return None
    if value.address == whole.source or machine.choices:
        return None
    met = replace(whole, compared=operation.spot)
    record = machine.get(value)
    if isinstance(record, Tensor) and several(whole, record.shape):
        _tell(operation, met)
        return None
    unseen = isinstance(record, Opaque) or value.address in machine.trace.taken
    known = isinstance(record, Tensor) and record.shape is not None
    return met if unseen and not known and whole.op in _PLACES else None


def _tell(operation: Operation, whole: Whole) -> None:
    assert whole.compared is not None
    operation.machine.emit(OneCompared, whole.compared, whole=whole)
