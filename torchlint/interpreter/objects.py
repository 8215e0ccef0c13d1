"""Objects: reading and setting attributes, items of modules and of other instances."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    absences,
    batches,
    calls,
    carried,
    containers,
    expressions,
    forwards,
    gradients,
    holdings,
    keeping,
    lateness,
    names,
    namespaces,
    opaque,
    optimizers,
    parts,
    passes,
    places,
    registration,
    tensors,
    unknowns,
)
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.optimisation import Optimizer, Scaler
from torchlint.interpreter.state import Alike
from torchlint.interpreter.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Bound,
    Class,
    Const,
    Either,
    Frame,
    Function,
    Instance,
    Mapping,
    Module,
    Opaque,
    Parameters,
    Ref,
    Sequence,
    Spot,
    Super,
    Tensor,
    Tuple,
)
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds, modules, registry, weights

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.project.regions import Region


def attribute(machine: Machine, owner: Value, name: str, node: ast.AST) -> Value:
    """The value of ``owner.name``."""
    spot = machine.spot(node)
    match owner:
        case External():
            return names.value_of(machine, machine.index.attribute(owner, name))
        case Module(outline=outline):
            return names.value_of(machine, machine.index.attribute(outline, name))
        case Class(definition=definition):
            return _class_attribute(machine, owner, definition, name)
        case Super():
            return _super_attribute(machine, owner, name)
        case Alike():
            return _unknown_attribute(machine, owner, name, spot)
        case Either(options=options):
            found = [attribute(machine, option, name, node) for option in options if option != NONE]
            return optimizers.one_for(machine, options, name, machine.join_all(found) or UNKNOWN)
        case Tuple(items=(values, indices)) if name in {"values", "indices"}:
            return values if name == "values" else indices
        case Const() | Tuple() | Parameters() | Number():
            return Bound(owner, name)
    match machine.get(owner):
        case Instance() as instance:
            return _instance_attribute(machine, owner, instance, name, spot)
        case Tensor() as tensor:
            declared = registry.read("tensor", machine, owner, name, spot)
            return declared or opaque.attribute(machine, owner, tensor, name)
        case Opaque() as stranger:
            return _opaque_attribute(machine, owner, stranger, name, spot)
        case Optimizer():
            if name != "param_groups":
                return Bound(owner, name)
            optimizers.alter(machine, owner)
            return UNKNOWN
        case Scaler() | Sequence() | Mapping():
            return Bound(owner, name)
    return _unknown_attribute(machine, owner, name, spot)


def _unknown_attribute(machine: Machine, owner: Value, name: str, spot: Spot) -> Value:
    """An attribute of what is not known, or of many that it may be."""
    if name == "grad":
        gradients.gradient_read(machine, spot)
    if name in {"backward", "step", "zero_grad", "train", "eval"}:
        return Bound(owner, name)  # It may be any loss's, optimizer's, scheduler's, module's.
    return names.own_name(owner) if name == "__name__" else UNKNOWN


def _opaque_attribute(
    machine: Machine, owner: Value, stranger: Opaque, name: str, spot: Spot
) -> Value:
    """An attribute of an opaque object, which is the same object whenever it is read."""
    if name == "grad":
        gradients.gradient_read(machine, spot)
    if name in stranger.attributes or name == "dtype":
        return stranger.attributes.get(name, UNKNOWN)
    if name == "device":
        return machine.new(Instance("torch.device", {"of": owner}))
    if name in {"shape", "ndim"}:
        return opaque.sizes(machine, owner, name, spot)
    known = machine.new(unknowns.part(stranger, name))
    machine.set(owner, replace(stranger, attributes={**stranger.attributes, name: known}))
    return known


def method(machine: Machine, owner: Value, name: str, node: ast.AST) -> Value:
    """What ``owner.name(...)`` calls: methods of what is not known keep what they are called on."""
    if name == "forward":
        forwards.named(machine, owner, machine.spot(node))
    record = machine.get(owner)
    if isinstance(record, (Opaque, Tensor, Optimizer, Scaler)):
        return Bound(owner, name)
    if owner == UNKNOWN:
        unknowns.called(machine, name, machine.spot(node))
    if isinstance(owner, Either):
        options = [
            method(machine, option, name, node) for option in owner.options if option != NONE
        ]
        if isinstance(owner, Alike) and UNKNOWN not in options:
            return Either(tuple(dict.fromkeys(options)))  # However many there are to choose from.
        return machine.join_all(options) or UNKNOWN
    return attribute(machine, owner, name, node)


def _class_attribute(machine: Machine, owner: Class, definition: Definition, name: str) -> Value:
    found = machine.index.member(definition, name)
    match found:
        case Definition(is_class=True):
            return Class(found)
        case Definition():
            function = names.function_of(found)
            if "classmethod" in calls.decorators(function):
                return Bound(owner, function)
            return function
        case None:
            return registration.inherited(machine, definition, name)
    return _class_value(machine, found, name)


def _class_value(machine: Machine, region: Region, name: str) -> Value:
    """The value of an assignment in a class body, evaluated in the module's frame."""
    for statement in region.statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=value):
                if target == name:
                    return _in_region(machine, region, value)
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                if target == name:
                    return _in_region(machine, region, value)
    return machine.opaque(name)


