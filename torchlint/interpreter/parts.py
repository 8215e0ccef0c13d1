"""What modules are made of: parameters that are lost or replaced, layers in containers."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.interpreter import always, facts, leaves, loop_names, ties
from torchlint.interpreter.events.layers import (
    BuiltOfData,
    Computed,
    LetGo,
    NotListed,
    NotModules,
    Refused,
    Registered,
    Repeated,
    Settled,
    SharedByAll,
    ToBeTrained,
)
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Certainty,
    Class,
    Const,
    Either,
    Function,
    Instance,
    Partial,
    Ref,
    Sequence,
    Tensor,
    Tuple,
    options_of,
)
from torchlint.project import around
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated, kinds, modules, placing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Node, Spot, Value

_ON_PURPOSE = Pattern(r"shared|tied|same|common", re.IGNORECASE)
"""How a name says that a layer is to be one."""

_GIVE_LAYERS = (".Sequential", ".ModuleList", ".ModuleDict", ".ParameterList", ".ParameterDict")
"""Containers that a loop can go over."""

_KEEPS = frozenset("float double half bfloat16 type contiguous cpu requires_grad_".split())
"""Methods that give the parameter itself where there is nothing to change."""


def attribute(machine: Machine, owner: Instance, name: str, value: Value, spot: Spot) -> bool:
    """A module's attribute is about to be set; whether the module takes the value."""
    before = owner.attributes.get(name)
    if before != value:
        let_go(machine, before, spot)
    tensor = machine.peek(value)
    if not isinstance(tensor, Tensor) or not isinstance(value, Ref):
        return True
    if value.address in machine.trace.parameters:
        if not _replaces_its_own(machine, owner, name, value):
            ties.made(machine, value, tensor, name, spot)
        if tensor.node is not None and tensor.node.spot is not None:
            machine.emit(Registered, spot, made=tensor.node.spot)
        return True
    made_as = leaves.made_as(tensor.node) if tensor.leaf and tensor.node is not None else ""
    is_parameter = made_as == "parameter"
    # What was computed with and comes from out of sight may be a parameter as well.
    if is_parameter or value.address in machine.trace.taken:
        return True
    if _has_parameter(machine, owner, name):
        is_refused = not _is_announced(tensor) and not _is_either(machine, tensor)
        if is_refused:
            machine.emit(Refused, spot, name=name)
        return not is_refused
    made = _unowned(machine, tensor)
    # What is filled in later keeps what it has computed once.
    is_cache = before == NONE and not placing.is_building_module(machine)
    if made and not _may_be_kept(tensor) and not is_cache:
        machine.emit(Computed, spot, name=name, parameters=made)
    if _is_built_by(machine, owner):
        _note_settled(machine, owner, tensor, name, spot)
        _note_asked(machine, owner, tensor, name, spot)
    return True


def _is_built_by(machine: Machine, owner: Instance) -> bool:
    """Whether the function that runs is the constructor of an object."""
    call = machine.activation
    if call.function is None or call.function.name != "__init__" or call.receiver is None:
        return False
    return machine.peek(call.receiver) is owner


def _ends(machine: Machine, node: Node) -> list[Node]:
    """Where a graph ends that is gone back: its leaves, and what came from out of sight."""
    return [each for each in machine.trace.reach(node) if not each.parents]


def _note_asked(machine: Machine, owner: Instance, tensor: Tensor, name: str, spot: Spot) -> None:
    """A constructor's module is given what comes of a leaf that is made there to be trained."""
    node, cls = tensor.node, owner.cls
    if node is None or node.certainty is not Certainty.SURE or not isinstance(cls, Definition):
        return
    ends = _ends(machine, node)
    if len(ends) != 1 or ends[0].op != "leaf" or ends[0].spot is None:
        return
    if ends[0].spot.region is machine.region:
        family = machine.index.family(cls)
        machine.emit(ToBeTrained, spot, family=family, name=name, asked=ends[0].spot)


def _note_settled(machine: Machine, owner: Instance, tensor: Tensor, name: str, spot: Spot) -> None:
    """A constructor's module is given what follows from parameters of its own, in other memory."""
    node, cls = tensor.node, owner.cls
    if node is None or not isinstance(cls, Definition):
        return
    attributes = map(machine.peek, owner.attributes.values())
    held = [each for each in attributes if isinstance(each, Tensor)]
    shares = any(each.storages & tensor.storages for each in held)
    if shares or node.certainty is not Certainty.SURE:
        return
    own = {each.node for each in held}
    ends = _ends(machine, node)
    parameters = [end for end in ends if end in own and end.op == "parameter"]
    made = tuple(end.spot for end in parameters if end.spot is not None)
    if len(made) == len(ends):
        family = machine.index.family(cls)
        machine.emit(Settled, spot, family=family, name=name, parameters=made)


def let_go(machine: Machine, held: Value | None, spot: Spot) -> None:
    """What an attribute has held until now is no longer there: a layer may have a successor."""
    if isinstance(held, Ref) and isinstance(machine.peek(held), Instance):
        machine.emit(LetGo, spot, layer=held.address)


