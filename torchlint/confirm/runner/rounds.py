"""Loops that are left in their first round, though there is more to go through (TL223)."""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING

from .protocol import ABSENT, Observation
from .recorder import Observer, Stop
from .tally import Tally
from .ways import Question, investigate

if TYPE_CHECKING:
    from types import FrameType

    from .protocol import Job, Target
    from .tally import Answer

    Loop = ast.For | ast.While

_ENOUGH = 3
_OUT = (ast.Return, ast.Break)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Rounds(Observer):
    """Counts the rounds of the loop that the flagged statement leaves, or that stands before it."""

    def __init__(self, tree: ast.Module, target: Target) -> None:
        super().__init__()
        self._loop, self._within = _loop_of(tree, target)
        self._rounds: dict[int, int] = {}
        self._heads: set[int] = set()
        self._tally = Tally(1)

    def reached(self, frame: FrameType) -> None:
        """A round begins where the program goes on from the head of the loop to its body."""
        loop, line = self._loop, frame.f_lineno
        if loop is None or not loop.lineno <= line <= (loop.end_lineno or line):
            return
        if line < loop.body[0].lineno:
            self._heads.add(id(frame))
        elif id(frame) in self._heads:
            self._heads.discard(id(frame))
            self._rounds[id(frame)] = self._rounds.get(id(frame), 0) + 1

    def passed_target(self, frame: FrameType) -> None:
        """It is left, or over."""
        rounds = self._rounds.pop(id(frame), 0)
        self._heads.discard(id(frame))
        if rounds:
            self._tally.take(self._judge(frame, rounds))

    def _judge(self, frame: FrameType, rounds: int) -> Answer:
        if rounds > 1:
            return False
        there_are = 0
        if self._loop is not None and self._within:
            there_are = _rounds_there_are(self._loop, frame)
        told = f"the loop is left in the first of at least {there_are} rounds"
        return told if there_are > 1 else None

    def has_seen_enough(self) -> bool:
        """Some ends tell."""
        return self._tally.is_full

    def conclude(self, ended: bool) -> Observation:
        """What became of the loop."""
        if self._loop is None:
            return Observation(ABSENT, evidence="no loop is left there")
        return self._tally.observation("ends of the loop")


def _rounds_there_are(loop: Loop, frame: FrameType) -> int:
    """How many rounds the loop could make, counted up to a few.

    What it goes through is made once more; an iterator has given an item away already.
    """
    node = loop.test if isinstance(loop, ast.While) else loop.iter
    code = compile(ast.Expression(node), "<flagged>", "eval")
    try:
        value = eval(code, frame.f_globals, dict(frame.f_locals))
        if isinstance(loop, ast.While):
            return 2 if value else 1
        items = iter(value)
        begun = 1 if items is value else 0
        return begun + len(list(islice(items, _ENOUGH - begun)))
    except (Exception, Stop):
        return 0


def _loop_of(tree: ast.Module, target: Target) -> tuple[Loop | None, bool]:
    """The innermost loop around the way out, and True; or the last one before it, and False."""
    around: Loop | None = None
    before: Loop | None = None
    if not any(isinstance(node, _OUT) and node.lineno == target.line for node in ast.walk(tree)):
        return None, False
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        last = getattr(node, "end_lineno", None) or 0
        if isinstance(node, (ast.For, ast.While)):
            if node.body[0].lineno <= target.line <= last:
                around = node
            elif last < target.line and (before is None or node.lineno > before.lineno):
                before = node
                continue
        if isinstance(node, _SCOPES) and not node.lineno <= target.line <= last:
            continue
        if isinstance(node, _SCOPES):
            around = before = None
            pending.clear()
        pending.extend(ast.iter_child_nodes(node))
    return around or before, around is not None


def loop_ends_early(job: Job) -> Observation:
    """TL223: the flagged statement is reached in the first round, and others are left undone."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: Rounds(program.tree(), job.target),
            matters=frozenset(),
        ),
    )
