"""Meetings: tensors of several devices in one operation, and the device of what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import dtypes, shapes, widening
from torchlint.interpreter.events.devices import Astray, Fed, LeftBehind, Meeting, Mismatch
from torchlint.interpreter.multiples import short
from torchlint.interpreter.values import (
    FOLLOWS,
    Device,
    Instance,
    Mapping,
    Ref,
    Sequence,
    Tensor,
    Tuple,
)
from torchlint.project import portability
from torchlint.project.importing import is_imported, is_of_pipelines
from torchlint.torch_api import generated, kinds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Mapping as Mapping_

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.project.outline import Outline

_MET = {"default": Meeting, "kept": LeftBehind}
"""What it is when a tensor that was made without a device meets one from elsewhere."""

_ELSEWHERE = frozenset({"follows", "moved"})
_STAYING = frozenset({"home", "cpu"})

_TAKING_UP = frozenset("iadd isub imul itruediv add sub mul div".split())
"""Operations that change a tensor by others."""

PARAMETERS = "parameters"
"""Stands for an operation that takes the parameters of a layer."""

UNSEEN = "unseen"
"""Stands for what something that was moved does, which may be a model."""

_STRICT = frozenset(
    "add sub mul div true_divide matmul mm bmm addmm mv cat concat stack where eq ne lt le gt ge "
    "maximum minimum dist cdist dot outer isin searchsorted bucketize gather index_select "
    "nn.functional.linear nn.functional.cosine_similarity".split()
)
"""Operations that take tensors of one device, but for those without dimensions."""


_FETCHED = {"index_put": "indices"}
"""Arguments that are copied to where the tensor is."""


def partners(op: str, operands: Mapping_[str, list[Tensor]]) -> list[Tensor]:
    """The tensors that meet in an operation, of those that its arguments hold."""
    fetched = _FETCHED.get(op.removeprefix("Tensor.").removesuffix("_"))
    return [tensor for name, held in operands.items() if name != fetched for tensor in held]


def placed(device: Device | None) -> Tensor:
    """Stands for the parameters of a layer where devices meet."""
    return Tensor(None, frozenset(), device=device)


def parameters(layer: Instance) -> Device | None:
    """Where a layer's parameters are; not known of one that something unseen may have moved."""
    device = layer.device
    return None if device is not None and device.kind == "home" and layer.escaped else device


def meet(machine: Machine, tensors: list[Tensor], spot: Spot, op: str = "") -> Device | None:
    """The device of a result; one made by default that meets one from elsewhere is an event."""
    tensors = [_placed(machine, tensor) for tensor in tensors]
    sized = [tensor for tensor in tensors if not tensor.scalar]
    if sized:
        # A single number may meet what is elsewhere from the CPU only, not the other way round.
        sized.extend(filter(_is_number_elsewhere, tensors))
    devices = [tensor.device for tensor in sized if tensor.device is not None]
    elsewhere = [device for device in devices if device.kind in _ELSEWHERE]
    if elsewhere:
        for device in dict.fromkeys(devices):
            event = _MET.get(device.kind)
            if event is not None and device.spot is not None:
                # What is not known to have dimensions may be a number, and so be anywhere.
                shaped = any(tensor.shape for tensor in sized if tensor.device == device)
                kept = event is LeftBehind
                moves = _may_move(machine, device.spot, kept=kept, shaped=shaped)
                machine.emit(event, spot, factory=device.spot, other=elsewhere[0], moves=moves)
        _refuse(machine, sized, spot, op)
        if any(device.kind in _STAYING for device in devices):
            # Torch raises, for all but single numbers, and nobody finds out where the result is.
            return None
        return widening.met(machine, sized, spot, op) or elsewhere[0]
    if not sized:
        # What comes of a single number is where that is; others meet it wherever they are.
        moved = [one.device for one in tensors if one.device and one.device.kind == "moved"]
        return moved[0] if moved else None
    if any(tensor.device is None for tensor in sized):
        return widening.met(machine, sized, spot, op)
    if len({device.kind for device in devices} & {"built", "kept", "home"}) > 1:
        return None
    last = {device.kind: device for device in devices}
    return last.get("home") or widening.met(machine, sized, spot, op) or devices[0]


def _is_number_elsewhere(tensor: Tensor) -> bool:
    return tensor.scalar and tensor.device is not None and tensor.device.kind in _ELSEWHERE


def _placed(machine: Machine, tensor: Tensor) -> Tensor:
    device = whereabouts(machine, tensor)
    return tensor if device is tensor.device else replace(tensor, device=device)


def whereabouts(machine: Machine, tensor: Tensor) -> Device | None:
    """Where a tensor is; a parameter is where its module was moved, once that is built.

    In a forward or step that runs alone this is where what comes in is.
    """
    node = tensor.node
    if tensor.device is not None or not tensor.leaf or node is None or node.owner is None:
        return tensor.device
    functions = (each.function for each in machine.activations)
    if "__init__" in {function.name for function in functions if function is not None}:
        return None
    owner = machine.peek(Ref(node.owner))
    device = owner.device if isinstance(owner, Instance) else None
    if device is None:
        return FOLLOWS if machine.trace.together else None
    return device if _is_moved(device) else None


def meet_unseen(machine: Machine, there: Device | None, given: Iterable[Value], spot: Spot) -> None:
    """What is fed to a model out of sight that was moved meets its device.

    Beside what it is for there may be lengths of sequences, which packing takes on the CPU only.
    """
    for position, value in enumerate(given):
        tensor = machine.get(value)
        if not isinstance(tensor, Tensor) or tensor.scalar:
            continue
        if not position or not _may_be_lengths(tensor):
            meet(machine, [tensor, placed(there)], spot, UNSEEN)