def _replaces_its_own(machine: Machine, owner: Instance, name: str, made: Ref) -> bool:
    """Whether a parameter takes the place of one of the layer whose memory it has."""
    held = machine.peek(owner.attributes.get(name, UNKNOWN))
    layer = held.node.owner if isinstance(held, Tensor) and held.node is not None else None
    return layer is not None and machine.trace.memories.get(made.address) == layer


def _has_parameter(machine: Machine, owner: Instance, name: str) -> bool:
    """Whether a module has a parameter of this name; one without bias has its place.

    Something unseen that got hold of a module may have taken it out, to put a tensor in its place.
    """
    known = owner.attributes.get(name)
    if known == UNKNOWN or owner.escaped:
        return False
    if isinstance(owner.cls, str) and modules.has_parameter(owner, name):
        return not isinstance(known, Ref) or known.address in machine.trace.parameters
    return isinstance(known, Ref) and known.address in machine.trace.parameters


def _is_announced(tensor: Tensor) -> bool:
    """Whether it comes in by an annotation, which a parameter has as well, being a tensor."""
    node = tensor.node
    return node is not None and node.op == "input" and node.certainty is Certainty.UNSEEN


def _is_either(machine: Machine, tensor: Tensor) -> bool:
    """Whether it is a parameter on some way: two ways have met, one of them with such a memory."""
    computed = tensor.node is not None and tensor.node.op != "join"
    if computed or len(tensor.storages) < 2 or tensor.device is not None:
        return False
    records = (machine.get(Ref(address)) for address in machine.trace.parameters)
    memories = [record.storages for record in records if isinstance(record, Tensor)]
    return any(memory < tensor.storages for memory in memories)


def _unowned(machine: Machine, tensor: Tensor) -> tuple[Spot, ...]:
    """Where the parameters were made that a tensor was computed from, and that have no module.

    What they are computed with may come from out of sight: it makes no parameter of the result.
    """
    if tensor.node is None:
        return ()
    reach = machine.trace.reach(tensor.node)
    for node in reach:
        if (node.opaque and node.parents) or node.owner is not None or node.op == "join":
            return ()
    made = [node.spot for node in reach if node.op == "parameter"]
    return tuple(spot for spot in made if spot is not None)


def _may_be_kept(tensor: Tensor) -> bool:
    """Whether the last operation may have given the parameter itself."""
    assert tensor.node is not None
    short = tensor.node.op.rpartition(".")[2]
    moved = tensor.device is not None and tensor.device.kind == "moved"
    return short in _KEEPS or (short == "to" and not moved)


def multiplied(machine: Machine, left: Value, right: Value, spot: Spot) -> None:
    """A list of one layer is multiplied: every item is the same layer."""
    for values, count in ((left, right), (right, left)):
        if isinstance(count, Const) and (not isinstance(count.value, int) or count.value < 2):
            continue
        if any(repeated(machine, item, spot) for item in _items(machine, values)):
            return


def gathered(machine: Machine, held: Iterable[Value], item: Value, spot: Spot) -> None:
    """A list or container is given an item: in each round of a loop it may be the same layer."""
    match spot.node:
        case ast.Call(args=[ast.Name() as name]) if isinstance(item, Ref):
            if machine.rounds:
                again = always.in_every_round(machine)
            else:
                again = any(item in options_of(each) for each in held)
                again = again and always.in_every_call(machine)
            if again and loop_names.is_older(spot.region, name):
                repeated(machine, item, spot)


def repeated(machine: Machine, item: Value, spot: Spot) -> bool:
    """Whether an item that a list has several times is a layer with weights: that is an event."""
    layer = modules.parametrised(machine, item) and machine.get(item)
    said = _ON_PURPOSE.search(spot.region.text_of(spot.node)) or _is_option(spot)
    if said or not isinstance(item, Ref) or not isinstance(layer, Instance):
        return False
    is_new = ties.is_new(machine, item)
    if is_new:
        machine.emit(Repeated, spot, kind=kinds.name_of(layer.cls), built=layer.spot)
    return is_new


def _is_option(spot: Spot) -> bool:
    """Whether the other arm of an ``if`` makes item by item what this one multiplies."""
    for outer, inner in pairwise(around.path(spot.region, spot.node)):
        if isinstance(outer, ast.If) and inner is not outer.test:
            other = outer.orelse if inner in outer.body else outer.body
            nodes = (node for statement in other for node in ast.walk(statement))
            if any(isinstance(node, (ast.ListComp, ast.GeneratorExp)) for node in nodes):
                return True
    return False


def _items(machine: Machine, values: Value) -> tuple[Value, ...]:
    if isinstance(values, Tuple):
        return values.items
    record = machine.get(values)
    return record.items if isinstance(record, Sequence) and record.kind == "list" else ()


