"""TL119: what is written at the flagged statement is in no memory that the program goes on with.

Or else, of what is added at one index several times, one addition is.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .aftermath import Aftermath
from .claims import Claim
from .roles import MODEL

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from types import FrameType

    from .loading import Program
    from .places import Project
    from .protocol import Job, Observation, Target
    from .recorder import Observer
    from .tally import Answer


class Written(Aftermath):
    """Compares the memory that was written with that of the tensor that the statement names."""

    def __init__(self, project: Project, target: Target, program: Program) -> None:
        super().__init__(project, target, lambda error: False, self.judge_memory, program)
        self._mode = Writes(project, target)

    def watching(self) -> AbstractContextManager[Any]:
        """Every write at the statement is noted."""
        return self._mode

    def passed_target(self, frame: FrameType) -> None:
        """Judge the writes of this run of the statement, and forget them."""
        super().passed_target(frame)
        self._mode.written.clear()

    def judge_memory(self, seen: Aftermath) -> Answer:
        """Whether the last write went somewhere else than into the tensor that is named."""
        owner = _named(self.statement)
        tensor = self.value(owner) if owner is not None else None
        if not isinstance(tensor, torch.Tensor) or not self._mode.written:
            return None
        last = self._mode.written[-1]
        if last.untyped_storage()._cdata == tensor.untyped_storage()._cdata:
            return False
        assert owner is not None
        return (
            f"the write went into a copy of {last.numel()} elements; the memory of "
            f"`{ast.unparse(owner)}` was not written"
        )


def _named(statement: ast.stmt | None) -> ast.expr | None:
    """The tensor that a statement writes into by its own words, below all indices and calls."""
    match statement:
        case ast.Assign(targets=[target]) | ast.AugAssign(target=target):
            node: ast.expr = target
        case ast.Expr(value=value):
            node = value
        case _:
            return None
    while not isinstance(node, ast.Name):
        match node:
            case ast.Subscript(value=inner):
                node = inner
            case ast.Call(func=ast.Attribute(value=inner)):
                node = inner
            case ast.Attribute():
                return node
            case _:
                return None
    return node


class Writes(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Tensors that are written into at the target."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._project = project
        self._target = target
        self.written: list[torch.Tensor] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        if func._schema.is_mutable and self._project.is_at(self._target):
            self.written += [item for item in args[:1] if isinstance(item, torch.Tensor)]
        return func(*args, **(kwargs or {}))


class Added(Aftermath):
    """Compares what is left of additions at an index with what all of them come to."""

    def __init__(self, project: Project, target: Target, program: Program) -> None:
        super().__init__(project, target, lambda error: False, self.judge_sums, program)
        self._mode = Additions(project, target)

    def watching(self) -> AbstractContextManager[Any]:
        """Every addition at the statement is noted."""
        return self._mode

    def judge_sums(self, seen: Aftermath) -> Answer:
        """What has been lost; an index with no number twice says nothing of other ones."""
        return self._mode.lost


class Additions(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """What is put at an index at the target, where adding it all would have given something else.

    ``lost`` says how much of it there was.
    """

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._project = project
        self._target = target
        self.lost: str | None = None

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        puts = func is torch.ops.aten.index_put_.default and len(args) == _PUT
        if not puts or not self._project.is_at(self._target):
            return func(*args, **(kwargs or {}))
        tensor, indices, values = args
        added = values - torch.ops.aten.index.Tensor(tensor, indices)
        whole = torch.ops.aten.index_put.default(tensor, indices, added, True)
        result = func(*args, **(kwargs or {}))
        given, different = _counted(indices)
        if different < given and not torch.allclose(tensor, whole, equal_nan=True):
            self.lost = (
                f"the index held {given} places, {different} of them different: each was added to "
                "once, and adding all gives other numbers"
            )
        return result


_PUT = 3
"""How many arguments there are where nothing is accumulated."""


def _counted(indices: list[Any]) -> tuple[int, int]:
    """How many places an index holds, and how many different ones; none where it is a mask."""
    known = [one for one in indices if one is not None]
    if any(one.dtype in {torch.bool, torch.uint8} for one in known):
        return 0, 0
    places = torch.stack(torch.functional.broadcast_tensors(*known)).flatten(1)  # type: ignore[no-untyped-call]
    return places.shape[1], len({*map(tuple, places.T.tolist())})


class _Lost(Claim):
    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at the memory."""
        return Written(project, job.target, program)


class _LostSum(Claim):
    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at what was added."""
        return Added(project, job.target, program)


_in_copy = _Lost(matters=MODEL)
_at_index = _LostSum()


def lost_indexed_write(job: Job) -> Observation:
    """TL119: a write into a copy, or one of several additions at an index that repeats."""
    return _at_index(job) if "comes twice" in job.target.message else _in_copy(job)
