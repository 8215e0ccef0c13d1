"""Decorators of the project: what they make of a function is called in its place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import budgets, calls, expressions
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import Frame, Function

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine


def applied(machine: Machine, function: Function) -> Function:
    """What stands for a function once its decorators have been called with it.

    Those from out of sight are taken to give back what they are given, and so are all where a
    forward is looked at on its own, which would see less of what is called.
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
            found = _decorated(machine, found, node)
    finally:
        machine.frame, machine.region = outer
    return found


def _decorated(machine: Machine, function: Function, node: ast.expr) -> Function:
    named = node.func if isinstance(node, ast.Call) else node
    if not isinstance(named, (ast.Name, ast.Attribute)):
        return function
    if not isinstance(expressions.evaluate(machine, named), Function):
        return function
    decorator, spot = expressions.evaluate(machine, node), machine.spot(node)
    made = calls.call(machine, decorator, Arguments((function,)), spot)
    return made if isinstance(made, Function) else function