def misbuilt(machine: Machine, short: str, given: tuple[Value, ...], spot: Spot) -> bool:
    """Whether a layer of torch cannot be built of these arguments, which is an event."""
    if not given or "Loss" in short:
        return False
    before = len(machine.trace.events)
    if short in {"Sequential", "ModuleList"}:
        _contents(machine, short, given, spot)
    elif f".{short}" in _GIVE_LAYERS:
        # What these are built of are parts, and nothing that they could be called with.
        return False
    elif _can_do_without(short) and _is_data(machine, given[0]):
        machine.emit(BuiltOfData, spot, kind=short)
    return len(machine.trace.events) > before


def _can_do_without(short: str) -> bool:
    """Whether a layer can be built of nothing, as those are that people take for functions."""
    names = [name for name in generated.constructor_names(short) if not name.startswith("*")]
    return len(names) == len(generated.constructor_defaults(short))


def _is_data(machine: Machine, value: Value) -> bool:
    """Whether something surely is a tensor, and of more than one number."""
    tensor = machine.get(value)
    if not isinstance(tensor, Tensor) or not isinstance(value, Ref):
        return False
    return value.address not in machine.trace.taken and not tensor.scalar and tensor.shape != ()


def _contents(machine: Machine, short: str, given: tuple[Value, ...], spot: Spot) -> None:
    """Note what there is no layer among these, or that they are a list where none is due."""
    first, items = machine.peek(given[0]), given
    is_list = isinstance(given[0], Tuple) or isinstance(first, Sequence)
    if short == "ModuleList":
        several = len(given) > 1
        if several or (isinstance(first, Instance) and _is_one_layer(machine, first)):
            machine.emit(NotListed, spot, kind=short, several=several)
            return
        items = _items(machine, given[0])
    elif len(given) == 1 and is_list:
        kind = first.kind if isinstance(first, Sequence) else "tuple"
        machine.emit(NotModules, spot, kind=short, item=f"a {kind}", whole=True)
        return
    for item in items:
        what = _no_module(machine, item)
        if what:
            machine.emit(NotModules, spot, kind=short, item=what, whole=False)
            return


def _is_one_layer(machine: Machine, record: Instance) -> bool:
    """Whether something is a layer, and no container that gives layers."""
    cls = record.cls
    if not kinds.is_module(machine.index, cls):
        return False
    if isinstance(cls, Definition) and machine.index.member(cls, "__iter__"):
        return False
    return not any(base.endswith(_GIVE_LAYERS) for base in kinds.bases(machine.index, cls))


def _no_module(machine: Machine, value: Value) -> str:
    """What a value is, where it is surely no module; empty where it may be one."""
    match value:
        case Function(name="<lambda>"):
            return "a lambda"
        case Function(name=name) | Class(definition=Definition(name=name)):
            kind = "function" if isinstance(value, Function) else "class"
            return f"the {kind} `{name}`"
        case External(name=name):
            if generated.is_module(name):
                return f"the class `{name.rpartition('.')[2]}`"
            is_function = generated.is_operation(name)
            return f"the function `{name.rpartition('.')[2]}`" if is_function else ""
        case Partial():
            return "a `partial`"
        case Const(value=str() | int() | float()):
            return f"`{value.value!r}`"
        case Tuple():
            return "a tuple"
        case Either():
            return ""
    match machine.peek(value):
        case Tensor() as tensor if not facts.is_like_the_unseen(tensor.node):
            return "a tensor"
        case Sequence(kind=kind):
            return f"a {kind}"
    return ""


def default(machine: Machine, value: Value, function: Function, name: str, spot: Spot) -> None:
    """A default of a function's argument, which is built once unless only copies of it are used."""
    # Nearly all defaults are constants, and bound in every call: nothing is searched for those.
    if isinstance(value, Ref) and not _is_only_copied(name, function.node):
        shared(machine, value, f"every call of `{function.name}`", spot)


def _is_only_copied(name: str, function: ast.AST) -> bool:
    uses, copied = 0, 0
    for node in ast.walk(function):
        match node:
            case ast.Name(id=used) if used == name:
                uses += 1
            case ast.Call(
                func=ast.Name(id="deepcopy") | ast.Attribute(attr="deepcopy"),
                args=[ast.Name(id=used), *_],
            ) if used == name:
                copied += 1
    return uses == copied > 0


def shared(machine: Machine, value: Value, where: str, spot: Spot) -> None:
    """What is built once, for a default or as an attribute of a class."""
    record = machine.get(value)
    if isinstance(record, Tensor):
        if isinstance(value, Ref) and value.address in machine.trace.parameters:
            built = record.node.spot if record.node is not None else None
            machine.emit(SharedByAll, built or spot, kind="Parameter", where=where, trained=True)
        return
    if not isinstance(record, Instance) or not kinds.is_module(machine.index, record.cls):
        return
    trained = modules.parametrised(machine, value) is not None
    kind = kinds.name_of(record.cls)
    machine.emit(SharedByAll, record.spot or spot, kind=kind, where=where, trained=trained)
