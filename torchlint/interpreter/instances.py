"""Instances: building objects of the project's classes, calling them and their other methods."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    budgets,
    calls,
    carried,
    custom,
    forwards,
    names,
    opaque,
    optimizers,
    passes,
    ranks,
    registration,
    schedulers,
    squeezing,
    syntax,
    tensors,
)
from torchlint.interpreter.events.affine import HandedOut
from torchlint.interpreter.events.data import DatasetModule
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import (
    UNKNOWN,
    Bound,
    Instance,
    Mapping,
    Ref,
    Sequence,
    Super,
    Tensor,
    Tuple,
)
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import constructors, externals, generated, kinds, layers, modules
from torchlint.torch_api.registry import METHODS, Call, heard

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


_GRADIENTS = Pattern(r"grad\b(?!\()|\bsuper\b|\.step\b")
"""What a step that uses gradients speaks of: these, or a step that may use them in its place."""


def construct(machine: Machine, definition: Definition, arguments: Arguments, spot: Spot) -> Value:
    """A new object of a class of the project."""
    if kinds.is_optimizer(machine.index, definition):
        own = machine.index.member(definition, "step")
        blind = isinstance(own, Definition) and not _GRADIENTS.search(own.region.code)
        return optimizers.build(machine, definition.name, arguments, spot, blind=blind)
    instance = machine.new(Instance(definition, spot=spot))
    construct_in(machine, instance, definition, arguments, spot)
    return instance


def construct_in(
    machine: Machine, instance: Ref, definition: Definition, arguments: Arguments, spot: Spot
) -> None:
    """Make a new object what its class makes of it."""
    if kinds.is_dataset(machine.index, definition):
        ranks.given(machine, arguments.values(), spot)
    registration.created(machine, instance, definition)
    found = machine.index.member(definition, "__init__")
    if isinstance(found, Definition):
        method = Bound(instance, names.function_of(found))
        outer = machine.spare
        if kinds.is_dataset(machine.index, definition):
            machine.spare = budgets.DATASET if outer is None else min(outer, budgets.DATASET)
        elif machine.depth == budgets.FORWARD_DEPTH and kinds.is_module(machine.index, definition):
            machine.spare = budgets.HELPERS if outer is None else min(outer, budgets.HELPERS)
        calls.call(machine, method, arguments, spot)
        machine.spare = outer
    elif _is_dataclass(definition):
        _set_fields(machine, instance, definition, arguments)
    elif len(machine.index.ancestors(definition)) > 1:
        external_method(
            machine, instance, _instance(machine, instance), "super.__init__", arguments, spot
        )
    registration.finished(machine, instance, definition)
    if kinds.is_dataset(machine.index, definition):
        carried.made(machine, instance)


def _instance(machine: Machine, value: Value) -> Instance:
    record = machine.get(value)
    assert isinstance(record, Instance)
    return record


def _is_dataclass(definition: Definition) -> bool:
    if not definition.is_class:
        return False
    return "dataclass" in definition.region.text.partition("class ")[0] or (
        "NamedTuple" in definition.bases
    )


def _set_fields(
    machine: Machine, instance: Ref, definition: Definition, arguments: Arguments
) -> None:
    fields = [*definition.assignments]
    given = dict(zip(fields, arguments.positional, strict=False)) | arguments.keywords
    record = _instance(machine, instance)
    machine.set(instance, replace(record, attributes={**record.attributes, **given}))
    found = machine.index.member(definition, "__post_init__")
    if isinstance(found, Definition):
        calls.call(machine, Bound(instance, names.function_of(found)), Arguments(), record.spot)  # type: ignore[arg-type]


def super_of(machine: Machine, arguments: Arguments) -> Value:
    """What ``super()`` or ``super(C, self)`` gives in the method that is running."""
    function = machine.activation.function
    if function is None or function.owner is None:
        return UNKNOWN
    receiver: Value | None = None
    if len(arguments.positional) > 1:
        start, receiver = arguments.positional[:2]
        if isinstance(start, External):
            if start.name != "torch.nn.Module" and kinds.is_module(machine.index, start.name):
                return Super(receiver, start)
            # What it skips, such as the constructor of ``nn.Module`` by ``super(nn.Module, self)``.
            return UNKNOWN
    elif not arguments.positional and not isinstance(function.node, ast.Lambda):
        # With a class alone, it belongs to no object, and so do the methods that it gives.
        parameters = syntax.positional(function.node)
        if parameters:
            receiver = machine.variables().names.get(parameters[0].arg)
        else:
            # It raises: what becomes of an object that comes in by a star is not known.
            machine.escape(machine.variables().names.values())
    return Super(receiver, function.owner) if receiver is not None else UNKNOWN


def is_model(machine: Machine, value: Value) -> bool:
    """Whether something is a module, and no loss."""
    record = machine.get(value)
    return (
        isinstance(record, Instance)
        and kinds.is_module(machine.index, record.cls)
        and not kinds.is_loss(record.cls)
    )


def call(machine: Machine, callee: Value, arguments: Arguments, spot: Spot) -> Value:
    """The value of calling an object: a module's forward, or ``__call__``."""
    instance = _instance(machine, callee)
    _note_dataset_call(machine, callee, spot)
    if kinds.is_module(machine.index, instance.cls):
        forwards.applied(machine, callee, instance, spot)
    if is_model(machine, callee):
        return passes.apply(
            machine, callee, arguments, spot, lambda: _call(machine, callee, arguments, spot)
        )
    return _call(machine, callee, arguments, spot)


