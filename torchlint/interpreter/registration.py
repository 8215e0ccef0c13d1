"""Registration: what a module takes for its own, and when it can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import holdings, leaves
from torchlint.interpreter.events.classes import (
    AssignedTooEarly,
    CalledWithoutForward,
    CollectionAssigned,
    Hidden,
)
from torchlint.interpreter.openness import OPEN
from torchlint.interpreter.state import Alike
from torchlint.interpreter.values import (
    UNKNOWN,
    Const,
    Either,
    Instance,
    Mapping,
    Node,
    Opaque,
    Ref,
    Sequence,
    Spot,
    Tensor,
    Tuple,
    options_of,
)
from torchlint.interpreter.waiting import Unbuilt
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds, modules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value


_OF_PARAMETERS = frozenset({"torch.nn.ParameterList", "torch.nn.ParameterDict"})


def created(machine: Machine, instance: Ref, definition: Definition) -> None:
    """An object of a class of the project is there, and no constructor has run yet."""
    family = machine.index.family(definition)
    if machine.index.is_template(definition.outline):
        return
    if kinds.is_module(machine.index, definition) and not family.is_magic:
        machine.live.raw |= {instance.address}


def begun(machine: Machine, instance: Value) -> None:
    """The constructor of ``nn.Module`` has run, or is beyond what is asked of the object."""
    if isinstance(instance, Ref):
        machine.live.raw -= {instance.address}


def inherited(machine: Machine, definition: Definition, name: str) -> Value:
    """What a class has from ``nn.Module``, where no base of another's comes before."""
    bases = [one for one in machine.index.ancestors(definition) if isinstance(one, External)]
    module = External("torch.nn.Module")
    return External(f"{module.name}.{name}") if bases[:1] == [module] else UNKNOWN


def assigned(machine: Machine, owner: Ref, name: str, value: Value, spot: Spot) -> None:
    """A module gets an attribute: before its constructor has run it cannot register any."""
    if isinstance(value, Tuple) or isinstance(machine.peek(value), (Sequence, Mapping)):
        machine.emit(CollectionAssigned, spot, owner=owner.address, name=name)
    if owner.address not in machine.live.raw:
        return
    if isinstance(value, Ref) and value.address in machine.trace.parameters:
        what = "parameter"
    else:
        what = _registered(machine, value)
    if what:
        entered(machine, owner, name, what, spot)


def entered(machine: Machine, owner: Ref, name: str, what: str, spot: Spot) -> None:
    """A module is to enter something in a registry of its own."""
    record = machine.get(owner)
    if owner.address not in machine.live.raw:
        return
    if not isinstance(record, Instance) or not isinstance(record.cls, Definition):
        return
    begun(machine, owner)
    if not record.escaped:
        alone = _is_alone(machine, record.cls)
        machine.emit(AssignedTooEarly, spot, cls=record.cls, name=name, what=what, alone=alone)


def _is_alone(machine: Machine, definition: Definition) -> bool:
    """Whether a class derives from ``nn.Module`` and has no other constructor than its own."""
    family = machine.index.family(definition)
    return family.externals == {"torch.nn.Module"} and not any(
        "__init__" in base.members for base in family.lineage[1:]
    )


def _registered(machine: Machine, value: Value) -> str:
    """What a module would register a value as; nothing for what it would not, or may not."""
    match machine.peek(value):
        case Instance(cls=cls) if kinds.is_module(machine.index, cls):
            return "module"
        case Tensor(leaf=True, node=Node(op="parameter")):
            return "parameter"
    return ""


def held(machine: Machine, instance: Instance, name: str) -> Value | None:
    """What an object was given under a name; what is registered is found after its methods."""
    value = instance.attributes.get(name, instance.attributes.get(f"@{name}"))
    if value is None or not isinstance(instance.cls, Definition):
        return value
    member = machine.index.member(instance.cls, name) if _registered(machine, value) else None
    return None if isinstance(member, Definition) and not member.is_class else value


def finished(machine: Machine, instance: Ref, definition: Definition) -> None:
    """An object has been built: what it keeps in plain collections is not registered."""
    begun(machine, instance)
    record = machine.get(instance)
    if not isinstance(record, Instance) or record.escaped:
        return
    if not kinds.is_module(machine.index, definition):
        return
    family = machine.index.family(definition)
    if family.lists_itself:
        return
    assigned_at = {
        event.name: event.spot
        for event in machine.trace.of(CollectionAssigned)
        if event.owner == instance.address
    }
    registered: set[int] | None = None
    for name, spot in assigned_at.items():
        kind, keyed, items = _collection(machine, record.attributes.get(name, UNKNOWN))
        if not items or (len(items) == 1 and kind != "dict"):
            # One by itself is wrapped so that it is not found.
            continue
        if registered is None:
            registered = _registered_by(machine, instance)
        if registered is None:
            return
        held, built = _left_out(machine, items, instance, registered)
        if held:
            machine.emit(
                Hidden,
                spot,
                family=family,
                name=name,
                kind=kind,
                held=held,
                built=built,
                keyed=keyed,
                nested=bool(_nested(machine, items)),
            )


