"""Schedulers of the learning rate: what they are built for, and when they step."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import containers, loop_names, optimizers, sizing
from torchlint.interpreter.events.training import SchedulerBuilt, SchedulerStep
from torchlint.interpreter.optimisation import Optimizer
from torchlint.interpreter.values import UNKNOWN, Instance, Opaque, Ref, options_of
from torchlint.project.outline import Definition
from torchlint.project.selection import methods_of
from torchlint.torch_api import generated, kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Spot, Value


def build(machine: Machine, kind: str, arguments: Arguments, spot: Spot) -> Ref:
    """A new scheduler, whose arguments are its attributes."""
    names = generated.constructor_names(kind.rpartition(".")[2])
    options = dict(zip(names, arguments.positional, strict=False)) | arguments.keywords
    given = options.get("optimizer")
    if given is not None and isinstance(machine.get(given), Opaque):
        assert isinstance(given, Ref)
        optimizers.take_for_optimizer(machine, given, hinted=False)
    value = machine.new(Instance(kind, options, spot=spot))
    optimizer = machine.get(given) if given is not None else None
    if isinstance(given, Ref) and isinstance(optimizer, Optimizer):
        optimizers.update(machine, given.address, replace(optimizer, stepped=False))
        machine.emit(
            SchedulerBuilt,
            spot,
            address=value.address,
            kind=kind.rpartition(".")[2],
            optimizer=given.address,
            options=options,
            length=sizing.dimension(machine, options.get("T_max") or options.get("total_iters")),
            inherited=machine.is_older(given.address),
            replaced=_replaced(machine, given, spot),
        )
    inner = options.get("schedulers")
    if inner is not None:
        _take_over(machine, inner, value)
    return value


def _replaced(machine: Machine, optimizer: Ref, spot: Spot) -> int | None:
    """The scheduler of an optimizer that has the name which is given to a new one."""
    match spot.region.parents.get(spot.node):
        case ast.Assign(targets=[ast.Name(id=name)]):
            earlier = machine.variables().names.get(name)
            record = machine.peek(earlier) if earlier is not None else None
            if isinstance(earlier, Ref) and isinstance(record, Instance):
                return earlier.address if record.attributes.get("optimizer") == optimizer else None
    return None


def begun(machine: Machine, scheduler: Value, arguments: Arguments) -> None:
    """The constructor of a scheduler is called by that of a class derived from it."""
    record = machine.get(scheduler)
    given = arguments.keywords.get("optimizer") or next(iter(arguments.positional), None)
    optimizer = machine.get(given) if given is not None else None
    if isinstance(record, Instance) and isinstance(given, Ref) and isinstance(optimizer, Optimizer):
        optimizers.update(machine, given.address, replace(optimizer, stepped=False))
        machine.set(
            scheduler, replace(record, attributes={**record.attributes, "optimizer": given})
        )


def _take_over(machine: Machine, inner: Value, outer: Ref) -> None:
    """What a scheduler of schedulers has been given is stepped by it."""
    given = containers.known_items(machine, inner)
    if given is None or UNKNOWN in given:
        # It may be any that has been built by now.
        built = {each.address for each in machine.trace.of(SchedulerBuilt)}
        machine.trace.escaped |= built - {outer.address}
    if given is None:
        machine.escape([inner])
    for each in given or ():
        # It steps them, and the optimizer that they have is none of its business.
        record = machine.peek(each)
        if isinstance(each, Ref) and isinstance(record, Instance):
            machine.trace.escaped.add(each.address)
            machine.set(each, replace(record, escaped=True))


def step(machine: Machine, value: Value, spot: Spot, *, bare: bool) -> None:
    """A scheduler sets the learning rate of its optimizer."""
    scheduler = machine.get(value)
    assert isinstance(scheduler, Instance)
    assert isinstance(value, Ref)
    given = scheduler.attributes.get("optimizer")
    optimizer = machine.get(given) if given is not None else None
    kind = kinds.scheduler(machine.index, scheduler.cls)
    if not isinstance(given, Ref) or not isinstance(optimizer, Optimizer) or kind is None:
        return
    machine.emit(
        SchedulerStep,
        spot,
        address=value.address,
        kind=kind.rpartition(".")[2],
        optimizer=given.address,
        stepped=None if optimizer.escaped else optimizer.stepped,
        bare=bare,
        one_of=machine.choices > 0,
        sometimes=loop_names.may_be_passed_by(machine),
    )


def stepped_by_others(machine: Machine) -> set[int]:
    """Schedulers of objects that step them in methods which have not run, and are called somewhere.

    A function that runs on its own may build an object for one method of it, as tests do.
    """
    built = {each.address for each in machine.trace.of(SchedulerBuilt)}
    if not built or machine.state is None:
        return set()
    return {
        each.address
        for holder in machine.state.heap.values()
        if isinstance(holder, Instance) and isinstance(holder.cls, Definition)
        for name, value in holder.attributes.items()
        for each in options_of(value)
        if isinstance(each, Ref) and each.address in built
        if any(_is_called(machine, method) for method in _left_out(machine, holder.cls, name))
    }


def _left_out(machine: Machine, definition: Definition, name: str) -> Iterator[Definition]:
    """The methods that have not run and step what their object has under this name."""
    stepping = rf"\bself\.{name}\.step\("
    for method in methods_of(machine.index, definition).values():
        if method not in machine.entered and re.search(stepping, method.region.text):
            yield method


def _is_called(machine: Machine, method: Definition) -> bool:
    return machine.index.says(method.outline, method.name, rf"\.{method.name}\(")
