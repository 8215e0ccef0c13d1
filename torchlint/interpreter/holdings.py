"""Parameters: whose they are, what holds them, and whether they are trained."""

from __future__ import annotations

import ast
from itertools import combinations
from typing import TYPE_CHECKING, TypeGuard

from torchlint.frozen import dataclass, replace
from torchlint.interpreter import contents, leaves
from torchlint.interpreter.events.modes import Freeze
from torchlint.interpreter.graphs import back
from torchlint.interpreter.optimisation import Optimizer
from torchlint.interpreter.values import (
    FALSE,
    NONE,
    TRUE,
    Certainty,
    Const,
    Either,
    Function,
    Instance,
    Mapping,
    Node,
    Parameters,
    Ref,
    Sequence,
    Tensor,
    Tuple,
)
from torchlint.interpreter.waiting import Unbuilt
from torchlint.project import excluding
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated, kinds, modules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Record, Spot, Value


def require_grad(machine: Machine, value: Value, tensor: Tensor, wanted: Value, spot: Spot) -> None:
    """A tensor is told to require grad, or not to: in a graph of its own, it is a leaf."""
    if not isinstance(value, Ref):
        return
    if wanted == FALSE:
        freeze_leaf(machine, tensor, spot)
        if tensor.leaf:
            machine.set(value, replace(tensor, node=None, leaf=False))
        return
    leaves.required(machine, tensor.dtype, wanted, spot)
    if tensor.node is not None and tensor.node.opaque:
        thaw_unseen(machine, wanted)
    if tensor.node is None:
        thaw_leaf(machine, tensor, spot)
        certainty = Certainty.SURE if wanted == TRUE else Certainty.UNSEEN
        node = Node("leaf", None, (), certainty, rounds=machine.rounds, cuts=tensor.cuts)
        machine.set(value, replace(tensor, node=node, leaf=True, cuts=()))


def parameters_in(machine: Machine, value: Value) -> Parameters | None:
    """The parameters in an optimizer's first argument: a collection, groups, or an optimizer."""
    match value:
        case Parameters():
            return value
        case Tuple(items=items):
            return _together(machine, items)
        case Either(options=options):
            return _of_one(machine, [option for option in options if option != NONE])
    match machine.get(value):
        case Sequence() as record:
            return _together(machine, contents.held(record))
        case Mapping(items=pairs):
            return parameters_in(machine, dict(pairs).get("params", NONE))
        case Tensor(node=Node(owner=int() as owner)):
            return Parameters(frozenset({owner}), whole=False)
        case Tensor(node=None):
            # It stores no gradients: a schedule wants an optimizer, and this is one of nothing.
            return Parameters(frozenset())
        case Optimizer(parameters=parameters):
            return parameters
    return None


def _of_one(machine: Machine, options: list[Value]) -> Parameters | None:
    """The parameters of one of several models of which only one was built, whichever it is.

    Of those that are there beside each other the others' are not held.
    """
    found = _together(machine, tuple(options))
    owners = [Ref(owner) for owner in found.owners] if found is not None else []
    return found if all(are_apart(machine, *pair) for pair in combinations(owners, 2)) else None


def are_apart(machine: Machine, one: Value, other: Value) -> bool:
    """Whether only one of two objects was built, by the places where they are."""
    first, second = machine.peek(one), machine.peek(other)
    if not isinstance(first, Instance) or not isinstance(second, Instance):
        return False
    if first.spot is None or second.spot is None:
        return False
    return excluding.are_apart(first.spot, second.spot)


def are_none(parameters: Parameters | None) -> bool:
    """Whether nothing in a collection stores gradients."""
    return parameters is not None and parameters.whole and not parameters.owners


def derived(machine: Machine, value: Value | None) -> Node | None:
    """What stands in an optimizer's first argument that is surely computed, and so is no leaf."""
    record = machine.get(value) if value is not None else None
    match record:
        case Tensor(leaf=False, retains=False, node=Node() as node):
            return _computed(node)
    held: tuple[Value, ...] = value.items if isinstance(value, Tuple) else ()
    if isinstance(record, (Sequence, Mapping)):
        held = contents.held(record)
    found = (derived(machine, each) for each in held)
    return next((node for node in found if node is not None), None)


def _computed(node: Node) -> Node | None:
    """What is surely computed, in whatever round of a loop, and kept in between or not.

    What is one of several may be one that has only been moved.
    """
    ends = [each for each in back([node], _is_way) if not _is_way(each)]
    sure = all(
        each.parents and not each.opaque and each.certainty is Certainty.SURE for each in ends
    )
    return ends[0] if sure and len({(each.op, each.spot) for each in ends}) == 1 else None


def _is_way(node: Node) -> bool:
    return node.op in {"kept", "join"}


