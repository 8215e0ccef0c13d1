"""The optimisation step: gradients are made, read, stepped with and cleared by optimizer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward, GradientRead
from torchlint.interpreter.events.memory import Accumulate
from torchlint.interpreter.events.training import Clear, Step
from torchlint.interpreter.values import (
    NONE,
    Either,
    Gradients,
    Instance,
    Mapping,
    Node,
    Optimizer,
    Parameters,
    Phase,
    Ref,
    Sequence,
    Tensor,
    Tuple,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import libcst as cst

    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Record, Spot, Value

_CLEAR = Gradients(Phase.CLEAR)

SCALING = frozenset({"Tensor.__mul__", "Tensor.__rmul__", "Tensor.__truediv__"})
"""Operations that give a multiple of a tensor."""


def leaf(machine: Machine) -> Node:
    """The graph node of a tensor that has been told to require grad."""
    return Node("leaf", None, rounds=machine.rounds)


def build(machine: Machine, arguments: Arguments, spot: Spot) -> Ref:
    """A new optimizer, for the parameters that are its first argument."""
    given = [*arguments.positional[:1], *_named(arguments, "params")]
    parameters = parameters_in(machine, given[0]) if given else None
    optimizer = Optimizer(spot, parameters)
    value = machine.new(optimizer)
    machine.trace.optimizers[value.address] = optimizer
    return value


def _named(arguments: Arguments, name: str) -> list[Value]:
    value = arguments.keywords.get(name)
    return [] if value is None else [value]


def parameters_in(machine: Machine, value: Value) -> Parameters | None:
    """The parameters in an optimizer's first argument: a collection, or groups of these."""
    match value:
        case Parameters():
            return value
        case Tuple(items=items):
            return _together(machine, items)
    match machine.get(value):
        case Sequence(items=items, rest=rest):
            return _together(machine, (*items, *((rest,) if rest is not None else ())))
        case Mapping(items=pairs):
            return parameters_in(machine, dict(pairs).get("params", NONE))
        case Tensor(node=Node(owner=int() as owner)):
            return Parameters(frozenset({owner}), whole=False)
    return None


def _together(machine: Machine, values: tuple[Value, ...]) -> Parameters | None:
    found = [parameters_in(machine, value) for value in values]
    known = [parameters for parameters in found if parameters is not None]
    if len(known) < len(found) or not known:
        return None
    owners = frozenset().union(*(parameters.owners for parameters in known))
    return Parameters(owners, all(parameters.whole for parameters in known))


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
    gradients = _CLEAR
    for event in machine.trace.of(Backward):
        gradients = Gradients(Phase.FRESH, backward=event.spot)
    return Optimizer(None, None, frozenset({gradients}), hinted=True, local=False)


def backward(machine: Machine, tensor: Tensor, spot: Spot, *, retained: bool = False) -> None:
    """Gradients flow from a tensor to the parameters in its graph."""
    machine.emit(Backward, spot, node=tensor.node, retained=retained)
    owners, whole = _owners(tensor.node)
    optimizers = list(_optimizers(machine))
    for address, optimizer in optimizers:
        sure = _reaches(machine, optimizer, owners) or (not whole and len(optimizers) == 1)
        if sure or not whole:
            cleared = _CLEAR in optimizer.gradients
            after = {_after_backward(g, spot, cleared, sure) for g in optimizer.gradients}
            _update(machine, address, replace(optimizer, gradients=frozenset(after)))


def _after_backward(gradients: Gradients, spot: Spot, cleared: bool, sure: bool) -> Gradients:
    """The phase after a backward; where some path has cleared, all are taken to have."""
    match gradients.phase:
        case Phase.CLEAR:
            return Gradients(Phase.FRESH, backward=spot, sure=sure)
        case Phase.USED if cleared:
            return Gradients(Phase.FRESH, backward=spot, sure=sure)
        case Phase.USED:
            return replace(gradients, phase=Phase.STALE, backward=spot, sure=sure)
    if sure and not gradients.sure:
        return replace(gradients, backward=spot, sure=True)
    return gradients


def _owners(node: Node | None) -> tuple[frozenset[int], bool]:
    """The modules whose parameters a graph leads to, and whether these are all of them."""
    if node is None:
        return frozenset(), False
    owners: set[int] = set()
    whole = True
    pending, seen = [node], {node}
    while pending:
        current = pending.pop()
        whole = whole and not current.opaque
        if current.owner is not None:
            owners.add(current.owner)
        fresh = [parent for parent in current.parents if parent not in seen]
        seen.update(fresh)
        pending.extend(fresh)
    return frozenset(owners), whole


def _reaches(machine: Machine, optimizer: Optimizer, owners: frozenset[int]) -> bool:
    """Whether gradients of these modules' parameters are the optimizer's, as far as is known."""
    if optimizer.parameters is None or not optimizer.parameters.whole:
        return True
    return not owners.isdisjoint(modules_under(machine, optimizer.parameters.owners))