def _call(machine: Machine, callee: Value, arguments: Arguments, spot: Spot) -> Value:
    instance = _instance(machine, callee)
    is_module = kinds.is_module(machine.index, instance.cls)
    if is_module and "forward" in instance.attributes:
        return _given_forward(machine, callee, instance.attributes["forward"], arguments, spot)
    if isinstance(instance.cls, Definition):
        for name in ("__call__", "forward") if is_module else ("__call__",):
            found = machine.index.member(instance.cls, name)
            if isinstance(found, Definition):
                function = names.function_of(found)
                value = calls.call(machine, Bound(callee, function), arguments, spot)
                _note_several(machine, value, spot)
                if is_module and machine.state is not None:
                    squeezing.given(machine, value, spot)
                return value
        registration.called(machine, instance, spot)
        if not is_module:
            custom.called(machine, instance, spot)
            machine.escape([callee])
            return opaque.result(machine, arguments, spot)
    assert isinstance(callee, Ref)
    handler = METHODS.get((kinds.full_name(instance.cls), "__call__"))
    if handler is not None:
        return handler(Call(machine, "__call__", arguments, spot, callee))
    return layers.call(machine, callee, instance, arguments, spot)


def _note_several(machine: Machine, value: Value, spot: Spot) -> None:
    """Several things that are given at once are an event."""
    if machine.state is None or not (
        isinstance(value, Tuple) or isinstance(machine.get(value), (Sequence, Mapping))
    ):
        return
    held = [machine.get(item) for item in tensors.flatten(machine, value)]
    nodes = tuple(item.node for item in held if isinstance(item, Tensor) and item.node is not None)
    if nodes:
        machine.emit(HandedOut, spot, nodes=nodes)


def _note_dataset_call(machine: Machine, callee: Value, spot: Spot) -> None:
    """A module with parameters that a Dataset's own method calls is an event.

    It is placed where the Dataset builds the module, if it does, else at the call.
    """
    function = machine.activation.function
    if function is None or function.owner is None:
        return
    if function.name not in {"__getitem__", "__iter__"} or not kinds.is_dataset(
        machine.index, function.owner
    ):
        return
    module = modules.parametrised(machine, callee)
    if module is None:
        return
    owner, built, how = function.owner.name, module.spot, "calls"
    if built is not None and built.region.scope.startswith(owner):
        spot = built
        how = how if built.region.scope == f"{owner}.__init__" else "builds"
    machine.emit(
        DatasetModule,
        spot,
        dataset=owner,
        module=kinds.name_of(module.cls),
        how=how,
        frozen=module.frozen,
    )


