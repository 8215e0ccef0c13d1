"""Watches the flagged statement itself: that it fails as predicted, or what is true once it ran."""

from __future__ import annotations

import ast
import functools
from typing import TYPE_CHECKING, Any

from .places import is_on_its_lines
from .protocol import ABSENT, OPEN, Observation
from .refusals import LINE, Refused
from .tally import Answer, Tally

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from .loading import Program
    from .places import Project
    from .protocol import Target

    Judge = Callable[["Aftermath"], Answer]


class Aftermath(Refused):
    """Asks a predicate about the user's frame whenever the flagged statement has run.

    ``statement`` is the innermost statement around the target, ``frame`` the frame that ran it.
    """

    def __init__(
        self,
        project: Project,
        target: Target,
        predicted: Callable[[BaseException], bool],
        judge: Judge,
        program: Program,
    ) -> None:
        super().__init__(project, target, predicted, LINE)
        self._judge = judge
        self._tally = Tally(1)
        self.statement = innermost(program.tree(target.file), target.line)
        self.frame: FrameType | None = None

    def passed_target(self, frame: FrameType) -> None:
        """Look at what it has done."""
        super().passed_target(frame)
        self.frame = frame
        self._tally.take(self._judge(self))

    def _is_there(self, frame: FrameType, error: BaseException) -> bool:
        """Whether the statement fails: what a ``with`` enters stands nowhere in its code."""
        return is_on_its_lines(frame, self._target)

    def conclude(self, ended: bool) -> Observation:
        """The exception, else what the predicate said.

        Where it cannot say anything, a statement that does not fail speaks for nothing.
        """
        if self.error is None and self._tally.has_answers:
            return self._tally.observation("runs of the statement")
        seen = super().conclude(ended)
        if seen.outcome == ABSENT:
            return Observation(OPEN, reason="what the flagged statement did could not be told")
        return seen

    def value(self, node: ast.expr) -> Any:
        """What names, attributes and constant items mean in the frame; None for anything else."""
        if self.frame is None or not all(isinstance(part, _PLAIN) for part in ast.walk(node)):
            return None
        code = compile(ast.Expression(node), "<flagged>", "eval")
        try:
            return eval(code, self.frame.f_globals, dict(self.frame.f_locals))
        except Exception:
            return None


_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load, ast.UnaryOp, ast.USub)


@functools.lru_cache(maxsize=64)
def innermost(tree: ast.AST, line: int) -> ast.stmt | None:
    """The last statement that begins on a line or around it."""
    found: ast.stmt | None = None
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or not node.lineno <= line <= (node.end_lineno or line):
            continue
        if found is None or node.lineno >= found.lineno:
            found = node
    return found


def leading(tree: ast.AST, statement: ast.stmt | None) -> ast.stmt | None:
    """The statement that gives to a name what the next one, with a method, makes something of."""
    match statement:
        case ast.Assign(targets=[target], value=ast.Call(func=ast.Attribute(value=held))):
            named = ast.unparse(target)
        case _:
            return None
    blocks = (
        block
        for outer in ast.walk(tree)
        for block in (getattr(outer, name, None) for name in ("body", "orelse", "finalbody"))
        if isinstance(block, list) and statement in block
    )
    before = next((block[: block.index(statement)][-1:] for block in blocks), [])
    match before:
        case [ast.Assign(targets=[known]) as found] if (
            named == ast.unparse(known) == ast.unparse(held)
        ):
            return found
    return None
