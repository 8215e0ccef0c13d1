"""Calls: functions of the project are entered, known APIs applied, all else may do anything."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    alternatives,
    annotating,
    budgets,
    callbacks,
    decorating,
    deferring,
    edges,
    exposing,
    expressions,
    flagged,
    foregone,
    gradients,
    holdings,
    instances,
    iterators,
    loaders,
    meanwhile,
    modes,
    names,
    opaque,
    optimizers,
    parts,
    passes,
    ranks,
    registration,
    statements,
    syntax,
    unknowns,
    unrelated,
)
from torchlint.interpreter.activations import Activation
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.optimisation import Optimizer, Scaler
from torchlint.interpreter.state import Alike, State, join
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Bound,
    Class,
    Const,
    Either,
    Frame,
    Function,
    Instance,
    Mapping,
    Opaque,
    Parameters,
    Partial,
    Sequence,
    Spot,
    Tensor,
    Tuple,
)
from torchlint.project.index import External
from torchlint.torch_api.registry import METHODS, Call, heard

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value


_FREEZING = ("requires_grad", "freeze")
"""What a function has in it that may train again what was frozen."""


def call(machine: Machine, callee: Value, arguments: Arguments, spot: Spot) -> Value:
    """The value of calling something."""
    match callee:
        case Function() if _is_operator(callee):
            # Its gradient is what is registered for it, whatever its body does.
            machine.escape(arguments.values())
            return opaque.result(machine, arguments, spot)
        case Function():
            return enter(machine, callee, arguments, spot)
        case Class(definition=definition):
            return deferring.construct(machine, definition, arguments, spot)
        case Bound(receiver=receiver, method=Function() as function):
            return _own_method(machine, receiver, function, arguments, spot)
        case Bound(receiver=receiver, method=str() as name):
            return _method(machine, receiver, name, arguments, spot)
        case External(name=name):
            return instances.external(machine, name, arguments, spot)
        case Partial(callee=inner, positional=positional, keywords=keywords):
            arguments = Arguments(
                (*positional, *arguments.positional),
                {**dict(keywords), **arguments.keywords},
                arguments.open,
            )
            return call(machine, inner, arguments, spot)
        case Alike():
            pass  # Which of them it is, and in which order they come, is not known.
        case Either(options=options) if any(option != NONE for option in options):
            return alternatives.call(machine, options, arguments, spot)
    match machine.get(callee):
        case Instance():
            return instances.call(machine, callee, arguments, spot)
        case Opaque():
            return opaque.call(machine, callee, arguments, spot)
        case Optimizer() | Scaler():
            # These take no calls: this raises, or it is not only what it is known as.
            machine.escape([callee])
    return opaque.unseen(machine, arguments, spot)


def _own_method(
    machine: Machine, receiver: Value, function: Function, arguments: Arguments, spot: Spot
) -> Value:
    """Call a method of the project's own; the forward of a model is a pass by its name as well."""
    own = replace(arguments, positional=(receiver, *arguments.positional))
    if function.name == "forward" and instances.is_model(machine, receiver):
        run = partial(enter, machine, function, own, spot)
        return passes.apply(machine, receiver, arguments, spot, run)
    return enter(machine, function, own, spot)


_FAMILIES: dict[type, str] = {
    Tensor: "tensor",
    Optimizer: "optimizer",
    Scaler: "scaler",
    Sequence: "list",
    Mapping: "dict",
}


def _method(
    machine: Machine, receiver: Value, name: str, arguments: Arguments, spot: Spot
) -> Value:
    """Call a method that is not the project's own."""
    record = machine.get(receiver)
    invocation = Call(machine, name, arguments, spot, receiver)
    if isinstance(record, Instance):
        if name == "__call__":
            return instances.call(machine, receiver, arguments, spot)
        return instances.external_method(machine, receiver, record, name, arguments, spot)
    if isinstance(record, Opaque):
        unknowns.called(machine, name, spot)
        ranks.given(machine, arguments.values(), spot)
        return opaque.method(machine, receiver, name, arguments, spot)
    if isinstance(receiver, Parameters):
        return receiver
    family = _FAMILIES.get(type(record), "number" if isinstance(receiver, Number) else "")
    if isinstance(receiver, Const) and isinstance(receiver.value, str):
        return UNKNOWN
    handler = METHODS.get((family, name)) or METHODS.get((family, "*"))
    if handler is not None:
        heard(family, invocation)
        return handler(invocation)
    if isinstance(receiver, Tuple):
        return UNKNOWN
    match name:
        case "backward":
            gradients.unseen(machine, spot)
        case "step":
            optimizers.unseen_step(machine, spot)
        case "zero_grad":
            gradients.maybe_cleared(machine)
        case "train" | "eval":
            passes.unseen_switch(machine)
    machine.escape([receiver])
    return opaque.result(machine, arguments, spot)