def _in_region(machine: Machine, region: Region, value: ast.expr) -> Value:
    outer = machine.frame, machine.region
    machine.frame = machine.new(Frame({}, region.outline)).address
    machine.region = region
    try:
        return expressions.evaluate(machine, value)
    finally:
        machine.frame, machine.region = outer


def _super_attribute(machine: Machine, owner: Super, name: str) -> Value:
    instance = machine.get(owner.receiver)
    start = owner.owner
    if isinstance(instance, Instance) and isinstance(instance.cls, Definition):
        start = instance.cls
    lineage = list(machine.index.ancestors(start)) if isinstance(start, Definition) else []
    rest = lineage[lineage.index(owner.owner) + 1 :] if owner.owner in lineage else []
    if isinstance(owner.owner, External):
        # Whatever is no module comes after ``nn.Module``, which follows on torch's own layers.
        rest = [base for base in rest if _is_module(machine, base)]
    for base in rest:
        if isinstance(base, External):
            return Bound(owner.receiver, f"super.{name}")
        found = base.members.get(name)
        if found is not None:
            return Bound(owner.receiver, names.function_of(found))
    return Bound(owner.receiver, f"super.{name}")


def _is_module(machine: Machine, cls: Definition | External) -> bool:
    return kinds.is_module(machine.index, cls.name if isinstance(cls, External) else cls)


def _instance_attribute(
    machine: Machine, owner: Value, instance: Instance, name: str, spot: Spot
) -> Value:
    held = registration.held(machine, instance, name)
    if held == FALSE and modules.has_parameter(instance, name):
        return NONE
    # That a layer is told to have a bias is no bias yet.
    if held is not None and not (held == TRUE and modules.has_parameter(instance, name)):
        return held
    if isinstance(instance.cls, str):
        declared = registry.read(instance.cls, machine, owner, name, spot)
        if declared is not None:
            return declared
    if name == "training" and kinds.is_module(machine.index, instance.cls):
        assert isinstance(owner, Ref)
        passes.use(machine, owner.address, instance, "`self.training`", spot)
        # In training mode now: the code is there for the other mode as well.
        return FALSE if instance.training is False else UNKNOWN
    if isinstance(instance.cls, Definition):
        found = machine.index.member(instance.cls, name)
        match found:
            case Definition(is_class=True):
                return Class(found)
            case Definition():
                return _bound(machine, owner, names.function_of(found), spot)
            case None:
                pass
            case _:
                value = _class_value(machine, found, name)
                if kinds.is_module(machine.index, instance.cls):
                    parts.shared(machine, value, f"the class `{instance.cls.name}`", spot)
                return _remember(machine, owner, name, value)
    if modules.has_parameter(instance, name):
        assert isinstance(owner, Ref)
        leaf = tensors.parameter(machine, owner.address, spot)
        weights.shaped(machine, leaf, instance, name)
        return _remember(machine, owner, name, leaf)
    of_layer = (instance.cls, name) in registry.METHODS
    if of_layer or kinds.has_method(machine.index, instance.cls, name):
        return Bound(owner, name)
    absences.noted(machine, owner, instance, name, spot)
    of_all = namespaces.of(machine, owner) if name == "__dict__" else None
    return of_all or _remember(machine, owner, name, machine.opaque(name))


def _remember(machine: Machine, owner: Value, name: str, value: Value) -> Value:
    instance = machine.get(owner)
    assert isinstance(instance, Instance)
    machine.set(owner, replace(instance, attributes={**instance.attributes, name: value}))
    return value


def _bound(machine: Machine, owner: Value, function: Function, spot: Spot) -> Value:
    decorators = calls.decorators(function)
    if "staticmethod" in decorators:
        return function
    if decorators & {"property", "cached_property", "functools.cached_property"}:
        return calls.enter(machine, function, Arguments((owner,)), spot)
    return Bound(owner, function)


def assign_narrowed(machine: Machine, target: ast.Name | ast.Attribute, value: Value) -> None:
    """Replace the value of a name or attribute by what a test has shown it to be."""
    match target:
        case ast.Name(id=name):
            if name in machine.variables().names:
                machine.bind(name, value)
        case ast.Attribute(value=inner, attr=attr):
            owner = expressions.evaluate(machine, inner)
            instance = machine.get(owner)
            if isinstance(instance, Instance) and attr in instance.attributes:
                attributes = {**instance.attributes, attr: value}
                machine.set(owner, replace(instance, attributes=attributes))


