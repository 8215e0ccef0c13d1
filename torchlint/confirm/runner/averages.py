"""Averages over batches (TL224): what is divided, and by what."""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.nn import functional

from .places import same_file
from .recorder import Observer
from .tally import Tally
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from .protocol import Job, Observation, Target
    from .tally import Answer

_NAMES = tuple(name for name in dir(functional) if "loss" in name or "cross_entropy" in name)


class Division(Observer):
    """Compares a quotient of the user's with the losses of the batches before it."""

    def __init__(self, tree: ast.Module, target: Target) -> None:
        super().__init__()
        self._target = target
        self._parts = _parts(tree, target)
        self._means: list[tuple[float, int]] = []
        self._busy = False
        self._tally = Tally(1)

    def watching(self) -> AbstractContextManager[Any]:
        """Losses are noted as they are computed."""
        stack = ExitStack()
        for name in _NAMES:
            old = getattr(functional, name)
            if callable(old):
                stack.enter_context(mock.patch.object(functional, name, self._computing(old)))
        return stack

    def reached(self, frame: FrameType) -> None:
        """The division comes next."""
        if self._parts is None or frame.f_lineno != self._target.line:
            return
        if not same_file(frame.f_code.co_filename, self._target.file):
            return
        total, number = (_value(part, frame) for part in self._parts)
        if total is not None and number:
            self._tally.take(self._judge(total, number))
        self._means.clear()

    def _judge(self, total: float, number: float) -> Answer:
        means = self._summed(total)
        samples = sum(size for _, size in means)
        if len(means) > 1 and samples > len(means):
            if number == samples:
                per = sum(mean * size for mean, size in means) / samples
                told = f"the sum of {len(means)} means is divided by {samples} samples"
                return f"{told}: {total / number:.3g}, where the mean of all is {per:.3g}"
            return False if number == len(means) else None
        if isinstance(total, int) or float(total).is_integer():
            if total > number > 1:
                told = f"{total:g} that were counted are divided by {number:g}"
                return f"{told}: {total / number:.3g} is no part of anything"
            return False
        return None

    def _summed(self, total: float) -> list[tuple[float, int]]:
        """The last losses, those that a total is the sum of."""
        for first in range(len(self._means)):
            means = self._means[first:]
            summed = sum(mean for mean, _ in means)
            if abs(total - summed) <= 1e-4 * max(abs(total), abs(summed), 1e-6):
                return means
        return []

    def conclude(self, ended: bool) -> Observation:
        """What the quotients are."""
        return self._tally.observation("divisions")

    def _computing(self, old: Callable[..., Any]) -> Callable[..., Any]:
        def compute(*args: Any, **kwargs: Any) -> Any:
            outer, self._busy = self._busy, True
            try:
                result = old(*args, **kwargs)
            finally:
                self._busy = outer
            # One loss may be computed by way of another.
            given = args[0] if args else None
            means = kwargs.get("reduction", "mean") == "mean" and not outer
            if means and isinstance(given, torch.Tensor) and given.dim() and result.numel() == 1:
                self._means.append((float(result.detach()), len(given)))
            return result

        return compute


def _parts(tree: ast.Module, target: Target) -> tuple[ast.expr, ast.expr] | None:
    """What is divided at the flagged place, and by what; a constant factor is set aside."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.BinOp, ast.AugAssign)) or not isinstance(node.op, ast.Div):
            continue
        if not node.lineno == target.line == node.end_lineno:
            continue
        if isinstance(node, ast.AugAssign):
            return ast.parse(ast.unparse(node.target), mode="eval").body, node.value
        total = node.left
        if isinstance(total, ast.BinOp) and isinstance(total.op, ast.Mult):
            factors = [total.left, total.right]
            others = [factor for factor in factors if not isinstance(factor, ast.Constant)]
            total = others[0] if len(others) == 1 else total
        return total, node.right
    return None


def _value(node: ast.expr, frame: FrameType) -> float | None:
    """The value of an expression in the frame; calls are those of ``len`` alone."""
    calls = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
    if not all(isinstance(call, ast.Name) and call.id == "len" for call in calls):
        return None
    code = compile(ast.Expression(node), "<flagged>", "eval")
    try:
        value = eval(code, frame.f_globals, dict(frame.f_locals))
    except Exception:
        return None
    return value if isinstance(value, (int, float)) else None


def metric_average(job: Job) -> Observation:
    """TL224: the quotient is not what it is called."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: Division(program.tree(), job.target),
            matters=frozenset(),
        ),
    )