def decorators(function: Function) -> frozenset[str]:
    """The dotted names of a function's decorators."""
    if isinstance(function.node, ast.Lambda):
        return frozenset()
    return frozenset(
        names.dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
        for decorator in function.node.decorator_list
    )


def _is_operator(function: Function) -> bool:
    """Whether a function is registered as an operator, which torch then calls with a graph."""
    return any(name.endswith(("custom_op", "triton_op")) for name in decorators(function))


def enter(machine: Machine, function: Function, arguments: Arguments, spot: Spot) -> Value:
    """The value of calling a function of the project, which may be a foregone conclusion."""
    function = decorating.applied(machine, function)
    known = foregone.call(
        machine, function, arguments, lambda run: _entered(run, function, arguments, spot)
    )
    return known if known is not None else _entered(machine, function, arguments, spot)


def _entered(machine: Machine, function: Function, arguments: Arguments, spot: Spot) -> Value:
    """The value of calling a function of the project: its body is evaluated in a new frame."""
    if not _may_enter(machine, function, arguments):
        return _left_out(machine, function, arguments, spot)
    before = machine.live.fork()
    outer = machine.frame, machine.region
    switches = machine.live.switches
    frame = Frame({}, function.region.outline, function.closure)
    receiver = arguments.positional[0] if function.owner and arguments.positional else None
    activation = Activation(function, [], [], [], machine.rounds, machine.forks, receiver)
    activation.tries, activation.called = machine.tries, spot
    local = bind_arguments(machine, function, flagged.handed(machine, arguments, spot))
    activation.frame = machine.frame = machine.new(replace(frame, names=local)).address
    machine.region = function.region
    machine.activations.append(activation)
    began = machine.steps
    try:
        modes.decorated(machine, function)
        activation.began = machine.live.switches
        given = annotating.of_arguments(machine, function, local)
        value = _limited(machine, function, activation)
    finally:
        machine.activations.pop()
        address, (machine.frame, machine.region) = machine.frame, outer
    if function.definition is not None and budgets.suffice(machine, began):
        machine.entered.add(function.definition)
    if machine.state is None:
        # It always raises, as abstract methods do: what it would have returned is not known.
        machine.state = before
        if function.name == "__init__" and receiver is not None:
            registration.begun(machine, receiver)
        return loaders.cycled(machine, activation, opaque.result(machine, arguments, spot), spot)
    if activation.yields:
        iterators.part(machine, before, value)
    modes.left(machine, activation, switches)
    annotating.of_result(machine, function, value, given)
    if not _captured(function):
        machine.state.heap.pop(address, None)
    return loaders.cycled(machine, activation, value, spot)


def _left_out(machine: Machine, function: Function, arguments: Arguments, spot: Spot) -> Value:
    """The value of calling a function of the project that is not entered."""
    model = arguments.positional[0] if arguments.positional else UNKNOWN
    applied = function.name == "forward" and instances.is_model(machine, model)
    modes_ = passes.modes_under(machine, model) if applied else {}
    idle = exposing.leaves_gradients(machine, function)
    with exposing.leaving(machine, idle=idle):
        got = exposing.exposed(machine, function, arguments)
        machine.escape([*got, *callbacks.closed_over(machine, function)])
    # A forward leaves the modes of its layers as they are, whatever else it does.
    passes.put_back(machine, modes_)
    if function.owner is not None:
        meanwhile.left_out(machine, model, function.name)
    edges.mended(machine, arguments.values())
    ranks.unseen(machine, spot)
    source = function.region.source
    if "backward" in source:
        gradients.maybe_cleared(machine)
    if ".grad" in source:
        gradients.gradient_read(machine, spot)
    if any(each in source for each in _FREEZING):
        holdings.thaw_unseen(machine, UNKNOWN)
    make = opaque.of_model if passes.trains(machine, modes_) else opaque.result
    with exposing.leaving(machine, idle=idle):
        return make(machine, arguments, spot)


def _captured(function: Function) -> bool:
    """Whether a function may leave behind something that closes over its frame."""
    text = function.region.source
    return "lambda" in text or text.count("def ") > 1


