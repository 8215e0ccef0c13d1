"""Methods that are named and not called (TL221), names that are lost to a result (TL222)."""

from __future__ import annotations

import ast
from types import MethodType
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .taint import Poison, StandIn
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from .protocol import Job, Target

_OWNERS = (nn.Module, Tensor, torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler)


class Named(Observer):
    """Reads a name again, each time that the flagged line has run, and lets ``judge`` look."""

    def __init__(self, code: Any, judge: Callable[[Any], Observation]) -> None:
        super().__init__()
        self._code = code
        self._judge = judge
        self._seen: Observation | None = None

    def passed_target(self, frame: FrameType) -> None:
        """Read it."""
        if self._code is None or self._seen is not None:
            return
        try:
            value = eval(self._code, frame.f_globals, frame.f_locals)
        except Exception:
            return
        if not isinstance(value, (Poison, StandIn)):
            self._seen = self._judge(value)

    def has_seen_enough(self) -> bool:
        """Once tells."""
        return self._seen is not None

    def conclude(self, ended: bool) -> Observation:
        """What was seen."""
        if self._code is None:
            return Observation(ABSENT, evidence="nothing is only named there")
        return self._seen or Observation(OPEN, reason="the flagged line did not run")


def _is_path(node: ast.AST) -> bool:
    """Whether reading an expression runs next to nothing: a name, attributes and keys of it."""
    while isinstance(node, ast.Attribute) or (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
    ):
        node = node.value
    return isinstance(node, ast.Name)


def _compiled(node: ast.AST | None) -> Any:
    if node is None or not _is_path(node):
        return None
    text = ast.unparse(node)
    return compile(text, "<named>", "eval")


def _bare(tree: ast.Module, target: Target) -> Any:
    """The attribute that stands uncalled at the flagged place."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and (node.lineno, node.end_lineno) == (target.line, target.end_line)
            and node.col_offset + 1 == target.column
            and node.end_col_offset is not None
            and node.end_col_offset + 1 == target.end_column
        ):
            return _compiled(node)
    return None


def assigned_name(tree: ast.Module, target: Target) -> Any:
    """The name that the flagged value is given to."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and node.value.lineno == target.line:
            return _compiled(node.targets[0])
    return None


def _lost_name(tree: ast.Module, target: Target) -> Any:
    """The same, where it is the owner's own name, or the owner has no other."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and node.value.lineno == target.line:
            method = node.value.func if isinstance(node.value, ast.Call) else node.value
            owner = method.value if isinstance(method, ast.Attribute) else None
            same = owner is not None and ast.unparse(owner) == ast.unparse(node.targets[0])
            return _compiled(node.targets[0]) if same or isinstance(owner, ast.Call) else None
    return None


def _method(value: Any) -> Observation:
    owner = getattr(value, "__self__", None)
    of_torch = callable(value) and isinstance(owner, _OWNERS)
    if not (of_torch or isinstance(value, MethodType)):
        return Observation(ABSENT, evidence="it is no method")
    name = f"{type(owner).__name__}.{value.__name__}"
    return Observation(SHOWN, evidence=f"the value there is the method `{name}`, uncalled")


def _lost(value: Any) -> Observation:
    if isinstance(value, _OWNERS):
        return Observation(ABSENT, evidence=f"the name means a `{type(value).__name__}` after it")
    known = value is None or callable(value) or type(value).__name__ == "_IncompatibleKeys"
    if not known:
        return Observation(OPEN, reason="the name means something else after it")
    return Observation(SHOWN, evidence=f"after it the name means a `{type(value).__name__}`")


def bare_method_reference(job: Job) -> Observation:
    """TL221: what stands there is a method."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: Named(_bare(program.tree(), job.target), _method),
            matters=frozenset(),
        ),
    )


def load_state_dict_reassigned(job: Job) -> Observation:
    """TL222: the name means no module any more."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: Named(_lost_name(program.tree(), job.target), _lost),
            matters=frozenset(),
        ),
    )