def _left_out(
    machine: Machine, items: list[Value], owner: Ref, registered: set[int]
) -> tuple[str, Spot | None]:
    """The first of the items that its owner has built and does not find: what it is, and where."""
    for item in _options([*items, *_nested(machine, items)]):
        held = _built(machine, item, owner)
        if len(items) == 1 and held != "parameters":
            # Nobody makes a parameter to hide it.
            continue
        known = _identity(machine, item) | _givers(machine, item)
        inner = machine.peek(item)
        if isinstance(inner, Instance) and modules.is_container(inner):
            known |= {each.address for each in inner.attributes.values() if isinstance(each, Ref)}
        if held and registered.isdisjoint(known):
            record = machine.get(item)
            return held, record.spot if isinstance(record, Instance) else None
    return "", None


def called(machine: Machine, instance: Instance, spot: Spot) -> None:
    """A call of a module that has no forward is an event, where it is surely built by the program.

    What an annotation speaks of may be a subclass.
    """
    definition = instance.cls
    if not isinstance(definition, Definition) or instance.spot is None or machine.choices:
        return
    if "forward" in instance.attributes or instance.escaped:
        return
    machine.emit(CalledWithoutForward, spot, family=machine.index.family(definition))


def _collection(machine: Machine, value: Value) -> tuple[str, bool, list[Value]]:
    """The kind of a collection, whether its keys are strings, and what may be in it.

    One of unknown length holds two things at least.
    """
    match value:
        case Tuple(items=items):
            return "tuple", False, list(items)
    match machine.get(value):
        case Sequence(kind=kind, items=items, rest=rest, escaped=False):
            return kind, False, [*items, *((rest, rest) if rest is not None else ())]
        case Mapping(items=pairs, rest=rest, escaped=False):
            keyed = rest is None and all(isinstance(key, str) for key, _ in pairs)
            held = [item for _, item in pairs]
            return "dict", keyed, [*held, *((rest, rest) if rest is not None else ())]
    return "", False, []


def _nested(machine: Machine, items: list[Value]) -> list[Value]:
    """What items of a collection hold that are collections themselves."""
    held = (_collection(machine, item)[2] for item in _options(items))
    return [each for within in held for each in within]


def _options(items: list[Value]) -> Iterator[Value]:
    for item in items:
        yield from options_of(item)


def _built(machine: Machine, value: Value, owner: Ref) -> str:
    """What a value is that its owner has built itself and would register; else nothing."""
    if not isinstance(value, Ref) or value.address < owner.address:
        return ""
    match machine.get(value):
        case Tensor(leaf=True, node=Node() as node):
            return "parameters" if leaves.made_as(node) == "parameter" else ""
        case Instance(frozen=False, escaped=False, spot=Spot()) if modules.parametrised(
            machine, value
        ):
            return "layers"
    return ""


def _registered_by(machine: Machine, module: Ref) -> set[int] | None:
    """The modules and parameters below a module that it finds by itself; None if not all known."""
    seen = {module.address}
    pending: list[Value] = [module]
    while pending:
        holder = pending.pop()
        waiting = machine.peek(holder)
        if isinstance(waiting, Unbuilt) and not _may_keep(machine, waiting):
            continue
        record = machine.get(holder)
        if not isinstance(record, Instance):
            continue
        opened = record.attributes.get(OPEN)
        if opened == UNKNOWN or isinstance(opened, (Const, Alike)):
            return None
        given = list(record.attributes.values())
        if record.cls in _OF_PARAMETERS:
            given = [item for value in given for item in _collection(machine, value)[2]]
            seen |= _owners(machine, given)
        for value in _options(given):
            if modules.is_container(record) and isinstance(machine.peek(value), Opaque):
                # Whatever else the module has may be in there.
                return None
            known = isinstance(value, Ref) and value.address in seen
            if not known and isinstance(machine.peek(value), (Instance, Tensor, Opaque)):
                seen |= _identity(machine, value)
                pending.append(value)
    return seen


def _owners(machine: Machine, given: list[Value]) -> set[int]:
    """The modules whose parameters are listed, so that they are found without them."""
    found: set[int] = set()
    for value in _options(given):
        record = machine.peek(value)
        if isinstance(record, Tensor) and record.node is not None:
            found |= holdings.owners_of(record.node)[0]
    return found


def _may_keep(machine: Machine, waiting: Unbuilt) -> bool:
    """Whether an object that is not built yet may hold what others have made."""
    objects = (Instance, Tensor, Sequence, Mapping)
    return any(
        isinstance(value, (Tuple, Either)) or isinstance(machine.peek(value), objects)
        for value in waiting.given
    )


def _identity(machine: Machine, value: Value) -> frozenset[int]:
    """The address of an object, and those of the memory of a tensor."""
    record = machine.peek(value)
    memory = record.storages if isinstance(record, Tensor) else frozenset[int]()
    return memory | ({value.address} if isinstance(value, Ref) else frozenset())


def _givers(machine: Machine, value: Value) -> frozenset[int]:
    """The modules whose parameter a value is, as what ``parameters()`` gives is."""
    record = machine.get(value)
    node = record.node if isinstance(record, Tensor) else None
    made = node.parents if node is not None and node.op == "join" else (node,)
    return frozenset(each.owner for each in made if each is not None and each.owner is not None)