def _is_abstract(function: Function) -> bool:
    """Whether a method without a body is there to be overridden."""
    if function.owner is None or isinstance(function.node, ast.Lambda):
        return False
    if not any(name.endswith("abstractmethod") for name in decorators(function)):
        return False
    return all(
        isinstance(each, ast.Pass)
        or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in function.node.body
    )


def _may_enter(machine: Machine, function: Function, arguments: Arguments) -> bool:
    if len(machine.activations) > machine.depth or machine.steps > machine.budget:
        return False
    if _is_abstract(function):
        # What is called is what a subclass has in its place.
        return False
    if unrelated.leave_out(machine, function, arguments):
        return False
    nodes = budgets.nodes(function.region.length)
    if nodes > (machine.spare or 0) and budgets.helps(machine, function):
        return False
    if not _fits(function, arguments):
        # It raises before it begins.
        return False
    return (
        sum(1 for a in machine.activations if a.function and a.function.node is function.node) < 2
    )


def _fits(function: Function, arguments: Arguments) -> bool:
    """Whether a function takes what it is called with, and no less."""
    taken, written = syntax.positional(function.node), function.node.args
    given = len(arguments.positional)
    if arguments.open:
        return True
    named = {part.arg for part in (*taken, *written.kwonlyargs)}
    if written.kwarg is None and not arguments.keywords.keys() <= named:
        return False
    if written.vararg is not None:
        return True
    defaults = syntax.defaults(function.node).keys() | arguments.keywords.keys()
    lacking = [part for part in taken[given:] if part.arg not in defaults]
    return given <= len(taken) and (arguments.more or not lacking)


def _limited(machine: Machine, function: Function, activation: Activation) -> Value:
    """Evaluate a body; what helps a constructor takes no more than that has to spare."""
    if machine.spare is None or not budgets.helps(machine, function):
        return _body(machine, function, activation)
    started, spare = machine.steps, machine.spare
    with machine.within(spare):
        value = _body(machine, function, activation)
    machine.spare = max(0, spare - (machine.steps - started))
    return value


def _body(machine: Machine, function: Function, activation: Activation) -> Value:
    if isinstance(function.node, ast.Lambda):
        return expressions.evaluate(machine, function.node.body)
    statements.block(machine, function.node.body)
    ends: list[tuple[State, Value]] = list(activation.returns)
    if machine.state is not None:
        ends.append((machine.state, NONE))
    if activation.yields:
        machine.state = join([state for state, _ in ends])
        if machine.state is None:
            return UNKNOWN
        rest = machine.join_all(activation.yields)
        generator = machine.new(Sequence("generator", rest=rest, rounds=machine.rounds))
        machine.suspended[generator.address] = activation.began, activation.suspended
        return generator
    returned = ranks.returned(ends)
    machine.state = join([state for state, _ in ends])
    if machine.state is None:
        return UNKNOWN
    return machine.join_all(returned) or NONE


def bind_arguments(machine: Machine, function: Function, arguments: Arguments) -> dict[str, Value]:
    """The local variables with which a function starts."""
    positional = syntax.positional(function.node)
    written = function.node.args
    defaults = syntax.defaults(function.node)
    local: dict[str, Value] = {}
    given = list(arguments.positional)
    keywords = dict(arguments.keywords)
    for place, parameter in enumerate((*positional, *written.kwonlyargs)):
        name = parameter.arg
        if given and place < len(positional):
            local[name] = given.pop(0)
        elif name in keywords:
            local[name] = keywords.pop(name)
        elif name in defaults and not arguments.open:
            local[name] = _default(machine, function, name, defaults[name])
        else:
            local[name] = machine.new(Opaque(name))
    unsaid = arguments.open or arguments.more
    if written.vararg is not None:
        more: Value = Tuple(tuple(given))
        if unsaid:
            more = machine.new(Sequence("tuple", tuple(given), rest=UNKNOWN))
        local[written.vararg.arg] = more
    if written.kwarg is not None:
        rest: Value | None = UNKNOWN if unsaid else None
        local[written.kwarg.arg] = machine.new(
            Mapping(tuple(keywords.items()), rest, machine.rounds)
        )
    return local


def _default(machine: Machine, function: Function, name: str, default: ast.expr) -> Value:
    """The value of a parameter's default, which is evaluated where the function is defined."""
    outer = machine.frame, machine.region
    machine.region = function.region
    if function.closure is None or function.closure not in machine.live.heap:
        machine.frame = machine.new(Frame({}, function.region.outline)).address
    else:
        machine.frame = function.closure
    try:
        value = expressions.evaluate(machine, default)
        parts.default(machine, value, function, name, machine.spot(default))
        return value
    finally:
        machine.frame, machine.region = outer
