"""Watches what a module keeps of its calls: whether more graph hangs on it after each (TL423)."""

from __future__ import annotations

import ast
import itertools
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from torch import nn

from .aftermath import innermost
from .forwards import ForwardCount, is_inside
from .graphs import graph_nodes, graph_tensors
from .loading import Program
from .protocol import ABSENT, OPEN, SHOWN, Observation, measured
from .recorder import Observer
from .roles import MODEL
from .ways import Question, investigate

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from types import FrameType

    from .protocol import Job

_CALLS = 3
_SHOWN = 6


class Remembering(Observer):
    """Counts the graph nodes that hang on an attribute of a module, call after call."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._forwards = ForwardCount()
        self._counts: dict[int, dict[int, int]] = defaultdict(dict)
        self._alive: list[nn.Module] = []
        self._failed = False

    def watching(self) -> AbstractContextManager[Any]:
        """Calls of whole models are counted."""
        return self._forwards

    def passed_target(self, frame: FrameType) -> None:
        """What hangs on the attribute now, in this call of the model."""
        receiver = frame.f_locals.get(frame.f_code.co_varnames[0]) if _takes_any(frame) else None
        if not isinstance(receiver, nn.Module) or not is_inside(frame):
            return
        self._alive.append(receiver)
        held = graph_tensors(getattr(receiver, self._name, None))
        nodes = graph_nodes(tensor.grad_fn for tensor in held)
        self._counts[id(receiver)][self._forwards.count] = len(nodes)

    def backward_failed(self, roots: tuple[Any, ...], error: Exception) -> None:
        """A backward through what an earlier one has freed is part of what is claimed."""
        self._failed |= "a second time" in str(error)

    def conclude(self, ended: bool) -> Observation:
        """Growth from each call to the next shows it."""
        counts = [list(calls.values()) for calls in self._counts.values()]
        least = 2 if self._failed else _CALLS
        known = [calls for calls in counts if len(calls) >= least]
        if not known:
            return Observation(OPEN, reason="no module came by the flagged line in several calls")
        if not ended and not self._failed:
            return Observation(OPEN, reason="the run was cut before its end")
        if all(_grows(calls) for calls in known):
            listed = ", ".join(map(str, known[0][:_SHOWN]))
            said = f"{listed} graph nodes hang on `{self._name}` after one call and the next"
            if self._failed:
                said += ", and a backward fails that comes through them a second time"
            growth = measured("graph nodes", "call", known[0])
            return Observation(SHOWN, evidence=said, measured=growth)
        if not any(_grows(calls) for calls in known):
            return Observation(
                ABSENT, evidence=f"what hangs on `{self._name}` does not grow from call to call"
            )
        return Observation(OPEN, reason="it grows in some of the modules only")


def _takes_any(frame: FrameType) -> bool:
    return frame.f_code.co_argcount > 0


def _grows(counts: list[int]) -> bool:
    return all(one < other for one, other in itertools.pairwise(counts))


def attribute(statement: ast.stmt | None) -> str:
    """The attribute that a statement assigns, or calls a method of."""
    targets: list[ast.AST] = []
    match statement:
        case ast.Assign(targets=given):
            targets = [node for target in given for node in ast.walk(target)]
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            targets = [target]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner))):
            targets = [owner]
    for node in targets:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return node.attr
    return ""


def state_kept_in_forward(job: Job) -> Observation:
    """TL423: graphs that pile up on a module."""
    name = attribute(innermost(Program(job).tree(job.target.file), job.target.line))
    if not name:
        return Observation(OPEN, reason="it is not told which attribute is meant")
    return investigate(
        job,
        Question(
            watch=lambda project, program: Remembering(name),
            matters=MODEL,
            # A caller that was not run may clear it.
            outside=frozenset({name}),
        ),
    )
