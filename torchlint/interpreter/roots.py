"""Roots: from where the interpreter sets out, and with what in its hands."""

from __future__ import annotations

import ast
import builtins
from contextlib import suppress
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter import (
    addresses,
    annotating,
    budgets,
    callers,
    calls,
    custom,
    deferring,
    expressions,
    forms,
    forwards,
    handovers,
    holdings,
    instances,
    meanwhile,
    names,
    naming,
    optimizers,
    parts,
    passes,
    programs,
    schedulers,
    squeezing,
    statements,
    states,
    syntax,
    takers,
    tensors,
    widening,
)
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.events.shapes import Refused
from torchlint.interpreter.machine import Arguments, ExhaustedError, Machine
from torchlint.interpreter.optimisation import Optimizer
from torchlint.interpreter.values import (
    FOLLOWS,
    NONE,
    UNKNOWN,
    Bound,
    Certainty,
    Class,
    Frame,
    Instance,
    Node,
    Opaque,
    Ref,
    Spot,
    Tensor,
)
from torchlint.project import flow
from torchlint.project.index import External
from torchlint.project.outline import Definition, Outline
from torchlint.project.paired import is_list
from torchlint.torch_api import kinds, lightning, registry

if TYPE_CHECKING:
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Value
    from torchlint.project.index import Index
    from torchlint.project.sought import Sought


@dataclass(frozen=True, slots=True)
class Root:
    """Where a run starts: the top level of a file, a function, or the methods of a class.

    A file is only read for the names that are ``sought``, if there are any; a function is looked at
    ``alone`` where nothing is asked of what its callers hand over.
    """

    outline: Outline
    definition: Definition | None = None
    methods: tuple[str, ...] = ()
    sought: Sought | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """What a run gave: its trace, and the functions that it entered."""

    trace: Trace
    entered: frozenset[Definition]


def run(index: Index, root: Root) -> Run:
    """Interpret from a root."""
    machine = interpreted(index, root)
    if machine.trace.assumed and machine.trace.of(Refused):
        single = interpreted(index, root, batched=False)
        refused = {event.spot for event in single.trace.of(Refused)}
        machine.trace.unsure = {event.spot for event in machine.trace.of(Refused)} - refused
    handovers.note(machine, root.definition)
    takers.note(machine, root.definition, lambda *of: interpreted(index, Root(*of)))
    return Run(machine.trace, frozenset(machine.entered))


def interpreted(index: Index, root: Root, *, batched: bool = True) -> Machine:
    """A machine that has run from a root; what a forward is given is a batch, where it may be."""
    registry.load()
    addresses.restart()
    machine = Machine(index, root.outline)
    with suppress(ExhaustedError):
        if root.sought is not None:
            naming.read(machine, root.outline, root.sought)
        elif root.definition is None:
            _run_module(machine, root.outline)
        elif root.definition.is_class and kinds.is_function(index, root.definition):
            machine.region = root.definition.region
            custom.run(machine, root.definition)
        elif root.definition.is_class:
            machine.batched = batched if "forward" in root.methods else None
            _run_methods(machine, root.definition, root.methods)
        else:
            machine.budget = budgets.ALONE if root.alone else machine.budget
            _run_function(machine, root.definition)
    return machine


def _run_module(machine: Machine, outline: Outline) -> None:
    machine.modules[outline.source.path] = machine.frame
    machine.trace.program = True
    several = [each for definitions in outline.redefined.values() for each in definitions]
    several.sort(key=lambda definition: definition.region.first, reverse=True)
    for region in outline.statements:
        if machine.state is None:
            return
        # Until it is defined again, a name means what it was defined as last.
        while several and several[-1].region.first < region.first:
            definition = several.pop()
            machine.bind(definition.name, names.value_of(machine, definition))
        machine.region = region
        with programs.trains(machine):
            statements.block(machine, region.statements)


def _run_function(machine: Machine, definition: Definition) -> None:
    """Call a function, or a method of an object, with what is known of its arguments."""
    function = names.function_of(definition)
    machine.region = definition.region
    spot = Spot(definition.region, function.node)
    owner = definition.nested_in
    receiver: Value | None = None
    if owner is not None and "staticmethod" not in calls.decorators(function):
        of_class = "classmethod" in calls.decorators(function)
        machine.trace.method = not of_class and kinds.is_part(machine.index, owner)
        machine.trace.step = lightning.is_step(machine, definition)
        receiver = Class(owner) if of_class else _received(machine, owner, spot)
    if owner is not None and isinstance(receiver, Ref):
        meanwhile.changed(machine, receiver, owner, [definition.name])
        _call_too(machine, definition, _SET_UP_BY, receiver, spot)
    arguments = seeded(machine, definition, spot, receiver)
    callers.switched(machine, definition)
    machine.trace.begun = new_address()
    result = calls.enter(machine, function, arguments, spot)
    if isinstance(receiver, Ref):
        _call_too(machine, definition, _LEFT_BY, receiver, spot)
        name = Spot(definition.region, definition.region.heading())
        lightning.returned(machine, definition.name, receiver, result, name)
    _hand_out(machine, result)
    machine.trace.lasting |= schedulers.stepped_by_others(machine)
    if isinstance(receiver, Ref):
        roots = frozenset({receiver.address})
        machine.trace.lasting |= holdings.modules_under(machine, roots, build=False)