def modules_under(machine: Machine, roots: frozenset[int]) -> set[int]:
    """The modules themselves and all that they hold in attributes."""
    seen = set(roots)
    pending = list(roots)
    while pending:
        for address in _held(machine, machine.live.heap.get(pending.pop())):
            if address not in seen:
                seen.add(address)
                pending.append(address)
    return seen


def _held(machine: Machine, record: Record | None) -> Iterator[int]:
    values: list[Value] = []
    match record:
        case Instance(attributes=attributes):
            values = list(attributes.values())
        case Sequence(items=items, rest=rest):
            values = [*items, *([rest] if rest is not None else [])]
        case Mapping(items=items, rest=rest):
            values = [*(value for _, value in items), *([rest] if rest is not None else [])]
    for value in values:
        for option in _options(value):
            if isinstance(option, Ref):
                yield option.address


def _options(value: Value) -> Iterator[Value]:
    match value:
        case Either(options=options):
            yield from options
        case Tuple(items=items):
            for item in items:
                yield from _options(item)
        case _:
            yield value


def _optimizers(machine: Machine) -> Iterator[tuple[int, Optimizer]]:
    for address in machine.live.optimizers:
        record = machine.live.heap.get(address)
        if isinstance(record, Optimizer):
            yield address, record


def _update(machine: Machine, address: int, optimizer: Optimizer) -> None:
    """Write back an optimizer; one that something unseen holds may have been cleared as well."""
    if optimizer.escaped:
        optimizer = replace(optimizer, gradients=optimizer.gradients | {_CLEAR})
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
        _CLEAR if g.phase is Phase.CLEAR else Gradients(Phase.USED, step=spot)
        for g in optimizer.gradients
    )
    _update(machine, value.address, replace(optimizer, gradients=after))


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
    _update(machine, value.address, replace(optimizer, gradients=frozenset({_CLEAR})))


def clear_module(machine: Machine, address: int, spot: Spot) -> None:
    """A module clears the gradients of its parameters: those of the optimizers that hold them."""
    inside = modules_under(machine, frozenset({address}))
    for key, optimizer in list(_optimizers(machine)):
        if optimizer.parameters is None or not inside.isdisjoint(
            modules_under(machine, optimizer.parameters.owners)
        ):
            clear(machine, Ref(key), spot)


def clear_all(machine: Machine, spot: Spot) -> None:
    """Something clears gradients, and it is not known whose."""
    for key, _ in list(_optimizers(machine)):
        clear(machine, Ref(key), spot)


def maybe_cleared(machine: Machine) -> None:
    """Any gradients may have been cleared, or set, unseen."""
    for key, optimizer in list(_optimizers(machine)):
        _update(machine, key, replace(optimizer, gradients=optimizer.gradients | {_CLEAR}))


def gradient_read(machine: Machine, spot: Spot) -> None:
    """``p.grad`` is read, and may be changed in place."""
    machine.emit(GradientRead, spot)
    maybe_cleared(machine)


def accumulate(machine: Machine, after: Value, node: cst.CSTNode, what: str) -> None:
    """A statement adds to a total: an event where the total comes from an earlier round."""
    tensor = machine.get(after)
    if not isinstance(tensor, Tensor) or tensor.node is None or not machine.rounds:
        return
    spot = machine.spot(node)
    marked = Node(
        "accumulate",
        spot,
        (tensor.node,),
        tensor.node.certainty,
        rounds=machine.rounds,
    )
    machine.set(after, replace(tensor, node=marked))
    earlier = _accumulated(machine, tensor.node, spot)
    if earlier is not None:
        added = [parent for parent in tensor.node.parents if parent is not earlier]
        if added:
            graph = replace(tensor, node=added[-1])
            address = after.address if isinstance(after, Ref) else 0
            machine.emit(Accumulate, spot, total=marked, address=address, added=graph, what=what)


def _accumulated(machine: Machine, node: Node, spot: Spot) -> Node | None:
    """The total of an earlier round, among what a sum is made of."""
    for parent in node.parents:
        pending = [parent]
        while pending:
            current = pending.pop()
            if current.op == "accumulate" and current.spot == spot:
                if machine.made_earlier(current):
                    return parent
            elif current.op == "join" or current.op in SCALING:
                pending.extend(current.parents)
    return None


def freeze(machine: Machine, address: int, *, frozen: bool) -> None:
    """Stop, or start again, training the parameters of a module and all that it holds."""
    for inside in modules_under(machine, frozenset({address})):
        record = machine.live.heap.get(inside)
        if isinstance(record, Instance):
            machine.live.heap[inside] = replace(record, frozen=frozen)


def freeze_leaf(machine: Machine, tensor: Tensor) -> None:
    """Stop training the module that a parameter belongs to."""
    if tensor.leaf and tensor.node is not None and tensor.node.owner is not None:
        freeze(machine, tensor.node.owner, frozen=True)
