"""What becomes of the last thing that a method computes: given back, or dropped."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.project import flow
from torchlint.project.methods import is_none

if TYPE_CHECKING:
    from torchlint.project.methods import Method


def drops_result(method: Method) -> bool:
    """Whether it may come to its end with a value that it has just computed for nothing.

    That is where the last statement is the assignment of a local name, or an expression of such
    that does nothing, be it in an arm of an ``if`` where another way returns a value; or where it
    is an ``if`` on a flag, or on something being None, that returns a value in one of its arms
    only. What is annotated to give None is a procedure, whatever its last statement is, and what
    works on its object may give something to those who ask by an option.
    """
    function = method.node
    if not _may_forget(method):
        return False
    found = flow.returns(function)
    match function.body[-1]:
        case (ast.Assign() | ast.Expr()) as last if _keeps_nothing(method, last):
            return bool(found) or not is_none(function.returns)
        case ast.If() as chosen if found and any(
            _keeps_nothing(method, end) for end in flow.ends(chosen)
        ):
            return True
        case ast.If(test=test, body=body, orelse=orelse) if found:
            arms = [arm for arm in (body, orelse) if arm]
            chained = len(orelse) == 1 and isinstance(orelse[0], ast.If)
            chained = chained or any(flow.names_all(arm[-1]) for arm in arms)
            chained = chained or flow.is_one_of_several(function.body)
            ends = any(isinstance(arm[-1], ast.Return) for arm in arms)
            return ends and not chained and flow.is_flag(test) and not _is_asked_for(method, test)
    return False


def dropped_call(method: Method) -> str:
    """The attribute of its object that it calls at its end, where it gives back nothing of that."""
    if not _may_forget(method) or is_none(method.node.returns):
        return ""
    match method.node.body[-1]:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name))):
            return name if owner == method.receiver else ""
    return ""


def _may_forget(method: Method) -> bool:
    """Whether it may come to its end, and no ``return`` says that it gives nothing then."""
    function = method.node
    return flow.completes(function.body) and not (
        flow.is_generator(function) or any(out.value is None for out in flow.returns(function))
    )


def _keeps_nothing(method: Method, last: ast.stmt) -> bool:
    """Whether a last statement computes what nothing reads: names it, or not even that."""
    match last:
        case ast.Assign(targets=targets):
            return all(isinstance(to, ast.Name) for to in targets)
        case ast.Expr(value=(ast.Name() | ast.Tuple() | ast.BinOp() | ast.Subscript()) as value):
            named = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
            return not named.isdisjoint(_own_names(method))
    return False


def _own_names(method: Method) -> set[str]:
    """What it is given beside its object, and what it assigns."""
    named = (node for node in ast.walk(method.node) if isinstance(node, ast.Name))
    assigned = {node.id for node in named if isinstance(node.ctx, ast.Store)}
    return assigned | {*method.taken} - {method.receiver}


def _is_asked_for(method: Method, test: ast.expr) -> bool:
    """Whether a test is of an argument that is False unless told, beside what else it does."""
    works = any(
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and ast.unparse(statement.value.func).startswith("self.")
        for statement in method.node.body
    )
    given = method.node.args
    named = [*given.posonlyargs, *given.args]
    defaults = [*zip(reversed(named), reversed(given.defaults), strict=False)]
    defaults += [
        (each, default)
        for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        if default is not None
    ]
    off = {
        each.arg
        for each, default in defaults
        if isinstance(default, ast.Constant) and default.value is False
    }
    return (works or bool(method.writes)) and isinstance(test, ast.Name) and test.id in off
