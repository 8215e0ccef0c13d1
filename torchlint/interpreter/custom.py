"""Custom functions: what a class that derives from ``torch.autograd.Function`` keeps to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import calls, dtypes, names, syntax, tensors
from torchlint.interpreter.events.functions import FunctionCalled, UnmarkedWrite, WrongCount
from torchlint.interpreter.events.graph import Mutation
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import (
    NONE,
    Certainty,
    Class,
    Function,
    Instance,
    Node,
    Opaque,
    Ref,
    Spot,
    Tensor,
    Tuple,
    options_of,
)
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

CONTEXT = "torch.autograd.function.FunctionCtx"
DIRTY = "mark_dirty()"
NON_DIFFERENTIABLE = "mark_non_differentiable()"
"""The attributes of a context that hold what has been marked."""


def run(machine: Machine, definition: Definition) -> None:
    """Run a class's forward on tensors, and its backward on gradients of what that gives."""
    forward, setup = (_method(machine, definition, name) for name in ("forward", "setup_context"))
    if forward is None:
        return
    machine.live.grad = None
    spot = Spot(definition.region, definition.region.whole)
    context = machine.new(Instance(CONTEXT))
    # Of several inputs the first is a tensor, as there is nothing to differentiate otherwise.
    first, *others = _parameters(forward, setup is None) or [""]
    inputs = [_tensor(machine), *(machine.new(Opaque(name)) for name in others)] if first else []
    before = (*_cls(forward), *((context,) if setup is None else ()))
    result = calls.enter(machine, forward, Arguments((*before, *inputs), more=True), spot)
    if setup is not None and machine.state is not None:
        given = (*_cls(setup), context, Tuple(tuple(inputs)), result)
        calls.enter(machine, setup, Arguments(given), spot)
    _unmarked(machine, context, inputs)
    backward = _method(machine, definition, "backward")
    if backward is not None and not _has_no_gradient(machine, context, result):
        incoming = [_tensor(machine) for _ in _parameters(backward, True)]
        before = (*_cls(backward), context)
        came = calls.enter(machine, backward, Arguments((*before, *incoming), more=True), spot)
        if machine.state is not None and came == NONE:
            _gave_nothing(machine, forward, backward, setup is None)


def _gave_nothing(
    machine: Machine, forward: Function, backward: Function, has_context: bool
) -> None:
    """A backward that computes something and comes to its end gives a single None."""
    least, _ = _wanted(forward, has_context)
    body = [] if isinstance(backward.node, ast.Lambda) else backward.node.body
    if least > 1 and "return" not in backward.region.code and any(map(_computes, body)):
        spot = Spot(backward.region, backward.node)
        machine.emit(WrongCount, spot, given=1, wanted=least)


def _computes(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Assign, ast.AugAssign, ast.For, ast.If, ast.With))


def _method(machine: Machine, definition: Definition, name: str) -> Function | None:
    found = machine.index.member(definition, name)
    return names.function_of(found) if isinstance(found, Definition) else None


def _cls(function: Function) -> tuple[Class, ...]:
    """What a method is given first: the class, if it is a method of that and not a static one."""
    is_method = "classmethod" in calls.decorators(function)
    return (Class(function.owner),) if is_method and function.owner is not None else ()


def _parameters(function: Function, has_context: bool) -> list[str]:
    """The names of a function's parameters, without the context that comes first."""
    before = len(_cls(function)) + has_context
    return [parameter.arg for parameter in syntax.positional(function.node)[before:]]


def _tensor(machine: Machine) -> Ref:
    return tensors.new_tensor(machine, Node("input", None, (), Certainty.UNSEEN))


def _marked(machine: Machine, context: Ref, how: str) -> tuple[Value, ...]:
    """What is marked, on one way or another."""
    record = machine.get(context)
    marked = record.attributes.get(how) if isinstance(record, Instance) else None
    ways = (way for way in options_of(marked) if isinstance(way, Tuple))
    return tuple(item for way in ways for item in way.items)


def _has_no_gradient(machine: Machine, context: Ref, result: Value) -> bool:
    """Whether nothing that forward gives can have a gradient, so that no backward comes here."""
    marked = _marked(machine, context, NON_DIFFERENTIABLE)
    outputs = result.items if isinstance(result, Tuple) else (result,)
    return bool(outputs) and all(
        output in marked or _is_of_whole_numbers(machine, output) for output in outputs
    )


def _is_of_whole_numbers(machine: Machine, value: Value) -> bool:
    tensor = machine.get(value)
    return isinstance(tensor, Tensor) and dtypes.is_integer(tensor.dtype)


def _unmarked(machine: Machine, context: Ref, inputs: list[Ref]) -> None:
    """Inputs that forward changes in place without a word to autograd are events."""
    dirty = [machine.get(value) for value in _marked(machine, context, DIRTY)]
    marked = {at for each in dirty if isinstance(each, Tensor) for at in each.storages}
    for value in inputs:
        tensor = machine.get(value)
        if not isinstance(tensor, Tensor) or not marked.isdisjoint(tensor.storages):
            continue
        for mutation in machine.trace.of(Mutation):
            # What may be the input or something else, as two branches have it, is not surely it.
            if mutation.tensor.storages <= tensor.storages:
                machine.emit(UnmarkedWrite, mutation.spot, how=mutation.how)
                break


def returned(machine: Machine, node: ast.Return, value: Value) -> None:
    """A backward that gives more or fewer gradients than its forward has inputs is an event."""
    function = machine.activation.function
    if function is None or function.name != "backward" or function.owner is None:
        return
    if not kinds.is_function(machine.index, function.owner):
        return
    forward = _method(machine, function.owner, "forward")
    count = _count(machine, value)
    if forward is None or count is None:
        return
    given, meant = count
    setup = _method(machine, function.owner, "setup_context")
    least, most = _wanted(forward, setup is None)
    if given >= least and (most is None or least < most):
        least = max(least, _applied_to(machine, function.owner))
    if given < least or (most is not None and meant > most):
        wanted = least if given < least else most
        machine.emit(WrongCount, node, given=given, wanted=wanted)


def _count(machine: Machine, value: Value) -> tuple[int, int] | None:
    """How many gradients are given, and how many without those at the end that are None."""
    if isinstance(value, Tuple):
        meant = list(value.items)
        while meant and meant[-1] == NONE:
            meant.pop()
        return len(value.items), len(meant)
    return (1, 1) if isinstance(machine.get(value), Tensor) else None


def _wanted(forward: Function, has_context: bool) -> tuple[int, int | None]:
    """How many inputs a forward is given at least and at most."""
    given = _parameters(forward, has_context)
    least = len(given) - min(len(given), len(forward.node.args.defaults))
    return least, None if forward.node.args.vararg is not None else len(given)


def _applied_to(machine: Machine, definition: Definition) -> int:
    """How many inputs a class is applied to at least, if all the calls show it."""
    calls_ = machine.index.callings.applications(definition)
    plain = [
        len(call.args)
        for call in calls_
        if not call.keywords and not any(isinstance(each, ast.Starred) for each in call.args)
    ]
    return min(plain, default=0) if len(plain) == len(calls_) else 0


def called(machine: Machine, instance: Instance, spot: Spot) -> None:
    """To call an object of such a class, in place of ``apply`` of the class, is an event."""
    if isinstance(instance.cls, Definition) and kinds.is_function(machine.index, instance.cls):
        machine.emit(FunctionCalled, spot, cls=instance.cls.name)
