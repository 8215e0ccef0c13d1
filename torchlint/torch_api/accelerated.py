"""Accelerators that a dataset, or what makes its batches, moves tensors to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import calls, containers, items
from torchlint.interpreter.events.workers import Accelerated, Collated, TensorHeld
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import (
    Bound,
    Const,
    Either,
    Function,
    Instance,
    Ref,
    Sequence,
    Tensor,
)
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated
from torchlint.torch_api.loader_arguments import settings
from torchlint.torch_api.placing import ACCELERATORS
from torchlint.torch_api.registry import given, hear

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

_MOVES = Pattern(r"\.(?:cuda|to)\(|\bdevice\b")


@hear("tensor", "to", "cuda")
@hear("opaque", "to", "cuda")
def _moved(call: Call) -> None:
    wanted = call.get("device", 0)
    if call.name == "cuda":
        _note(call, sure=True)
    elif wanted is not None:
        _placed(call, wanted)


@given(*(f"torch.{name}" for name in generated.factory_names()))
def _made(call: Call, value: Value) -> None:
    wanted = call.arguments.keywords.get("device")
    if wanted is not None:
        _placed(call, wanted, value.address if isinstance(value, Ref) else None)


def _placed(call: Call, wanted: Value, made: int | None = None) -> None:
    places = list(_places(call.machine, wanted))
    if any(place.startswith(ACCELERATORS) for place in places):
        _note(call, sure=len(places) == 1, made=made)


def _places(machine: Machine, value: Value) -> list[str]:
    """The names of the devices that a value may stand for."""
    record = machine.get(value)
    if isinstance(record, Instance) and record.cls == "torch.device":
        inner = record.attributes.get("type")
        return _places(machine, inner) if inner is not None else []
    match value:
        case Const(value=str() as name):
            return [name]
        case Either(options=options):
            return [name for option in options for name in _places(machine, option)]
    return []


def _note(call: Call, *, sure: bool, made: int | None = None) -> None:
    machine = call.machine
    asked = items.asked(machine)
    machine.emit(
        Accelerated,
        call.spot,
        sure=sure,
        made=made,
        dataset=asked.dataset if asked is not None else None,
        owner=asked.cls.name if asked is not None else "",
        apart=machine.index.texts.ask_for_workers,
    )


@given("torch.utils.data.DataLoader")
def _built(call: Call, value: Value) -> None:
    """What the dataset holds, and what is done to make a batch."""
    machine, told = call.machine, settings(call)
    if not isinstance(value, Ref) or "num_workers" not in told:
        return
    dataset = told.get("dataset")
    for held in _tensors(machine, dataset, 3) if dataset is not None else ():
        record = machine.get(held)
        if isinstance(record, Tensor):
            at = record.device.spot if record.device is not None else None
            machine.emit(TensorHeld, call.spot, loader=value.address, tensor=held.address, moved=at)
    collate = told.get("collate_fn")
    function = collate.method if isinstance(collate, Bound) else collate
    if collate is None or not isinstance(function, Function) or machine.state is None:
        return
    if _MOVES.search(function.region.text):
        before, first = machine.live.fork(), len(machine.trace.events)
        given_ = machine.new(Sequence("list", rest=machine.opaque("item")))
        calls.call(machine, collate, Arguments((given_,)), call.spot)
        machine.state = before
        events = range(first, len(machine.trace.events))
        machine.emit(Collated, call.spot, loader=value.address, events=events)


def _tensors(machine: Machine, value: Value, depth: int) -> list[Ref]:
    """The tensors that a dataset keeps, also in lists and in the dataset that it is a part of."""
    record = machine.get(value)
    if isinstance(record, Tensor):
        return [value] if isinstance(value, Ref) else []
    parts = list(containers.known_items(machine, value) or ())
    if isinstance(record, Instance):
        parts = list(record.attributes.values())
    return [each for part in parts if depth for each in _tensors(machine, part, depth - 1)]