def union(given: list[Value]) -> Parameters | None:
    """The parameters in ``[*a.parameters(), *b.parameters()]``; None for other lists."""
    joined: Parameters | None = None
    for value in given:
        if not isinstance(value, Parameters):
            return None
        joined = value if joined is None else joined.and_those(value)
    return joined


def _together(machine: Machine, values: tuple[Value, ...]) -> Parameters | None:
    found = [parameters_in(machine, value) for value in values]
    known = [parameters for parameters in found if parameters is not None]
    if len(known) < len(found) or not known:
        return None
    return together(known)


def together(known: list[Parameters]) -> Parameters:
    """The parameters of several collections, of which there is one at least."""
    owners = frozenset().union(*(parameters.owners for parameters in known))
    return Parameters(owners, all(parameters.whole for parameters in known))


def owners_of(node: Node | None) -> tuple[frozenset[int], bool]:
    """The modules whose parameters a graph leads to, and whether these are all of them."""
    if node is None:
        return frozenset(), False
    reached = list(back([node]))
    owners = frozenset(each.owner for each in reached if each.owner is not None)
    return owners, not any(each.opaque or is_stray(each) for each in reached)


def is_stray(node: Node) -> bool:
    """Whether a leaf stores gradients for someone who is not known."""
    return node.owner is None and node.op in {"leaf", "parameter"}


def own(machine: Machine, module: int, name: str, value: Value, spot: Spot) -> None:
    """A parameter belongs to the module that it is an attribute of."""
    tensor = machine.peek(value)
    if not isinstance(tensor, Tensor):
        return
    if tensor.node is None:
        _is_given_fixed(machine, module, name, spot)
    elif tensor.leaf and tensor.node.op == "parameter" and tensor.node.owner is None:
        machine.set(value, replace(tensor, node=replace(tensor.node, owner=module)))


def _is_given_fixed(machine: Machine, module: int, name: str, spot: Spot) -> None:
    """A layer gets a weight that does not require grad; its bias may, if it has one."""
    layer = machine.live.heap.get(module)
    if isinstance(layer, Instance) and name == "weight" and modules.is_layer(layer):
        alone = layer.attributes.get("bias") == FALSE
        freeze(machine, module, spot, frozen=True if alone else None)


def modules_under(machine: Machine, roots: frozenset[int], *, build: bool = True) -> set[int]:
    """The modules themselves and all that they hold in attributes.

    What a module has in an object that is none, such as a tokenizer, is not the module's.
    Without ``build``, those whose constructors wait are not looked into.
    """
    seen = set(roots)
    pending = list(roots)
    while pending:
        at = Ref(pending.pop())
        record = machine.get(at) if build else machine.peek(at)
        outer = isinstance(record, Instance) and kinds.is_module(machine.index, record.cls)
        for address in _held(machine, record):
            if address not in seen and not (outer and _is_plain(machine, address)):
                seen.add(address)
                pending.append(address)
    return seen


def _is_plain(machine: Machine, address: int) -> bool:
    """Whether something is surely an object of the project's that is no module."""
    record = machine.live.heap.get(address)
    if not isinstance(record, Instance) or not isinstance(record.cls, Definition):
        return False
    known = "?" not in kinds.bases(machine.index, record.cls)
    return known and not kinds.is_module(machine.index, record.cls)


_UNSEEN = Pattern(r"\b(?:setattr|register_\w+|add_module|_modules|_parameters|__\w*dict__)\b")
"""What may give a module parameters under names that do not stand in its class."""


def has_none(machine: Machine, module: Value, above: frozenset[int] = frozenset()) -> bool:
    """Whether a module that the program builds surely has neither parameters nor such layers.

    ``above`` are those that it is asked for: one that is held by what it holds adds nothing.
    """
    record = machine.get(module)
    if not isinstance(record, Instance) or record.escaped or record.spot is None:
        return False
    if not isinstance(record.spot.node, ast.Call):
        return False
    if isinstance(record.cls, str):
        plain = generated.is_module(record.cls) and not record.attributes
        return plain and not modules.has_parameters(record.cls)
    assert isinstance(module, Ref)
    within = above | {module.address}
    known = kinds.bases(machine.index, record.cls) == {"torch.nn.Module"}
    return (
        known
        and not _UNSEEN.search(record.cls.region.text)
        and all(_is_no_parameter(machine, value, within) for value in record.attributes.values())
    )


def _is_no_parameter(machine: Machine, value: Value, above: frozenset[int]) -> bool:
    if isinstance(value, (Const, Function)):
        return True
    if isinstance(value, Ref) and value.address in above:
        return True
    record = machine.get(value)
    if isinstance(record, Tensor):
        return not record.leaf
    return has_none(machine, value, above)