def _may_be_lengths(tensor: Tensor) -> bool:
    return shapes.least_rank(tensor.shape) < 2 and not dtypes.is_float(tensor.dtype)


def meet_in_place(
    machine: Machine, changed: Tensor, op: str, others: Iterable[Tensor], spot: Spot
) -> None:
    """What changes a tensor meets it, though it has no dimensions: only operands may be anywhere.

    A number on the CPU cannot take up one that is on a device.
    """
    here = changed.device
    if here is None or not changed.scalar or short(op) not in _TAKING_UP:
        return
    there = [one.device for one in others if one.device and one.device.kind in _ELSEWHERE]
    if not there:
        return
    if here.kind == "default" and here.spot is not None:
        moves = _may_move(machine, here.spot, kept=False, shaped=True)
        machine.emit(Meeting, spot, factory=here.spot, other=there[0], moves=moves)
    elif here.kind in _STAYING and is_away(machine, there[0]):
        machine.emit(Mismatch, spot, here=here, there=there[0], sure=True)


def _may_move(machine: Machine, factory: Spot, *, kept: bool, shaped: bool) -> bool:
    """Whether what a tensor is made for may be moved: by its file, or a module by the project.

    The modules of Lightning are moved by their trainer.
    """
    outline = factory.region.outline
    if portability.hides_devices(outline.text):
        return False
    if outline.moves or (shaped and machine.trace.step):
        return True
    if not machine.index.texts.move:
        return False
    return kept or (shaped and _computes_for_others(machine, outline))


def _computes_for_others(machine: Machine, outline: Outline) -> bool:
    """Whether a method is under way of a module of this file, which another one takes from it."""
    functions = (each.function for each in machine.activations)
    owners = {function.owner for function in functions if function is not None}
    return any(
        owner is not None
        and owner.outline is outline
        and kinds.is_module(machine.index, owner)
        and is_imported(machine.index, owner)
        and not is_of_pipelines(machine.index, owner)
        for owner in owners
    )


def loosened(machine: Machine, element: Value) -> Value:
    """An element of what is not known to have dimensions, which a single number has none of.

    Such a one may meet what is anywhere, and nobody asks where it was made.
    """
    match machine.peek(element):
        case Tensor(shape=None, device=Device(kind="default" | "built")) as record:
            machine.set(element, replace(record, device=None))
    return element


def _refuse(machine: Machine, sized: list[Tensor], spot: Spot, op: str) -> None:
    """What stayed on the CPU meets what was moved, where none may stay: an event."""
    there = [tensor.device for tensor in sized if tensor.device and _is_moved(tensor.device)]
    if not there or _may_be_anywhere(machine):
        return
    for tensor in sized:
        here = tensor.device
        if here is not None and here.kind in _STAYING and _is_strict(op, tensor):
            machine.emit(Mismatch, spot, here=here, there=there[0], sure=op != UNSEEN)
            return


def read_on_the_cpu(machine: Machine, value: Value, what: str, spot: Spot) -> None:
    """A tensor is read that torch wants on the CPU; where it was moved that is an event."""
    record = machine.get(value)
    device = record.device if isinstance(record, Tensor) else None
    if device is not None and is_away(machine, device):
        machine.emit(Astray, spot, what=what, there=device)


def is_away(machine: Machine, device: Device) -> bool:
    """Whether something is off the CPU where there is an accelerator, as far as this runs then."""
    return _is_moved(device) and not _may_be_anywhere(machine)


def _is_moved(device: Device) -> bool:
    """Whether something was put on an accelerator, or where there is one."""
    return device.kind == "moved" and device.accelerator is not False


def _may_be_anywhere(machine: Machine) -> bool:
    """Whether this may run only where all is well, or on other values."""
    return bool(machine.tries or machine.choices) or _asks_for_device(machine)


def _is_strict(op: str, tensor: Tensor) -> bool:
    if op in {PARAMETERS, UNSEEN} or generated.loss_function(f"torch.{op}") is not None:
        return True
    # A tensor without dimensions may be anywhere.
    plain = op.removeprefix("Tensor.__").removesuffix("__").removesuffix("__(alike)")
    return (op in _STRICT or plain in _OPERATORS) and bool(tensor.shape)


_OPERATORS = frozenset(
    "add sub mul truediv radd rsub rmul rtruediv pow matmul eq ne lt le gt ge and or xor".split()
)


def _asks_for_device(machine: Machine) -> bool:
    """Whether what runs is under a test of the device."""
    says = portability.speaks_of_devices
    return any(each.is_tested(says, returns=True) for each in machine.activations)


def fed(machine: Machine, start: int, given: Iterable[Value], spot: Spot) -> bool:
    """A model was applied: what it was given and did not fit is an event of the call."""
    events = machine.trace.events[start:]
    met = tuple(event for event in events if isinstance(event, Mismatch))
    if not met or {met[0].here, met[0].there}.isdisjoint(_devices(machine, given)):
        return False
    machine.emit(Fed, spot, met=met)
    return True


def _devices(machine: Machine, given: Iterable[Value]) -> Iterator[Device | None]:
    """The devices of the tensors among some values, and of those in them."""
    for value in given:
        parts = value.items if isinstance(value, Tuple) else (value,)
        if parts != (value,):
            yield from _devices(machine, parts)
            continue
        match machine.get(value):
            case Tensor(device=device):
                yield device
            case Mapping(items=pairs, rest=rest):
                yield from _devices(machine, [item for _, item in pairs])
                yield from _devices(machine, [] if rest is None else [rest])
            case Sequence(items=items, rest=rest):
                yield from _devices(machine, [*items, *([] if rest is None else [rest])])
