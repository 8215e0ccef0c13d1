"""Optimizers: built, stepped, and their gradients cleared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import holdings, multiples
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Built, Clear, Step
from torchlint.interpreter.optimisation import CLEAR, HIDDEN, Gradients, Optimizer, Phase
from torchlint.interpreter.values import Either, Instance, Parameters, Ref, Sequence
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from torchlint.interpreter.events.training import Closure
    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Spot, Value


def build(
    machine: Machine, kind: str, arguments: Arguments, spot: Spot, *, blind: bool = False
) -> Ref:
    """A new optimizer of a class, for the parameters that are its first argument.

    It is ``blind`` if its steps use no gradients.
    """
    options = _options(kind, arguments)
    wrapped = _wrapped(machine, arguments.values())
    # From now on it is the new one that steps and clears, when and as it likes.
    machine.escape(wrapped)
    given = options.get("params", wrapped[0] if wrapped else None)
    parameters = holdings.parameters_in(machine, given) if given is not None else None
    held = holdings.modules_under(machine, parameters.owners) if parameters else set()
    gradients = _there_before(machine, held) if machine.abroad else CLEAR
    optimizer = Optimizer(
        spot,
        parameters,
        frozenset({gradients}),
        kind=kind,
        options=options,
        held=frozenset(held),
        blind=blind or holdings.are_none(parameters),
    )
    value = machine.new(optimizer)
    machine.trace.optimizers[value.address] = optimizer
    drained = None
    if isinstance(given, Parameters):
        drained = holdings.drain(machine, given, spot)
    machine.emit(
        Built,
        spot,
        address=value.address,
        optimizer=optimizer,
        inherited=bool(held) and machine.is_older(max(parameters.owners if parameters else held)),
        drained=drained,
        empty=_is_empty(machine, given),
        derived=holdings.derived(machine, given) if kind.startswith("torch.optim.") else None,
    )
    return value


def _options(kind: str, arguments: Arguments) -> dict[str, Value]:
    """The arguments by name; of a class that is not known only the first is."""
    names = generated.constructor_names(kind.rpartition(".")[2]) or ("params",)
    return {**dict(zip(names, arguments.positional, strict=False)), **arguments.keywords}


def _wrapped(machine: Machine, values: Iterable[Value]) -> list[Value]:
    """The optimizers among the arguments that another is built with."""
    found: list[Value] = []
    for value in values:
        if isinstance(value, Either):
            found += _wrapped(machine, value.options)
        elif isinstance(machine.peek(value), Optimizer):
            found.append(value)
    return found


def _is_empty(machine: Machine, given: Value | None) -> bool:
    if isinstance(given, Parameters) and given.whole and given.owners:
        return all(holdings.has_none(machine, Ref(owner)) for owner in given.owners)
    match machine.get(given) if given is not None else None:
        case Sequence(items=(), rest=None, escaped=False):
            return True
    return False


def one_for(machine: Machine, holders: Iterable[Value], name: str, value: Value) -> Value:
    """What an attribute of any of several objects is.

    Where they have an optimizer each, all have the one that stands for any of these from now on.
    """
    if isinstance(machine.peek(value), Optimizer):
        for holder in holders:
            record = machine.get(holder)
            if isinstance(record, Instance) and name in record.attributes:
                attributes = {**record.attributes, name: value}
                machine.set(holder, replace(record, attributes=attributes))
    return value


def lent(machine: Machine) -> Ref:
    """An optimizer that comes in from the caller."""
    optimizer = Optimizer(None, None, local=False, stepped=None)
    value = machine.new(optimizer)
    machine.trace.optimizers[value.address] = optimizer
    return value


def take_for_optimizer(machine: Machine, value: Ref, *, hinted: bool = True) -> None:
    """Treat an object as an optimizer from now on, if ``hinted`` because it is called like one."""
    optimizer = replace(_found(machine), hinted=hinted)
    machine.set(value, optimizer)
    machine.live.optimizers |= {value.address}
    machine.trace.optimizers[value.address] = optimizer


def _found(machine: Machine) -> Optimizer:
    """An object that turns out to be an optimizer."""
    gradients = _there_before(machine, None)
    found = frozenset({gradients})
    return Optimizer(None, None, found, local=False, stepped=None, cleared=True, before=gradients)


def _there_before(machine: Machine, held: Collection[int] | None) -> Gradients:
    """The gradients of an optimizer that was there before it is first used, where it is seen.

    Until then a backward may have filled them, one through these modules if they are known.
    """
    gradients = CLEAR
    for event in machine.trace.of(Backward):
        owners, whole = holdings.owners_of(event.node)
        if held is None or not whole or not owners.isdisjoint(held):
            scaled = multiples.is_scaled(event.node)
            gradients = Gradients(Phase.FRESH, backward=event.spot, scaled=scaled)
    return gradients


def known(machine: Machine) -> Iterator[tuple[int, Optimizer]]:
    """The optimizers that there are, with their addresses."""
    for address in machine.live.optimizers:
        record = machine.live.heap.get(address)
        if isinstance(record, Optimizer):
            yield address, record


def trains(machine: Machine, value: Value) -> bool:
    """Whether an optimizer was built of what a value has for parameters."""
    owners = (record.parameters.owners for _, record in known(machine) if record.parameters)
    return isinstance(value, Ref) and any(value.address in each for each in owners)


def update(machine: Machine, address: int, optimizer: Optimizer) -> None:
    """Write back an optimizer; one that something unseen holds may have been cleared as well."""
    if optimizer.escaped:
        optimizer = replace(optimizer, gradients=optimizer.gradients | {HIDDEN})
    machine.live.heap[address] = optimizer
    machine.trace.optimizers[address] = optimizer


def held_by(machine: Machine, optimizer: Optimizer) -> frozenset[int]:
    """The modules whose parameters an optimizer holds, as far as they are known."""
    if optimizer.parameters is None:
        return frozenset()
    return frozenset(holdings.modules_under(machine, optimizer.parameters.owners))


def step(
    machine: Machine,
    value: Value,
    spot: Spot,
    *,
    closure: Closure | None = None,
    bare: bool = False,
) -> None:
    """An optimizer uses its gradients; ``bare`` is its own step without arguments."""
    optimizer = machine.get(value)
    assert isinstance(optimizer, Optimizer)
    assert isinstance(value, Ref)
    made = machine.emit(
        Step,
        spot,
        address=value.address,
        optimizer=optimizer,
        gradients=optimizer.gradients,
        frozen=holdings.all_frozen(machine, optimizer),
        strangers=holdings.strangers(machine, optimizer),
        closure=closure,
        bare=bare,
        holds=held_by(machine, optimizer),
    )
    if all(each.are_there for each in optimizer.gradients):
        machine.live.stepped = (*machine.live.stepped, made)
    after = frozenset(
        g if g.may_be_clear else Gradients(Phase.USED, step=spot) for g in optimizer.gradients
    )
    update(machine, value.address, replace(optimizer, gradients=after, stepped=True))


def unseen_step(machine: Machine, spot: Spot) -> None:
    """Something steps of which nothing is known; it may be any optimizer."""
    machine.emit(Step, spot, address=None)
    for key, optimizer in list(known(machine)):
        after = optimizer.gradients | {HIDDEN}
        stepped = True if optimizer.stepped else None
        update(machine, key, replace(optimizer, gradients=after, stepped=stepped))


def alter(machine: Machine, value: Value) -> None:
    """The groups of parameters of an optimizer are got hold of."""
    optimizer = machine.get(value)
    assert isinstance(optimizer, Optimizer)
    assert isinstance(value, Ref)
    update(machine, value.address, replace(optimizer, altered=True))


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
    cleared = replace(optimizer, gradients=frozenset({CLEAR}), cleared=True)
    update(machine, value.address, cleared)
    held = held_by(machine, optimizer)
    for key, other in list(known(machine)) if held else ():
        if key != value.address and not held.isdisjoint(held_by(machine, other)):
            # Of its gradients some are clear now, and maybe all that are left to others.
            update(machine, key, replace(other, gradients=frozenset({HIDDEN}), cleared=True))


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