def _settle(
    machine: Machine, receiver: Value, instance: Instance, arguments: Arguments, spot: Spot
) -> None:
    """The constructor of a layer of torch is called by that of a class derived from it."""
    bases = kinds.bases(machine.index, instance.cls)
    layers_ = [name for name in bases if generated.is_module(name) and name != "torch.nn.Module"]
    record = machine.get(receiver)
    if len(layers_) == 1 and isinstance(record, Instance):
        built = Call(machine, layers_[0], arguments, spot)
        given = externals.settings(built)
        constructors.refused(built, kinds.name_of(layers_[0]), given)
        machine.set(receiver, replace(record, attributes={**record.attributes, **given}))


def _given_forward(
    machine: Machine, callee: Value, forward: Value, arguments: Arguments, spot: Spot
) -> Value:
    """What an object has been given goes before what its class has; it may lead back to it."""
    assert isinstance(callee, Ref)
    if callee.address in machine.diverted:
        return opaque.result(machine, arguments, spot)
    machine.diverted.add(callee.address)
    try:
        return calls.call(machine, forward, arguments, spot)
    finally:
        machine.diverted.discard(callee.address)


def _keeps_unseen(base: str) -> bool:
    """Whether the constructor of a class is not known, which may do anything with what it takes."""
    return base.partition(".")[0] not in {"torch", "builtins", "abc", "typing"}


def external(machine: Machine, name: str, arguments: Arguments, spot: Spot) -> Value:
    """Call something external: it may be the constructor of a base, for an object, by its name."""
    base, dot, method = name.rpartition(".")
    record = machine.peek(arguments.positional[0]) if arguments.positional else None
    if dot and method == "__init__" and isinstance(record, Instance):
        receiver, *given = arguments.positional
        if base != "torch.nn.Module" and base in kinds.bases(machine.index, record.cls):
            own = replace(arguments, positional=tuple(given))
            return external_method(machine, receiver, record, "super.__init__", own, spot)
        if kinds.is_module(machine.index, base):
            registration.begun(machine, receiver)
            return UNKNOWN
    return externals.call(Call(machine, name, arguments, spot))


def external_method(
    machine: Machine,
    receiver: Value,
    instance: Instance,
    name: str,
    arguments: Arguments,
    spot: Spot,
) -> Value:
    """Call a method that an object has from torch or from another library."""
    plain = name.removeprefix("super.")
    invocation = Call(machine, plain, arguments, spot, receiver)
    by_torch = isinstance(instance.cls, str) or plain == "step"
    if by_torch and kinds.scheduler(machine.index, instance.cls):
        handler = METHODS.get(("scheduler", plain))
        return handler(invocation) if handler is not None else UNKNOWN
    if isinstance(instance.cls, str):
        handler = METHODS.get((instance.cls, plain))
        if handler is not None:
            return handler(invocation)
    if kinds.is_module(machine.index, instance.cls):
        if plain == "forward":
            assert isinstance(receiver, Ref)
            return layers.call(machine, receiver, instance, arguments, spot)
        handler = METHODS.get(("module", plain))
        if handler is not None:
            return handler(invocation)
    if plain == "__init__":
        registration.begun(machine, receiver)
        _settle(machine, receiver, instance, arguments, spot)
        if kinds.scheduler(machine.index, instance.cls):
            schedulers.begun(machine, receiver, arguments)
        bases = kinds.bases(machine.index, instance.cls)
        for base in bases:
            heard("derived", Call(machine, base, arguments, spot, receiver))
        if "?" in bases:
            machine.escape([receiver])
        if any(_keeps_unseen(base) for base in bases):
            machine.escape(arguments.values())
        return UNKNOWN
    if isinstance(instance.cls, str):
        heard("opaque", invocation)
    machine.escape([receiver, *arguments.values()])
    return opaque.result(machine, arguments, spot)
