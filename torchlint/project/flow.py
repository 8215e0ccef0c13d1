"""Flow: where a function may end, by its statements alone."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.project.children import children

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Function = ast.FunctionDef | ast.AsyncFunctionDef
_LEAVING = frozenset({"sys.exit", "os._exit", "exit", "quit", "pytest.fail", "pytest.skip"})


def returns(function: Function) -> list[ast.Return]:
    """The returns of a function itself, not those of functions in it."""
    return [node for node in _own(function) if isinstance(node, ast.Return)]


def gives(function: Function) -> bool:
    """Whether a call of it gives anything: that of a procedure is made for what it does."""
    return is_generator(function) or any(map(_is_given, returns(function)))


def _is_given(out: ast.Return) -> bool:
    value = out.value
    return value is not None and not (isinstance(value, ast.Constant) and value.value is None)


def is_generator(function: Function) -> bool:
    """Whether it yields."""
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own(function))


def _own(function: Function) -> Iterator[ast.AST]:
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(children(node))


def does_nothing(block: Sequence[ast.stmt]) -> bool:
    """Whether a block is there for the syntax alone."""
    for statement in block:
        match statement:
            case ast.Pass() | ast.Continue() | ast.Break() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                return False
    return True


def completes(block: Sequence[ast.stmt]) -> bool:
    """Whether the program may come to the end of a block and go on."""
    return all(map(_completes, block))


def beyond(node: ast.AST) -> set[ast.stmt]:
    """The statements in the blocks of a node that stand behind the end of these, and never run."""
    if not hasattr(node, "body"):
        return set()
    blocks = (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
    return {each for block in blocks if isinstance(block, list) for each in _beyond(block)}


def _beyond(block: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    ends = (at for at, each in enumerate(block) if not _completes(each))
    return block[next(ends, len(block)) + 1 :]


def _completes(node: ast.stmt) -> bool:
    match node:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return False
        case ast.Assert(test=ast.Constant(value=value)):
            return bool(value)
        case ast.Expr(value=ast.Call(func=function)):
            return ast.unparse(function) not in _LEAVING
        case ast.If(test=ast.Constant(value=value), body=body, orelse=orelse):
            return completes(body if value else orelse)
        case ast.If(body=body, orelse=orelse):
            return completes(body) or completes(orelse)
        case ast.While(test=ast.Constant(value=value), body=body) if value:
            return any(isinstance(inner, ast.Break) for item in body for inner in ast.walk(item))
        case ast.With(body=body) | ast.AsyncWith(body=body):
            return completes(body)
        case ast.Try():
            return _try_completes(node)
        case ast.Match(cases=cases):
            total = any(isinstance(case.pattern, ast.MatchAs) and not case.guard for case in cases)
            return not total or any(completes(case.body) for case in cases)
    return True


def _try_completes(node: ast.Try) -> bool:
    if not completes(node.finalbody):
        return False
    return completes([*node.body, *node.orelse]) or any(
        completes(handler.body) for handler in node.handlers
    )


def ends(node: ast.stmt) -> Iterator[ast.stmt]:
    """The last statements of the arms of an ``if``, and of those within."""
    if not isinstance(node, ast.If):
        yield node
        return
    for arm in (node.body, node.orelse):
        if arm:
            yield from ends(arm[-1])


def names_all(node: ast.stmt) -> bool:
    """Whether it is an ``if`` with ``elif`` that returns in each arm: as a rule these are all."""
    arms = 0
    while isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return):
        arms += 1
        if not node.orelse:
            return arms > 1
        node = node.orelse[-1]
    return False


def is_flag(test: ast.expr) -> bool:
    """Whether a test is of one value by itself: true or not, None or not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return is_flag(inner)
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant()]):
            return is_flag(left)
        case ast.Name() | ast.Attribute():
            return True
    return False


def is_one_of_several(block: Sequence[ast.stmt]) -> bool:
    """Whether a block ends with two ``if`` that each return for an option: as a rule one is on."""
    options = [node for node in block[-2:] if isinstance(node, ast.If) and _is_option(node.test)]
    return len(options) > 1 and all(
        isinstance(node.body[-1], ast.Return) and not node.orelse for node in options
    )


def _is_option(test: ast.expr) -> bool:
    """Whether a test is of a flag, and not of something that may be there or not."""
    return is_flag(test) and not any(
        isinstance(node, ast.Constant) and node.value is None for node in ast.walk(test)
    )
