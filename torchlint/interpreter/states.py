"""State dicts, whose tensors are the parameters themselves until somebody copies them."""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import callers, contents
from torchlint.interpreter.events.states import Misfit, NamedAgain, Restored, StateTaken, StateUsed
from torchlint.interpreter.holdings import modules_under
from torchlint.interpreter.values import (
    Either,
    Instance,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Storage,
    Tensor,
    Tuple,
    options_of,
)
from torchlint.project import callings, portability, trainings
from torchlint.project.files import file_of
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Device, Spot, Value

_WRAPPERS = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"})


def taken(machine: Machine, module: Ref, spot: Spot) -> Ref:
    """What ``state_dict()`` gives."""
    memory = machine.new(Storage())
    tensor = machine.new(Tensor(None, frozenset({memory.address})))
    modules = frozenset(modules_under(machine, frozenset({module.address})))
    state = machine.new(Mapping((), tensor, machine.rounds))
    machine.emit(
        StateTaken,
        spot,
        memory=memory.address,
        modules=modules,
        state=state.address,
        wrapped=is_wrapper(machine, module),
    )
    return state


def read_back(machine: Machine, value: Value) -> Value:
    """What was saved to a file, as it is loaded from there: states are copies of what they were."""
    record = machine.peek(value)
    if not isinstance(record, Mapping) or not isinstance(value, Ref):
        return value
    if record.items:
        items = tuple((key, read_back(machine, item)) for key, item in record.items)
        return machine.new(replace(record, items=items))
    for state in machine.trace.of(StateTaken):
        if value == Ref(state.state):
            memory = machine.new(Storage())
            tensor = machine.new(Tensor(None, frozenset({memory.address})))
            copied = machine.new(replace(record, rest=tensor))
            told = {"memory": memory.address, "state": copied.address, "wrapped": state.wrapped}
            machine.emit(StateTaken, state.spot, modules=frozenset(), **told)
            return copied
    return value


def named(machine: Machine, node: ast.Assign, value: Value) -> None:
    """What has a name is given another one, which is one more name of a model if it is one."""
    if not machine.rounds or not machine.live.optimizers or not isinstance(value, Ref):
        return
    record = machine.peek(value)
    if isinstance(record, Instance) and kinds.is_module(machine.index, record.cls):
        modules = frozenset(modules_under(machine, frozenset({value.address})))
        machine.emit(NamedAgain, machine.spot(node.value), modules=modules)


def is_wrapper(machine: Machine, module: Ref) -> bool | None:
    """Whether a module is one of torch's wrappers, which hold another as ``module``.

    None for one from out of sight.
    """
    record = machine.get(module)
    return record.cls in _WRAPPERS if isinstance(record, Instance) else None


def compare(machine: Machine, module: Ref, value: Value, spot: Spot) -> None:
    """A state of a wrapper does not fit what is not wrapped, nor the other way round.

    Whoever has changed the state, or had the chance to, may have renamed what is in it.
    """
    state, record = machine.get(value), machine.get(module)
    if not isinstance(state, Mapping) or state.items or state.escaped:
        return
    memory = machine.get(state.rest) if state.rest is not None else None
    wrapped = is_wrapper(machine, module)
    if wrapped is None:
        return
    has_module = isinstance(record, Instance) and "module" in record.attributes
    for taken in machine.trace.of(StateTaken):
        same = isinstance(memory, Tensor) and memory.storages == {taken.memory}
        differs = taken.wrapped is (not wrapped) and (wrapped or not has_module)
        if value == Ref(taken.state) and same and differs:
            machine.emit(Misfit, spot, taken=taken.spot, wrapped=wrapped)


def used(machine: Machine, value: Value, spot: Spot) -> None:
    """A value is used for what it holds; tensors that may be copies do not count."""
    memories: set[int] = set()
    pending, seen = [value], set()
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        match current:
            case Either(options=items) | Tuple(items=items):
                pending.extend(items)
        match machine.peek(current):
            case (Mapping() | Sequence()) as record:
                pending.extend(contents.held(record))
            case Tensor(node=None, storages=storages) if len(storages) == 1:
                memories |= storages
    if memories:
        machine.emit(StateUsed, spot, memories=frozenset(memories))


def restored(machine: Machine, value: Value, spot: Spot) -> None:
    """A state is taken over; where it was read from a file to no place in particular, note that."""
    for option in options_of(value):
        device = _loaded(machine, option)
        if device is not None and device.spot is not None:
            file = file_of(device.spot.node)
            name = os.path.basename(str(file.value)) if isinstance(file, ast.Constant) else ""
            outline = device.spot.region.outline
            from_cpu = portability.saves_from_cpu(machine.index, outline, name)
            on_cuda = _is_of_cuda(machine, device.spot)
            calls = tuple(each.called for each in machine.activations if each.called is not None)
            machine.emit(
                Restored,
                spot,
                read=device.spot,
                from_cpu=from_cpu,
                on_cuda=on_cuda,
                trained=trainings.have_saved(machine.index, device.spot),
                calls=calls,
            )


def _loaded(machine: Machine, state: Value) -> Device | None:
    """Where a state lies that was loaded, or the first tensor of one that was put together."""
    record = machine.get(state)
    if isinstance(record, Mapping):
        every = [one for each in contents.held(record) for one in options_of(each)]
        return next(filter(None, (_loaded_one(machine, each) for each in every)), None)
    return _loaded_one(machine, state)


def _loaded_one(machine: Machine, value: Value) -> Device | None:
    record = machine.get(value)
    device = record.device if isinstance(record, Opaque) else None
    return device if device is not None and device.kind == "loaded" else None


def _is_of_cuda(machine: Machine, read: Spot) -> bool:
    """Whether what reads a file needs CUDA in any case, or the constructor of its object has.

    What reads it at the top level of a file is all that stands there.
    """
    outline, line = read.region.outline, read.region.place(read.node).line
    region, function = callings.around(outline, line)
    if function is None:
        return any(map(portability.needs_cuda_anyway, outline.statements))
    begins = callers.constructor(machine.index, function)
    regions = (region, begins.region if begins is not None else None)
    return any(each is not None and portability.needs_cuda_anyway(each) for each in regions)