_SET_UP_BY = {"train_dataloader": "setup"}
_LEFT_BY = {"__enter__": "__exit__", "__aenter__": "__aexit__"}


def _call_too(
    machine: Machine, definition: Definition, table: dict[str, str], receiver: Ref, spot: Spot
) -> None:
    """Who calls a method of an object calls another one before or after: to set up, to leave."""
    assert definition.nested_in is not None
    found = machine.index.member(definition.nested_in, table.get(definition.name, ""))
    if isinstance(found, Definition) and machine.state is not None:
        calls.enter(machine, names.function_of(found), seeded(machine, found, spot, receiver), spot)


def _received(machine: Machine, owner: Definition, spot: Spot) -> Value:
    """The object whose method runs, built at no cost to that; its caller may step an optimizer."""
    depth, budget, outer = machine.depth, machine.budget, machine.abroad
    machine.depth, machine.budget = budgets.FORWARD_DEPTH, budgets.FORWARD
    machine.abroad |= kinds.may_be_module(machine.index, owner)
    receiver = build(machine, owner, spot)
    machine.depth, machine.budget, machine.abroad = depth, machine.steps + budget, outer
    if isinstance(machine.peek(receiver), Optimizer):
        machine.escape([receiver])
    return receiver


def _run_methods(machine: Machine, definition: Definition, methods: tuple[str, ...]) -> None:
    machine.region = definition.region
    machine.trace.forward = "forward" in methods
    machine.depth, machine.budget = budgets.FORWARD_DEPTH, budgets.FORWARD
    spot = Spot(definition.region, definition.region.whole)
    receiver = build(machine, definition, spot)
    if isinstance(receiver, Ref):
        meanwhile.changed(machine, receiver, definition, methods)
    machine.budget = max(machine.budget, machine.steps + budgets.METHODS)
    machine.trace.begun = new_address()
    for name in methods:
        found = machine.index.member(definition, name)
        if isinstance(found, Definition) and machine.state is not None:
            function = names.function_of(found)
            if name == "forward" and isinstance(function.node, flow.Function):
                machine.trace.procedure = not flow.gives(function.node)
            arguments = seeded(machine, found, spot, None)
            result = calls.call(machine, Bound(receiver, function), arguments, spot)
            _hand_out(machine, result)


def _hand_out(machine: Machine, result: Value) -> None:
    """What a root returns is its caller's: of a forward, all of it may be walked back."""
    squeezing.returned(machine, result, machine.spot(machine.region.whole))
    machine.escape([result])
    states.used(machine, result, machine.spot(machine.region.whole))
    for value in tensors.flatten(machine, result):
        tensor = machine.get(value)
        if machine.trace.forward:
            widening.returned(machine, value, machine.spot(machine.region.whole))
        if isinstance(tensor, (Tensor, Opaque)) and tensor.node is not None:
            machine.trace.returned.append(tensor.node)
            if machine.trace.forward:
                machine.trace.results.append(tensor.node)


def build(machine: Machine, definition: Definition, spot: Spot, depth: int = 0) -> Value:
    """An object of a class whose constructor's arguments are not known.

    Arguments with a default take it where that is a class or function, as layers do. So many
    objects as the ``depth`` are built already for one whose constructor takes another.
    """
    found = machine.index.member(definition, "__init__")
    arguments = Arguments()
    if isinstance(found, Definition):
        arguments = seeded(machine, found, spot, None, depth)
        if not depth:
            _put_in(machine, definition, found, arguments)
    construct = deferring.construct if depth else instances.construct
    made = construct(machine, definition, arguments, spot)
    if not machine.trace.forward:
        passes.forget(machine, made)
    return made


def _put_in(
    machine: Machine, definition: Definition, constructor: Definition, arguments: Arguments
) -> None:
    """Sizes that the project builds its only object of a class with.

    They are known as sizes alone: there may be other objects, for which tests come out otherwise.
    """
    construction = machine.index.constructions.of(definition)
    if construction is None:
        return
    parameters = [each.arg for each in syntax.positional(names.function_of(constructor).node)][1:]
    named = {str(position): name for position, name in enumerate(parameters)}
    for place, number in construction.numbers:
        value = arguments.keywords.get(named.get(place, place), UNKNOWN)
        record = machine.peek(value)
        if isinstance(value, Ref) and isinstance(record, Opaque):
            machine.set(value, replace(record, dim=number))
            spot = Spot(construction.region, construction.call)
            machine.trace.sized[number] = spot


