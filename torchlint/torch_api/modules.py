"""Layers as objects: what they hold, and which have parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import contents, sizing
from torchlint.interpreter.openness import LAST, OPEN
from torchlint.interpreter.values import (
    Const,
    Either,
    Instance,
    Mapping,
    Node,
    Opaque,
    Ref,
    Sequence,
    Tensor,
    Tuple,
    Unknown,
    options_of,
)
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated, kinds, torchvision

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict"})
_STATES = "torch.hub.load_state_dict"
"""How what lies where models do begins that gives the states of some."""

_OF_OTHERS = Pattern(r"Transformer|Parallel")
"""What is in the names of torch's layers that hold others."""

_HOLDS_NONE = Pattern(r"(?:abc|typing|builtins|torch\.nn)\.|object$|.*\.LightningModule$")
"""Bases that bring no modules, containers and what is made of other layers aside."""


def children(machine: Machine, instance: Instance) -> list[Value] | None:
    """The layers of a container, in order; None for other modules, or where they are not known."""
    bases = kinds.bases(machine.index, instance.cls)
    if not bases & CONTAINERS or OPEN in instance.attributes:
        return None
    if "torch.nn.Sequential" not in bases and instance.escaped:
        return None
    found = []
    for name, value in instance.attributes.items():
        held = name.isdigit() or name[:1] == "@" or _is_held(machine, instance, value)
        if held is None:
            return None
        if held:
            found.append(value)
    # A constructor that was not entered, or somebody unseen, may have put in any.
    return None if not found and instance.escaped else found


def last(instance: Instance) -> list[Value]:
    """The layers that a container surely ends in, where others in it are not known."""
    known = instance.attributes.get(LAST)
    return list(known.items) if isinstance(known, Tuple) else []


def is_container(instance: Instance) -> bool:
    """Whether this is one of torch's containers of layers."""
    return isinstance(instance.cls, str) and instance.cls in CONTAINERS


def has_child(instance: Instance, held: list[Value], key: int | str) -> bool:
    """Whether a container that has these layers has one at a place, or under a name."""
    if isinstance(key, str):
        return f"@{key}" in instance.attributes
    return -len(held) <= key < len(held)


def child(instance: Instance, held: list[Value], key: int | str) -> Value:
    """The layer of a container at a place, or under a name."""
    return instance.attributes[f"@{key}"] if isinstance(key, str) else held[key]


def named_children(machine: Machine, instance: Instance) -> dict[str, Value] | None:
    """The layers of a container by their names, in order; None where they are not known."""
    held = children(machine, instance) if instance.cls in CONTAINERS else None
    if held is None:
        return None
    names = (name for name in instance.attributes if name.isdigit() or name[:1] == "@")
    return {name.removeprefix("@"): instance.attributes[name] for name in names}


def _is_held(machine: Machine, container: Instance, value: Value) -> bool | None:
    """Whether an attribute of a class of the project is a layer in it; None where it may be."""
    if isinstance(container.cls, str):
        return False
    record = machine.peek(value)
    if isinstance(record, Instance):
        return kinds.is_module(machine.index, record.cls)
    return None if isinstance(record, Opaque) or isinstance(value, (Either, Unknown)) else False


def sliced(
    machine: Machine, owner: Value, instance: Instance, held: list[Value], part: slice
) -> Value:
    """Some of the layers of a container, in one of their own where it is known which."""
    if instance.cls not in CONTAINERS or not sizing.is_plain(part):
        return owner
    numbered = {str(at): layer for at, layer in enumerate(held[part])}
    return machine.new(replace(instance, attributes=numbered))


def holds_older(machine: Machine, container: Instance, frame: int) -> bool:
    """Whether one of torch's containers has layers, all of which are older than a frame."""
    held = layers(machine, container) if container.cls in CONTAINERS else []
    each = [options_of(one) for one in held]
    found = [option for options in each for option in options]
    return bool(found) and all(isinstance(one, Ref) and one.address < frame for one in found)


def layers(machine: Machine, instance: Instance) -> list[Value]:
    """The layers that a container may hold, those included which are not known one by one."""
    known = children(
        machine,
        replace(
            instance,
            escaped=False,
            attributes={name: value for name, value in instance.attributes.items() if name != OPEN},
        ),
    )
    others = instance.attributes.get(OPEN)
    return [*(known or ()), *([others] if others is not None else [])]


