"""Squeezing: dimensions of one that are dropped, whichever they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import choosing, dimensions, shapes
from torchlint.interpreter.events.shapes import (
    RankUsed,
    Resized,
    Squeezed,
    SqueezedGiven,
    SqueezedReturned,
)
from torchlint.interpreter.graphs import back
from torchlint.interpreter.shaping.elementwise import PAIRWISE, SAME
from torchlint.interpreter.shaping.losses import ELEMENTWISE
from torchlint.interpreter.values import NONE, Either, Ref, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Spot, Value

_RESIZING = frozenset(
    "view view_as reshape reshape_as unsqueeze expand expand_as flatten ravel unflatten "
    "atleast_1d atleast_2d atleast_3d".split()
)
"""What gives a tensor dimensions, however many it has."""

_REDUCING = frozenset("sum mean prod std var norm numel any all max min amax amin".split())
"""What makes one number of all dimensions, if it is told none."""

_NOWHERE: frozenset[Spot] = frozenset()

_JOINING = frozenset("stack cat concat concatenate".split())
"""What joins tensors, along a new dimension, or along one that all of them have to have."""

_MOST = 2
"""So many dimensions are a batch, and what each of it has, which may be one number."""


def result(operation: Operation) -> frozenset[Spot]:
    """Where a result was squeezed; a batch of a size that is not known is an event."""
    machine = operation.machine
    if operation.name == "squeeze":
        return _dropped(operation)
    if not machine.trace.of(Squeezed) and not machine.trace.of(SqueezedGiven):
        return _NOWHERE
    if operation.name in _JOINING:
        return _joined(operation)
    given = {name: _squeezed(machine, value) for name, value in operation.inputs.items()}
    return _NOWHERE.union(*(_used(operation, name, at) for name, at in given.items() if at))


def _joined(operation: Operation) -> frozenset[Spot]:
    """Where what is joined was squeezed: a stack has as many dimensions too few as each of it."""
    machine, given = operation.machine, operation.inputs.get("tensors", NONE)
    squeezed = _NOWHERE.union(*(_squeezed(machine, one) for one in _held(machine, given)))
    if operation.name == "stack":
        return squeezed
    for each in squeezed:
        machine.emit(RankUsed, operation.spot, squeezed=each, even=False)
    return _NOWHERE


def asked(machine: Machine, value: Value, spot: Spot) -> None:
    """The program asks how many dimensions something has, and will act on it."""
    for each in _squeezed(machine, value):
        machine.emit(Resized, spot, squeezed=each)


def taken(machine: Machine, value: Value, spot: Spot) -> None:
    """Something is used as it is, with all the dimensions that it has."""
    for each in _squeezed(machine, value):
        machine.emit(RankUsed, spot, squeezed=each, even=False)


def given(machine: Machine, value: Value, spot: Spot) -> None:
    """A module gives something: its caller has it squeezed where it called the module."""
    for each in _held(machine, value):
        record = machine.get(each)
        if isinstance(record, Tensor) and record.form is not None:
            form = replace(record.form, squeezed=record.form.squeezed | {spot})
            machine.set(each, replace(record, form=form))
            machine.emit(SqueezedGiven, spot)


def returned(machine: Machine, value: Value, spot: Spot) -> None:
    """The run gives its caller something."""
    for each in _held(machine, value):
        for squeezed in _squeezed(machine, each):
            machine.emit(SqueezedReturned, spot, squeezed=squeezed)


def _held(machine: Machine, value: Value) -> Iterator[Ref]:
    """What has been squeezed of something that is given or returned."""
    from torchlint.interpreter import tensors

    pending = [value]
    while pending:
        match pending.pop():
            case Tuple(items=items) | Either(options=items):
                pending.extend(items)
            case current:
                for each in tensors.flatten(machine, current):
                    if isinstance(each, Ref) and _squeezed(machine, each):
                        yield each


def _dropped(operation: Operation) -> frozenset[Spot]:
    """There has to be another dimension of one, that is meant to go."""
    machine, dropped = operation.machine, frozenset({operation.spot})
    if operation.inputs.get("dim", NONE) != NONE:
        return _NOWHERE
    shape = shapes.of(operation)
    if shape is None or not shapes.is_whole(shape) or 1 not in shape[1:]:
        return dropped
    if shape[0] in machine.live.many:
        return dropped
    if is_batch(operation, shape):
        even = dimensions.is_even(shape[0]) or machine.index.texts.drop_remainders
        choosing.venture(machine, Squeezed, operation.spot, shape=shape, even=even)
    return dropped


def _squeezed(machine: Machine, value: Value) -> frozenset[Spot]:
    """Where a tensor was squeezed, or the one that something may be."""
    if isinstance(value, Either):
        return _NOWHERE.union(*(_squeezed(machine, option) for option in value.options))
    record = machine.get(value) if isinstance(value, Ref) else None
    form = record.form if isinstance(record, Tensor) else None
    return form.squeezed if form is not None else _NOWHERE


def _may_have(tensor: Tensor, many: int) -> bool:
    """Whether a tensor has so many dimensions, as far as is known."""
    rank = shapes.rank(tensor.shape)
    return not tensor.scalar and (rank is None or rank >= many)


def _is_squeezed(tensor: Tensor) -> bool:
    """Whether what a tensor is used with has lost the batch as well, where that is one sample."""
    return tensor.form is not None and bool(tensor.form.squeezed)


def _left(machine: Machine, squeezed: frozenset[Spot]) -> int:
    """How many dimensions are left of what was squeezed somewhere, with a batch of several."""
    found = (event.shape for event in machine.trace.of(Squeezed) if event.spot in squeezed)
    return max((sum(dim != 1 for dim in shape) for shape in found), default=_MOST + 1)


def _used(operation: Operation, parameter: str, squeezed: frozenset[Spot]) -> frozenset[Spot]:
    """What is squeezed is used; gives where it was if the result has the same dimensions."""
    machine, name = operation.machine, operation.name
    if name in _RESIZING:
        for each in squeezed:
            machine.emit(Resized, operation.spot, squeezed=each)
        return _NOWHERE
    records = [machine.get(value) for key, value in operation.inputs.items() if key != parameter]
    others = [record for record in records if isinstance(record, Tensor)]
    if name in SAME or (name in PAIRWISE and not others):
        return squeezed
    even = name in _REDUCING and not operation.inputs.keys() & {"dim", "axis"}
    if name in PAIRWISE | ELEMENTWISE and all(map(_is_squeezed, others)):
        even = True
    elif name in PAIRWISE:
        left = _left(machine, squeezed)
        # Beside what has the batch, what has lost it is broadcast to it.
        even = left <= _MOST and all(_may_have(one, left) for one in others)
    elif name == "setitem" and parameter == "value":
        # A part of a tensor has the batch, to which what has lost it is broadcast.
        even = not _is_joined(machine, operation.inputs[parameter], squeezed)
    for each in squeezed:
        machine.emit(RankUsed, operation.spot, squeezed=each, even=even)
    return _NOWHERE


def _is_joined(machine: Machine, value: Value, squeezed: frozenset[Spot]) -> bool:
    """Whether something may have got another dimension, before the batch, since it was squeezed."""
    record = machine.get(value)
    if not isinstance(record, Tensor) or record.node is None:
        return True
    since = back([record.node], lambda each: each.spot not in squeezed)
    return any(each.op in _JOINING for each in since)


def is_batch(operation: Operation, shape: Shape) -> bool:
    """Whether the first dimension is the samples of a loader, or of what a forward is given."""
    first = shape[0]
    if dimensions.is_batch(first):
        return True
    if not operation.machine.trace.forward or not (first is None or isinstance(first, str)):
        return False
    return _is_of_argument(operation.machine, first) or _leads_to_batch(
        operation, operation.inputs.get("input"), first
    )


def _is_of_argument(machine: Machine, size: Dim) -> bool:
    """Whether a name stands for the first size of what a forward is given."""
    return size is not None and any(
        isinstance(record, Tensor) and record.argument and shapes.size(record.shape, 0) == size
        for record in machine.live.heap.values()
    )


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
