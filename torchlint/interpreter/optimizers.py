"""Optimizers: built, stepped, and their gradients cleared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from torchlint.interpreter import holdings
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Clear, Step
from torchlint.interpreter.values import Gradients, Optimizer, Phase, Ref

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Spot, Value

CLEAR = Gradients(Phase.CLEAR)


def build(machine: Machine, arguments: Arguments, spot: Spot) -> Ref:
    """A new optimizer, for the parameters that are its first argument."""
    given = [*arguments.positional[:1], *_named(arguments, "params")]
    parameters = holdings.parameters_in(machine, given[0]) if given else None
    optimizer = Optimizer(spot, parameters)
    value = machine.new(optimizer)
    machine.trace.optimizers[value.address] = optimizer
    return value


def _named(arguments: Arguments, name: str) -> list[Value]:
    value = arguments.keywords.get(name)
    return [] if value is None else [value]


def take_for_optimizer(machine: Machine, value: Ref) -> None:
    """Treat an object as an optimizer from now on."""
    optimizer = _hinted(machine)
    machine.set(value, optimizer)
    machine.live.optimizers |= {value.address}
    machine.trace.optimizers[value.address] = optimizer


def _hinted(machine: Machine) -> Optimizer:
    """An object that is taken for an optimizer because it is called like one.

    It is found out at its first use, before which a backward may have filled its gradients.
    """
    gradients = CLEAR
    for event in machine.trace.of(Backward):
        gradients = Gradients(Phase.FRESH, backward=event.spot)
    return Optimizer(None, None, frozenset({gradients}), hinted=True, local=False)


def known(machine: Machine) -> Iterator[tuple[int, Optimizer]]:
    """The optimizers that there are, with their addresses."""
    for address in machine.live.optimizers:
        record = machine.live.heap.get(address)
        if isinstance(record, Optimizer):
            yield address, record


def update(machine: Machine, address: int, optimizer: Optimizer) -> None:
    """Write back an optimizer; one that something unseen holds may have been cleared as well."""
    if optimizer.escaped:
        optimizer = replace(optimizer, gradients=optimizer.gradients | {CLEAR})
    machine.live.heap[address] = optimizer
    machine.trace.optimizers[address] = optimizer


def step(machine: Machine, value: Value, spot: Spot) -> None:
    """An optimizer uses its gradients."""
    optimizer = machine.get(value)
    assert isinstance(optimizer, Optimizer)
    assert isinstance(value, Ref)
    machine.emit(
        Step,
        spot,
        address=value.address,
        optimizer=optimizer,
        gradients=optimizer.gradients,
    )
    after = frozenset(
        CLEAR if g.phase is Phase.CLEAR else Gradients(Phase.USED, step=spot)
        for g in optimizer.gradients
    )
    update(machine, value.address, replace(optimizer, gradients=after))


def clear(machine: Machine, value: Value, spot: Spot) -> None:
    """An optimizer clears its gradients."""
    optimizer = machine.get(value)
    assert isinstance(optimizer, Optimizer)
    assert isinstance(value, Ref)
    machine.emit(
        Clear,
        spot,
        address=value.address,
        optimizer=optimizer,
        gradients=optimizer.gradients,
    )
    update(machine, value.address, replace(optimizer, gradients=frozenset({CLEAR})))


def clear_module(machine: Machine, address: int, spot: Spot) -> None:
    """A module clears the gradients of its parameters: those of the optimizers that hold them."""
    inside = holdings.modules_under(machine, frozenset({address}))
    for key, optimizer in list(known(machine)):
        if optimizer.parameters is None or not inside.isdisjoint(
            holdings.modules_under(machine, optimizer.parameters.owners)
        ):
            clear(machine, Ref(key), spot)


def clear_all(machine: Machine, spot: Spot) -> None:
    """Something clears gradients, and it is not known whose."""
    for key, _ in list(known(machine)):
        clear(machine, Ref(key), spot)