def all_in(machine: Machine, model: Ref) -> tuple[Value, ...] | None:
    """A module and all modules in it, where they are surely known."""
    found: dict[Value, None] = {}
    pending: list[Value] = [model]
    while pending:
        value = pending.pop(0)
        match machine.get(value):
            case Instance() as module if kinds.is_module(machine.index, module.cls):
                if module.escaped or OPEN in module.attributes or _brings_more(machine, module):
                    return None
                found[value] = None
                held = module.attributes.values() if not is_plain(module) else ()
                pending.extend(inner for inner in held if inner not in found)
            case None if not isinstance(value, (Const, Tuple)):
                return None
            case Opaque() | Sequence() | Mapping():
                return None
    return tuple(found)


def named_in(machine: Machine, model: Ref) -> dict[str, Value] | None:
    """The modules that a module holds itself, by their names, where they are surely known."""
    module = machine.get(model)
    if not isinstance(module, Instance) or module.escaped or OPEN in module.attributes:
        return None
    if _brings_more(machine, module):
        return None
    found = {}
    for name, value in module.attributes.items():
        record = machine.get(value)
        if isinstance(record, Instance) and kinds.is_module(machine.index, record.cls):
            found[name.removeprefix("@")] = value
        elif isinstance(record, Opaque) or isinstance(value, (Either, Unknown)):
            return None
    return found


def _brings_more(machine: Machine, module: Instance) -> bool:
    """Whether a library's class, that a module is of or derives from, has modules of its own."""
    others = kinds.bases(machine.index, module.cls) - CONTAINERS
    return any(not _HOLDS_NONE.match(name) or _OF_OTHERS.search(name) for name in others)


def is_plain(module: Instance) -> bool:
    """Whether a module is one of torch's that holds no others."""
    return (
        isinstance(module.cls, str)
        and module.cls.startswith("torch.nn.")
        and not (module.cls in CONTAINERS or _OF_OTHERS.search(module.cls))
    )


def add_child(machine: Machine, owner: Value, name: Value | None, child: Value) -> None:
    """Add a layer to a container, at its end or under a name."""
    instance = machine.get(owner)
    assert isinstance(instance, Instance)
    key = str(sum(1 for known in instance.attributes if known.isdigit()))
    match name:
        case Const(value=str() as given):
            key = f"@{given}"
        case Const(value=int() as given) if str(given) in instance.attributes:
            key = str(given)
    attributes = {**instance.attributes, key: child}
    attributes.pop(LAST, None)
    machine.set(owner, replace(instance, attributes=attributes))


def has_parameter(instance: Instance, name: str) -> bool:
    """Whether ``name`` is a parameter of a layer of torch."""
    if name not in {"weight", "bias"} or not isinstance(instance.cls, str):
        return False
    return generated.is_module(instance.cls) and generated.has_parameters(instance.cls)


def has_own_parameters(machine: Machine, module: Instance) -> bool:
    """Whether a module has parameters that are not those of a layer in it."""
    if isinstance(module.cls, str) and has_parameters(module.cls):
        return True
    values = [machine.get(value) for value in module.attributes.values()]
    return any(
        isinstance(value, Tensor) and value.leaf and value.node is not None for value in values
    )


def is_layer(instance: Instance) -> bool:
    """Whether this is a layer of torch with parameters of its own."""
    return isinstance(instance.cls, str) and generated.has_parameters(instance.cls)


def parametrised(machine: Machine, value: Value, since: int = 0) -> Instance | None:
    """A module with parameters: the value itself, or one in a collection of layers; else None.

    What was made before ``since``, by its address, does not count.
    """
    seen: set[int] = set()
    pending: list[tuple[Value, Instance | None]] = [(value, None)]
    while pending:
        current, outer = pending.pop()
        match current:
            case Either(options=items) | Tuple(items=items):
                pending.extend((item, outer) for item in items)
                continue
        record = machine.get(current)
        if not isinstance(current, Ref) or current.address in seen or current.address < since:
            continue
        seen.add(current.address)
        match record:
            case Tensor(leaf=True, node=Node(op="parameter")) if outer is not None:
                return outer
            case Mapping() | Sequence():
                pending.extend((item, outer) for item in contents.held(record))
            case Instance(cls=str() as name) if has_parameters(name):
                return outer or record
            case Instance() if kinds.is_module(machine.index, record.cls):
                pending.extend((item, outer or record) for item in record.attributes.values())
    return None


def has_parameters(name: str) -> bool:
    """Whether an external class, a layer of torch or a pretrained model, has parameters."""
    if is_pretrained(name):
        return True
    return generated.is_module(name) and generated.has_parameters(name)


def is_plain_model(name: str) -> bool:
    """Whether calling this external name gives a model that leaves its inputs where they are."""
    return name.startswith(("torchvision.models.", "timm.create_model"))


def is_pretrained(name: str) -> bool:
    """Whether calling this external name gives a whole model."""
    return name.startswith(kinds.PRETRAINED) and not (
        torchvision.is_of_weights(name) or name.startswith(_STATES)
    )
