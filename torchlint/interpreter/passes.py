"""Modules that are switched, frozen, and applied: what tells training from evaluation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import meetings, optimizers, switches, tensors
from torchlint.interpreter.events.modes import LayerUse, Pass, Switch
from torchlint.interpreter.holdings import modules_under
from torchlint.interpreter.switches import Mode
from torchlint.interpreter.values import Instance, Opaque, Ref, Tensor
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import modules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.switches import Modes
    from torchlint.interpreter.values import Spot, Value


def switch(machine: Machine, module: Ref, training: bool | None, spot: Spot) -> None:
    """Switch a module and all that it holds; ``training`` None is a mode that is not known."""
    index = len(machine.trace.events)
    machine.emit(Switch, spot, module=module.address, training=training)
    modes = switches.UNSEEN
    if training is not None:
        modes = frozenset({Mode(training, spot, machine.rounds, index, machine.choices > 0)})
    give(machine, module, modes)


def forget(machine: Machine, value: Value) -> None:
    """Anybody may have switched the modules in an object that comes from somewhere unseen."""
    if isinstance(value, Ref):
        give(machine, value, switches.UNSEEN)


def unseen_switch(machine: Machine) -> None:
    """Something unknown is switched: it may be any module, or a part of one."""
    for address, record in list(machine.live.heap.items()):
        if isinstance(record, (Instance, Opaque)) and record.modes:
            machine.live.heap[address] = replace(record, modes=switches.UNSEEN)


_NO_MODEL = Pattern(r"tokeni[sz]|processor|criterion|loss|metric|collat", re.IGNORECASE)
"""What is called so has no modes, though an object has it that is switched."""


def give(machine: Machine, module: Ref, modes: Modes) -> None:
    """Give modes to a module and all that it holds."""
    for address in modules_under(machine, frozenset({module.address}), build=False):
        record = machine.live.heap.get(address)
        if isinstance(record, Opaque) and _NO_MODEL.search(record.name):
            continue
        if isinstance(record, (Instance, Opaque)):
            machine.live.heap[address] = replace(record, modes=modes)


def is_model(machine: Machine, value: Ref) -> bool:
    """Whether an opaque object has been switched like a model, or an optimizer built of it."""
    record = machine.get(value)
    switched = isinstance(record, Opaque) and bool(record.modes)
    return switched or optimizers.trains(machine, value)


def modes_under(machine: Machine, module: Value) -> dict[int, Modes]:
    """The modes of a module and all that it holds, by their addresses."""
    if not isinstance(module, Ref):
        return {}
    under = modules_under(machine, frozenset({module.address}), build=False)
    records = {address: machine.live.heap.get(address) for address in under}
    return {at: each.modes for at, each in records.items() if isinstance(each, Instance)}


def put_back(machine: Machine, given: dict[int, Modes]) -> None:
    """Give modules the modes that they had."""
    for address, known in given.items():
        record = machine.live.heap[address]
        assert isinstance(record, Instance)
        machine.live.heap[address] = replace(record, modes=known)


def trains(machine: Machine, modules_: Iterable[int]) -> bool:
    """Whether any of these modules is a layer of torch with parameters that are not frozen."""
    records = [machine.live.heap.get(address) for address in modules_]
    return any(
        isinstance(each, Instance)
        and isinstance(each.cls, str)
        and modules.has_parameters(each.cls)
        and each.frozen is False
        for each in records
    )


_REMAINDER = Pattern(r"\w\)? ?% ?[\w(]")
"""How tests let some rounds pass only."""


def apply(
    machine: Machine, module: Value, arguments: Arguments, spot: Spot, run: Callable[[], Value]
) -> Value:
    """Call a module; where no other module's forward calls it, that is an event."""
    record = machine.get(module)
    assert isinstance(module, Ref)
    assert isinstance(record, (Instance, Opaque))
    if machine.passing or machine.trace.forward:
        return run()
    start = len(machine.trace.events)
    machine.passing = True
    try:
        result = run()
    finally:
        machine.passing = False
    failed = meetings.fed(machine, start, arguments.values(), spot)
    layers = [event for event in machine.trace.events[start:] if isinstance(event, LayerUse)]
    index = len(machine.trace.events)
    nodes = []
    for item in tensors.flatten(machine, result):
        given = machine.get(item)
        if isinstance(given, (Tensor, Opaque)):
            device = None if failed else given.device
            origin = given.origin if given.origin and _only_computes(machine, module) else index
            machine.set(item, replace(given, origin=origin, device=device))
            nodes += [given.node] if given.node is not None else []
    machine.emit(
        Pass,
        spot,
        model=module.address,
        modes=record.modes,
        layers=tuple(layers),
        nodes=tuple(nodes),
        grad=machine.live.grad,
        rarely=any(each.is_tested(_REMAINDER.search) for each in machine.activations),
        calls=tuple(each.called for each in machine.activations if each.called is not None),
        given=frozenset(each.address for each in arguments.values() if isinstance(each, Ref)),
    )
    return result


def _only_computes(machine: Machine, module: Ref) -> bool:
    """Whether a module has no parameters, as a loss: what it gives tells of what it is given."""
    record = machine.get(module)
    return isinstance(record, Instance) and modules.parametrised(machine, module) is None


def use(machine: Machine, layer: int, record: Instance | Opaque, kind: str, spot: Spot) -> None:
    """A layer that depends on the mode is applied, which counts where a model is."""
    if not machine.passing:
        return
    built = froze = None
    if isinstance(record, Instance):
        built, froze = record.spot, record.froze if record.frozen else None
    machine.emit(
        LayerUse, spot, layer=layer, kind=kind, modes=record.modes, built=built, froze=froze
    )
