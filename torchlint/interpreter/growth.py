"""Growth: what a loop adds to until there is enough of it."""

from __future__ import annotations

import ast

from torchlint.interpreter import names, syntax


def asks_for_the_rest(loop: ast.While) -> bool:
    """Whether ``while x < n`` asks in each round for all ``n - x`` that are missing yet.

    The less is missing, the less is joined. Who asks for a batch of it goes round once a batch.
    """
    match loop.test:
        case ast.Compare(left=there, ops=[ast.Lt()], comparators=[wanted]):
            pass
        case ast.Compare(left=wanted, ops=[ast.Gt()], comparators=[there]):
            pass
        case _:
            return False
    missing = ast.BinOp(wanted, ast.Sub(), there)
    return any(
        isinstance(part, ast.Call)
        and names.dotted(part.func) not in {"min", "print"}
        and any(syntax.alike(given, missing) for given in syntax.given(part))
        for part in syntax.walk(loop)
    )


def filled_up_to(loop: ast.While) -> ast.expr | None:
    """The ``n`` of ``while x.shape[0] < n``, and its like, where the loop adds to ``x``."""
    match loop.test:
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE()], comparators=[count]):
            pass
        case _:
            return None
    match left:
        case (
            ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="shape"))
            | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="size"))
            | ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])
        ):
            return count if any(_joins(part, name) for part in loop.body) else None
    return None


def _joins(statement: ast.stmt, name: str) -> bool:
    """Whether a statement is ``x = f([x, …])`` for a name."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=target)],
            value=ast.Call(args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_]),
        ):
            return target == name and any(
                isinstance(part, ast.Name) and part.id == name for part in parts
            )
    return False