def set_attribute(machine: Machine, owner: Value, name: str, value: Value, spot: Spot) -> None:
    """Carry out ``owner.name = value``."""
    match machine.get(owner):
        case Instance() as instance if isinstance(owner, Ref):
            if kinds.is_module(machine.index, instance.cls):
                registration.assigned(machine, owner, name, value, spot)
                value = places.belongs(machine, owner, name, value, spot)
                registry.set_("module", machine, owner, name, value, spot)
                if not parts.attribute(machine, instance, name, value, spot):
                    return
                holdings.own(machine, owner.address, name, value, spot)
                forwards.stored(machine, owner, value)
                keeping.assigned(machine, owner, name, value, spot)
                before = instance.attributes.get(name)
                lateness.given(machine, owner, before, value, spot, adds=False)
                instance = machine.live.heap[owner.address]  # type: ignore[assignment]
            elif kinds.is_loader(machine.index, instance.cls):
                registry.set_("loader", machine, owner, name, value, spot)
            machine.set(owner, replace(instance, attributes={**instance.attributes, name: value}))
            if _is_handle(machine, value):
                machine.escape([value])
            namespaces.replaced(machine, owner, name)
            carried.stored(machine, owner, instance, value, spot)
        case Tensor():
            registry.set_("tensor", machine, owner, name, value, spot)
        case Opaque() as opaque if name != "grad":
            if name == "requires_grad":
                holdings.thaw_unseen(machine, value)
            else:
                machine.escape([value])
                machine.set(owner, replace(opaque, attributes={**opaque.attributes, name: value}))
        case Optimizer() | Scaler():
            pass
        case None if isinstance(owner, Either):
            machine.branches(
                [
                    (lambda option=option: set_attribute(machine, option, name, value, spot))
                    for option in owner.options
                    if option != NONE
                ]
            )
        case _ if name == "grad":
            gradients.maybe_cleared(machine)
        case _:
            machine.escape([value])


def _is_handle(machine: Machine, value: Value) -> bool:
    """Whether a value is the handle of work under way: any other method may wait for it."""
    record = machine.peek(value)
    return isinstance(record, Instance) and record.cls == kinds.WORK


# Items and iteration of instances.


def iterated(machine: Machine, value: Value, instance: Instance, spot: Spot) -> Value:
    """Some item of an object that is iterated: a layer of a container, a batch of a loader."""
    layers = modules.layers(machine, instance)
    if layers:
        return machine.join_all(layers) or machine.opaque()
    if kinds.is_loader(machine.index, instance.cls):
        return batches.batch(machine, instance)
    if isinstance(instance.cls, Definition):
        found = machine.index.member(instance.cls, "__iter__")
        if isinstance(found, Definition):
            arguments = Arguments((value,))
            source = calls.enter(machine, names.function_of(found), arguments, spot)
            if source != value:
                return containers.element(machine, source, spot)
            found = machine.index.member(instance.cls, "__next__")
        if isinstance(found, Definition):
            # It is its own iterator.
            return calls.enter(machine, names.function_of(found), Arguments((value,)), spot)
    return machine.opaque()


def item(machine: Machine, owner: Value, instance: Instance, index: Value, spot: Spot) -> Value:
    """``owner[index]`` of an object: a layer of a container, or what ``__getitem__`` gives."""
    children = modules.children(machine, instance)
    if children is not None:
        match index:
            case Const(value=int() | str() as key) if modules.has_child(instance, children, key):
                return modules.child(instance, children, key)
            case Const(value=slice() as part):
                return modules.sliced(machine, owner, instance, children, part)
    layers = modules.layers(machine, instance)
    if layers:
        return machine.join_all(layers) or machine.opaque()
    if isinstance(instance.cls, Definition):
        found = machine.index.member(instance.cls, "__getitem__")
        if isinstance(found, Definition):
            arguments = Arguments((owner, index))
            return calls.enter(machine, names.function_of(found), arguments, spot)
    return machine.opaque()


def set_item(
    machine: Machine, owner: Value, instance: Instance, index: Value, value: Value, spot: Spot
) -> None:
    """``owner[index] = value`` of an object."""
    if instance.cls in {"torch.nn.ModuleDict", "torch.nn.ModuleList", "torch.nn.Sequential"}:
        modules.add_child(machine, owner, index, value)
        lateness.given(machine, owner, None, value, spot, adds=False)
        return
    if isinstance(instance.cls, Definition):
        found = machine.index.member(instance.cls, "__setitem__")
        if isinstance(found, Definition):
            arguments = Arguments((owner, index, value))
            calls.enter(machine, names.function_of(found), arguments, spot)
            return
    machine.escape([value])