def all_frozen(machine: Machine, optimizer: Optimizer) -> bool:
    """Whether nothing that an optimizer holds is trained, as far as that is all known."""
    if optimizer.parameters is None or not optimizer.parameters.whole or optimizer.altered:
        return False
    inside = modules_under(machine, optimizer.parameters.owners)
    records = [machine.live.heap.get(address) for address in inside]
    trained = [item for item in records if isinstance(item, Instance)]
    return bool(trained) and all(item.frozen for item in trained)


@dataclass(frozen=True, slots=True)
class Stranger:
    """A layer that came to be below what an optimizer holds after it was built.

    ``within`` says that the model around it is one of a library's, which cannot be seen into.
    """

    address: int
    spot: Spot | None
    within: bool


def strangers(machine: Machine, optimizer: Optimizer) -> tuple[Stranger, ...]:
    """The layers that an optimizer does not know, and no other one has.

    What a forward puts in place of a layer that does not do, if that ever happens, is none of them.
    """
    if optimizer.parameters is None or optimizer.altered or not optimizer.held:
        return ()
    found = modules_under(machine, optimizer.parameters.owners) - optimizer.held
    found -= modules_under(machine, frozenset(machine.trace.renewed)) if found else set()
    for address in machine.live.optimizers if found else ():
        other = machine.live.heap.get(address)
        if isinstance(other, type(optimizer)):
            found -= other.held
    around = [machine.live.heap.get(owner) for owner in optimizer.parameters.owners]
    within = any(
        isinstance(record, Instance)
        and isinstance(record.cls, str)
        and modules.is_pretrained(record.cls)
        for record in around
    )
    layers = [(address, machine.live.heap.get(address)) for address in sorted(found)]
    return tuple(
        Stranger(address, layer.spot, within)
        for address, layer in layers
        if isinstance(layer, Instance)
        and not layer.frozen
        and modules.has_own_parameters(machine, layer)
    )


def drain(machine: Machine, parameters: Parameters, spot: Spot) -> Spot | None:
    """Iterate parameters; gives where that was done before, if they come from a generator."""
    if parameters.stream is None:
        return None
    before = machine.live.drained.get(parameters.stream)
    if before is None:
        machine.live.drained = {**machine.live.drained, parameters.stream: spot}
    return before


def _held(machine: Machine, record: Record | None) -> Iterator[int]:
    values: Iterable[Value] = ()
    match record:
        case Unbuilt(given=given):
            values = given
        case Instance(cls="torch.device"):
            pass  # what it was told by, such as settings, is nobody's part
        case Instance(attributes=attributes):
            values = attributes.values()
        case Sequence() | Mapping():
            values = contents.held(record)
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


def freeze(machine: Machine, address: int, spot: Spot, *, frozen: bool | None) -> None:
    """Stop, or start again, training what a module and all that it holds has of parameters."""
    modules = frozenset(modules_under(machine, frozenset({address})))
    machine.emit(Freeze, spot, modules=modules, frozen=frozen is not False)
    for inside in modules:
        record = machine.live.heap.get(inside)
        if isinstance(record, Instance):
            machine.live.heap[inside] = replace(record, frozen=frozen, froze=spot)


def freeze_leaf(machine: Machine, tensor: Tensor, spot: Spot) -> None:
    """Stop training the module that a parameter belongs to; it may be one of several there."""
    if tensor.leaf and tensor.node is not None and tensor.node.owner is not None:
        owner = machine.live.heap.get(tensor.node.owner)
        partly = isinstance(owner, Instance) and _is_one_of_several(machine, owner, tensor)
        freeze(machine, tensor.node.owner, spot, frozen=None if partly else True)


def _is_one_of_several(machine: Machine, owner: Instance, tensor: Tensor) -> bool:
    """Whether a module has a parameter by a name of its own, and others that are trained.

    Otherwise it is one of all that it has, or the last of the two that a layer has.
    """
    held = [each for each in map(machine.peek, owner.attributes.values()) if _is_tensor(each)]
    if not any(each.storages & tensor.storages for each in held):
        return False
    others = [each for each in held if not each.storages & tensor.storages]
    return not modules.is_layer(owner) or [each.node for each in others] != [None]


def _is_tensor(record: Record | None) -> TypeGuard[Tensor]:
    return isinstance(record, Tensor)


def thaw_leaf(machine: Machine, tensor: Tensor, spot: Spot) -> None:
    """Train again the module that a frozen parameter belongs to."""
    for address in tensor.storages & machine.frozen.keys():
        freeze(machine, machine.frozen[address], spot, frozen=False)


def thaw_unseen(machine: Machine, wanted: Value) -> None:
    """What is not known, and may be a parameter of any module, is told to require grad, or not."""
    for address, record in list(machine.live.heap.items()):
        if isinstance(record, Instance) and record.frozen and wanted != FALSE:
            machine.live.heap[address] = replace(record, frozen=None)