def seeded(
    machine: Machine,
    definition: Definition,
    spot: Spot,
    receiver: Value | None,
    depth: int = 0,
) -> Arguments:
    """Arguments for a call from nowhere: by annotation, else opaque, by the parameters' names."""
    function = names.function_of(definition)
    method = definition.nested_in is not None and "staticmethod" not in calls.decorators(function)
    positional = syntax.positional(function.node)[1 if method else 0 :]
    defaults = syntax.defaults(function.node)
    keywords = {}
    is_forward = machine.trace.forward and definition.name == "forward"
    for position, parameter in enumerate((*positional, *function.node.args.kwonlyargs)):
        first = is_forward and position == 0
        default = defaults.get(parameter.arg)
        value = _argument(machine, definition, parameter, default, spot, depth, first=first)
        if value is not None:
            keywords[parameter.arg] = value
    return Arguments((receiver,) if receiver is not None else (), keywords, more=True)


_DEEPEST = 3
"""No deeper than this are objects built for annotations."""


def _argument(
    machine: Machine,
    definition: Definition,
    parameter: ast.arg,
    default: ast.expr | None,
    spot: Spot,
    depth: int,
    *,
    first: bool,
) -> Value | None:
    name = parameter.arg
    meaning = _annotation(machine, definition, parameter.annotation)
    if annotating.is_tensor(machine, definition.outline, parameter.annotation):
        meaning = External("torch.Tensor")
    plain = annotating.is_plain(parameter.annotation)
    moved = machine.trace.forward and definition.name == "forward" and not plain
    device = FOLLOWS if moved else None
    match meaning:
        case Class(definition=cls) if kinds.is_optimizer(machine.index, cls):
            return optimizers.lent(machine)
        case Class(definition=cls) if (
            kinds.is_module(machine.index, cls) and len(machine.activations) + depth < _DEEPEST
        ):
            return _stranger(machine, cls, spot, depth)
        case External(name=external) if kinds.is_optimizer(machine.index, external):
            return optimizers.lent(machine)
        case External(name="torch.Tensor") if not first and default is None:
            lent = name if definition.name != "__init__" else ""
            return _input(machine, lent, device, Certainty.UNSEEN)
    if default is not None:
        return _from_default(machine, definition, default, name)
    if first and (meaning is UNKNOWN or meaning == External("torch.Tensor")):
        node, text = names.function_of(definition).node, definition.region.text
        if meaning is not UNKNOWN or not is_list(name, node, text):
            return _input(machine, name, device, Certainty.ASSUMED)
    return machine.new(Opaque(name, argument=True, device=device, plain=plain))


def _stranger(machine: Machine, definition: Definition, spot: Spot, depth: int) -> Value:
    """An object that is built for an annotation comes from somewhere that is not known."""
    outer, machine.abroad = machine.abroad, True
    value = build(machine, definition, spot, depth + 1)
    machine.abroad = outer
    record = machine.peek(value)
    if isinstance(record, Instance):
        machine.set(value, forwards.from_elsewhere(machine, definition, record))
    return value


def _annotation(machine: Machine, definition: Definition, annotation: ast.expr | None) -> Value:
    """What an annotation means: UNKNOWN where there is none, NONE where it is no plain name."""
    if annotation is None:
        return UNKNOWN
    match annotation:
        case ast.Constant(value=str() as quoted):
            with suppress(SyntaxError, ValueError):
                return _annotation(machine, definition, ast.parse(quoted, mode="eval").body)
            return NONE
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            dotted = names.dotted(inner)
        case _:
            dotted = names.dotted(annotation)
    if not dotted:
        return NONE
    meaning = machine.index.meaning(definition.outline, dotted)
    if meaning is None and hasattr(builtins, dotted):
        return NONE
    return names.value_of(machine, meaning)


def _input(machine: Machine, name: str, device: object, certainty: Certainty) -> Ref:
    """A tensor that comes in; it has a name if it is lent, and not handed to a constructor."""
    node = Node("input", None, certainty=certainty)
    argument = name if machine.trace.forward else ""
    return tensors.new_tensor(machine, node, device=device, argument=argument, form=forms.GIVEN)


def _from_default(
    machine: Machine, definition: Definition, default: ast.expr, name: str
) -> Value | None:
    """A default that is a class or function is what a layer is built with."""
    if isinstance(default, (ast.Name, ast.Attribute, ast.Call)):
        outer = machine.frame, machine.region
        machine.frame = machine.new(Frame({}, definition.outline)).address
        machine.region = definition.region
        try:
            value = expressions.evaluate(machine, default)
        finally:
            machine.frame, machine.region = outer
        if isinstance(value, (External, Class)):
            return value
        function, spot = names.function_of(definition), Spot(definition.region, default)
        parts.default(machine, value, function, name, spot)
    return machine.new(Opaque(name, argument=True, plain=syntax.is_number(default)))
