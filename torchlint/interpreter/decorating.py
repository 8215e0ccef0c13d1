"""Decorators of the project: what they make of a function is called in its place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import budgets, calls, expressions, syntax
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import Frame, Function

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine


def applied(machine: Machine, function: Function) -> Function:
    """What stands for a function once its decorators have been called with it.

    Those from out of sight are taken to give back what they are given, and so are those whose
    wrapper hands the result on, and all where a forward is looked at on its own: less would be
    seen of what is called.
    """
    if function.plain or isinstance(function.node, ast.Lambda) or not function.node.decorator_list:
        return function
    if machine.depth == budgets.FORWARD_DEPTH:
        return function
    outer = machine.frame, machine.region
    machine.frame = machine.new(Frame({}, function.region.outline, function.closure)).address
    machine.region = function.region
    found = replace(function, plain=True)
    try:
        for node in reversed(function.node.decorator_list):
            found = _limited(machine, found, node)
    finally:
        machine.frame, machine.region = outer
    return found


def _limited(machine: Machine, function: Function, node: ast.expr) -> Function:
    """Call a decorator at no cost to what is called, and with little of its own."""
    began = machine.steps
    with machine.within(budgets.DECORATOR):
        made = _decorated(machine, function, node)
    machine.budget += machine.steps - began
    return made


def _decorated(machine: Machine, function: Function, node: ast.expr) -> Function:
    named = node.func if isinstance(node, ast.Call) else node
    if not isinstance(named, (ast.Name, ast.Attribute)):
        return function
    if not isinstance(expressions.evaluate(machine, named), Function):
        return function
    decorator, spot = expressions.evaluate(machine, node), machine.spot(node)
    made = calls.call(machine, decorator, Arguments((function,)), spot)
    if not isinstance(made, Function) or _hands_on(machine, made, function):
        return function
    return made


def _hands_on(machine: Machine, wrapper: Function, function: Function) -> bool:
    """Whether all that a wrapper returns is what calls of the function have given."""
    frame = machine.live.heap.get(wrapper.closure) if wrapper.closure is not None else None
    if not isinstance(frame, Frame) or isinstance(wrapper.node, ast.Lambda):
        return False
    inner = [node for each in wrapper.node.body for node in syntax.walk(each)]
    returned = [each.value for each in inner if isinstance(each, ast.Return)]
    given: dict[str | None, list[ast.expr]] = {}
    for node in inner:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                given.setdefault(name, []).append(value)

    def is_call(value: ast.expr | None) -> bool:
        match value:
            case ast.Call(func=ast.Name(id=name)):
                return frame.names.get(name) is function
        return False

    def is_result(value: ast.expr | None) -> bool:
        name = value.id if isinstance(value, ast.Name) else None
        return all(map(is_call, given[name])) if name in given else is_call(value)

    return bool(returned) and all(map(is_result, returned))
